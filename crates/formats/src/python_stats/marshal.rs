//! A reader of Python's marshal format, versions 0 to 5, limited to the objects in profiles. It never executes or unpickles.
//!
//! # Source
//! CPython 3.8 to 3.15, `Python/marshal.c` (`r_object`); the format has no other definition.

use std::sync::Arc;

use crate::secret;

/// Maximum nesting of objects. An entry of a profile has a nesting of four.
const MAX_DEPTH: u32 = 8;
/// Maximum number of objects with references, and maximum bytes of text. No real profile has more.
const MAX_REFERENCES: usize = 1 << 24;
const MAX_TEXT: usize = 256 << 20;

/// The flag in an object's first byte: later objects may refer to this one.
const REFERENCE_FLAG: u8 = 0x80;

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MarshalValue {
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Tuple(Arc<[Self]>),
    Dict(Vec<(Self, Self)>),
    /// `None`, or an integer of more than 64 bits.
    Other,
}

/// The reason why an object could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MarshalError {
    /// The object continues after the end of the bytes.
    Incomplete,
    /// The object is corrupt at this byte.
    Corrupt(usize, String),
}

/// The objects that later objects may refer to.
#[derive(Debug, Default)]
pub(super) struct References {
    /// None while the object is read, and for dictionaries: profiles have no references to dictionaries.
    objects: Vec<Option<MarshalValue>>,
    /// Bytes of all texts.
    text_bytes: usize,
    /// Number of texts in which a credential was masked.
    pub(super) masked: u64,
}

impl References {
    /// The numbers of objects, bytes of text and masked texts so far.
    pub(super) fn checkpoint(&self) -> (usize, usize, u64) {
        (self.objects.len(), self.text_bytes, self.masked)
    }

    /// Restores the state at a checkpoint.
    pub(super) fn roll_back(&mut self, (objects, text_bytes, masked): (usize, usize, u64)) {
        self.objects.truncate(objects);
        (self.text_bytes, self.masked) = (text_bytes, masked);
    }

    /// Reserves an index for an object. The object is stored when it is complete.
    fn reserve(&mut self, offset: usize) -> Result<usize, MarshalError> {
        if self.objects.len() >= MAX_REFERENCES {
            return Err(MarshalError::Corrupt(offset, "too many objects".to_owned()));
        }
        self.objects.push(None);
        Ok(self.objects.len() - 1)
    }
}

/// Reads objects from bytes.
#[derive(Debug)]
pub(super) struct MarshalReader<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub(super) offset: usize,
}

impl<'a> MarshalReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    fn read_bytes(&mut self, length: usize) -> Result<&'a [u8], MarshalError> {
        let (bytes, _) = self.bytes[self.offset..].split_at_checked(length).ok_or(MarshalError::Incomplete)?;
        self.offset += length;
        Ok(bytes)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], MarshalError> {
        self.read_bytes(N)?.try_into().map_err(|_| MarshalError::Incomplete)
    }

    fn read_byte(&mut self) -> Result<u8, MarshalError> {
        Ok(self.read_array::<1>()?[0])
    }

    /// Reads a size of four bytes, at most 2^31 - 1.
    fn read_size(&mut self) -> Result<usize, MarshalError> {
        let offset = self.offset;
        let size = i32::from_le_bytes(self.read_array()?);
        usize::try_from(size).map_err(|_| MarshalError::Corrupt(offset, format!("a size of {size}")))
    }

    /// Skips the start of a dictionary.
    pub(super) fn enter_dict(&mut self, references: &mut References) -> Result<(), MarshalError> {
        let offset = self.offset;
        let code = self.read_byte()?;
        if code & !REFERENCE_FLAG != b'{' {
            return Err(MarshalError::Corrupt(offset, format!("byte 0x{code:02x}, expected a dictionary")));
        }
        if code & REFERENCE_FLAG != 0 {
            references.reserve(offset)?;
        }
        Ok(())
    }

    /// Returns true if the dictionary ends here, and skips its end.
    pub(super) fn skip_dict_end(&mut self) -> Result<bool, MarshalError> {
        let is_end = *self.bytes.get(self.offset).ok_or(MarshalError::Incomplete)? == b'0';
        self.offset += usize::from(is_end);
        Ok(is_end)
    }

    /// Reads one object.
    pub(super) fn read_value(&mut self, references: &mut References) -> Result<MarshalValue, MarshalError> {
        self.read_nested(references, 0)
    }

    /// Reads one object at this depth of nesting. Stores it if later objects may refer to it.
    fn read_nested(&mut self, references: &mut References, depth: u32) -> Result<MarshalValue, MarshalError> {
        let start = self.offset;
        let code = self.read_byte()?;
        if depth > MAX_DEPTH {
            return Err(MarshalError::Corrupt(start, "objects nested too deeply".to_owned()));
        }
        let kind = code & !REFERENCE_FLAG;
        let index = if code != kind && kind != b'r' { Some(references.reserve(start)?) } else { None };
        let value = self.read_content(kind, start, references, depth)?;
        // Dictionaries are not stored: if many entries shared one, its rows would be written for each of them.
        if let Some(index) = index
            && !matches!(value, MarshalValue::Dict(_))
        {
            references.objects[index] = Some(value.clone());
        }
        Ok(value)
    }

    /// Reads an object of this kind after its first byte, which is at `start`.
    fn read_content(
        &mut self,
        kind: u8,
        start: usize,
        references: &mut References,
        depth: u32,
    ) -> Result<MarshalValue, MarshalError> {
        let corrupt = |why: String| MarshalError::Corrupt(start, why);
        Ok(match kind {
            b'N' => MarshalValue::Other,
            b'F' => MarshalValue::Int(0),
            b'T' => MarshalValue::Int(1),
            b'i' => MarshalValue::Int(i32::from_le_bytes(self.read_array()?).into()),
            b'I' => MarshalValue::Int(i64::from_le_bytes(self.read_array()?)),
            b'l' => self.read_long()?,
            b'g' => MarshalValue::Float(f64::from_le_bytes(self.read_array()?)),
            b'f' => {
                let length = self.read_byte()?.into();
                let number = std::str::from_utf8(self.read_bytes(length)?).ok().and_then(|text| text.parse().ok());
                MarshalValue::Float(number.ok_or_else(|| corrupt("digits that are not a number".to_owned()))?)
            }
            b'z' | b'Z' => {
                let length = self.read_byte()?.into();
                self.read_text(length, start, references)?
            }
            b'a' | b'A' | b'u' | b't' => {
                let length = self.read_size()?;
                self.read_text(length, start, references)?
            }
            b')' => {
                let length = self.read_byte()?.into();
                self.read_tuple(length, references, depth)?
            }
            b'(' => {
                let length = self.read_size()?;
                self.read_tuple(length, references, depth)?
            }
            b'{' => {
                let mut members = Vec::new();
                while !self.skip_dict_end()? {
                    let key = self.read_nested(references, depth + 1)?;
                    members.push((key, self.read_nested(references, depth + 1)?));
                }
                MarshalValue::Dict(members)
            }
            b'r' => {
                let index = self.read_size()?;
                let object = references.objects.get(index).cloned().flatten();
                object.ok_or_else(|| corrupt(format!("a reference to object {index}, which does not exist")))?
            }
            _ => {
                return Err(corrupt(format!("byte 0x{kind:02x}, which does not begin an object of a profile")));
            }
        })
    }

    fn read_tuple(
        &mut self,
        length: usize,
        references: &mut References,
        depth: u32,
    ) -> Result<MarshalValue, MarshalError> {
        // every element has at least one byte
        if length > self.bytes.len() - self.offset {
            return Err(MarshalError::Incomplete);
        }
        let mut elements = Vec::with_capacity(length.min(16));
        for _ in 0..length {
            elements.push(self.read_nested(references, depth + 1)?);
        }
        Ok(MarshalValue::Tuple(elements.into()))
    }

    fn read_text(
        &mut self,
        length: usize,
        start: usize,
        references: &mut References,
    ) -> Result<MarshalValue, MarshalError> {
        let text = String::from_utf8_lossy(self.read_bytes(length)?);
        references.text_bytes += text.len();
        if references.text_bytes > MAX_TEXT {
            return Err(MarshalError::Corrupt(start, "too much text".to_owned()));
        }
        let clean = secret::mask(&text);
        references.masked += u64::from(matches!(clean, std::borrow::Cow::Owned(_)));
        Ok(MarshalValue::Text(clean.as_ref().into()))
    }

    /// Reads digits of 15 bits, the lowest one first. A negative number has a negative count of digits.
    fn read_long(&mut self) -> Result<MarshalValue, MarshalError> {
        let count = i32::from_le_bytes(self.read_array()?);
        let digits = self.read_bytes(2 * usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX / 2))?;
        let sum = digits.chunks_exact(2).rev().try_fold(0_i64, |sum, digit| {
            sum.checked_mul(1 << 15)?.checked_add(u16::from_le_bytes([digit[0], digit[1]]).into())
        });
        let signed = sum.map(|sum| if count < 0 { -sum } else { sum });
        Ok(signed.map_or(MarshalValue::Other, MarshalValue::Int))
    }
}
