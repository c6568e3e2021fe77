//! Columns of rows that are being collected, by type.
//!
//! Most columns of a table stay empty for any one format, and most texts repeat: a column without values
//! costs a count, and a text that was there before costs a key.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, StringArray, StringBuilder,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::Int32Type;
use arrow::error::Result;

use super::intern::Interner;

/// Values of which some may be null.
#[derive(Debug)]
pub(super) struct Nullable<T> {
    values: Vec<T>,
    /// Which of them are there; empty while all are.
    valid: Vec<bool>,
    /// Nulls before the first value, which are counted only.
    nulls: usize,
    /// How many there were when they were taken last.
    usual: usize,
}

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self { values: Vec::new(), valid: Vec::new(), nulls: 0, usual: 0 }
    }
}

impl<T: Copy + Default> Nullable<T> {
    #[inline]
    pub(super) fn push(&mut self, value: Option<T>) {
        match value {
            Some(value) => {
                if self.values.is_empty() {
                    self.begin();
                }
                self.values.push(value);
                if !self.valid.is_empty() {
                    self.valid.push(true);
                }
            }
            None if self.values.is_empty() => self.nulls += 1,
            None => {
                if self.valid.is_empty() {
                    self.valid.resize(self.values.len(), true);
                }
                self.values.push(T::default());
                self.valid.push(false);
            }
        }
    }

    /// Makes room for the first value and for the nulls before it.
    #[cold]
    fn begin(&mut self) {
        self.values.reserve_exact(self.usual.max(self.nulls + 64));
        self.values.resize(self.nulls, T::default());
        self.valid.resize(self.nulls, false);
        self.nulls = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() + self.nulls
    }

    fn take(&mut self) -> (Vec<T>, Option<NullBuffer>) {
        if self.values.is_empty() {
            let nulls = std::mem::take(&mut self.nulls);
            return (vec![T::default(); nulls], Some(NullBuffer::new_null(nulls)));
        }
        self.usual = self.values.len();
        let valid = (!self.valid.is_empty()).then(|| NullBuffer::from(self.valid.as_slice()));
        self.valid.clear();
        (std::mem::take(&mut self.values), valid)
    }
}

impl Nullable<i64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let (values, nulls) = self.take();
        Ok(Arc::new(Int64Array::try_new(values.into(), nulls)?))
    }
}

impl Nullable<f64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let (values, nulls) = self.take();
        Ok(Arc::new(Float64Array::try_new(values.into(), nulls)?))
    }
}

impl Nullable<bool> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let (values, nulls) = self.take();
        Ok(Arc::new(BooleanArray::new(values.into(), nulls)))
    }
}

/// After so many texts it shows whether they repeat.
const TRIAL: usize = 1024;

/// Texts of which some may be null: keys of different texts while texts repeat, else the texts as they are.
#[derive(Debug, Default)]
pub(super) struct Texts {
    keys: Nullable<i32>,
    different: Interner,
    plain: Option<StringBuilder>,
}

impl Texts {
    #[inline]
    pub(super) fn push(&mut self, text: Option<&str>) {
        if let Some(plain) = &mut self.plain {
            plain.append_option(text);
            return;
        }
        let key = text.map(|text| self.different.key(text));
        self.keys.push(key);
        if self.different.len() == TRIAL && self.keys.values.len() < TRIAL * 4 / 3 {
            self.give_up();
        }
    }

    /// The texts do not repeat: keys would only be in the way.
    #[cold]
    fn give_up(&mut self) {
        let mut plain = StringBuilder::with_capacity(self.keys.usual, self.different.bytes() * 2);
        let (keys, nulls) = self.keys.take();
        for (row, key) in keys.into_iter().enumerate() {
            let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            plain.append_option(self.different.get(key).filter(|_| !is_null));
        }
        self.different.clear();
        self.plain = Some(plain);
    }

    /// A dictionary if texts repeat, else plain text.
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        if let Some(mut plain) = self.plain.take() {
            return Ok(Arc::new(plain.finish()));
        }
        let (keys, nulls) = self.keys.take();
        let different = StringArray::from_iter_values(self.different.iter());
        self.different.clear();
        let keys = Int32Array::try_new(keys.into(), nulls)?;
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(different))?))
    }

    /// These texts, as a dictionary if they repeat.
    pub(super) fn of(texts: &StringArray) -> Result<ArrayRef> {
        let mut builder = Self::default();
        texts.iter().for_each(|text| builder.push(text));
        builder.finish()
    }
}

/// One text, again and again.
pub(super) fn repeated(text: &str, rows: usize) -> Result<ArrayRef> {
    let keys = Int32Array::from_value(0, rows);
    let text = StringArray::from_iter_values([text]);
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(text))?))
}
