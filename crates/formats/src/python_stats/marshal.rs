//! A reader of Python's marshal, versions 0 to 4, as far as profiles need it. Nothing is ever executed or unpickled.
//!
//! # Source
//! CPython 3.8 to 3.13, `Python/marshal.c` (`r_object`); the format has no other definition.

use std::sync::Arc;

use crate::secret;

/// Deepest nesting of a profile's entry is four.
const MAX_DEPTH: u32 = 8;
/// Most objects that may be referred to, and most bytes of their texts: more than any profile has.
const MAX_REFERENCES: usize = 1 << 24;
const MAX_TEXT: usize = 256 << 20;

const IS_REFERRED_TO: u8 = 0x80;

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Tuple(Arc<[Self]>),
    Dict(Vec<(Self, Self)>),
    /// None, or a number that no counter has.
    Other,
}

/// Why an object could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// It goes on behind the bytes that are there.
    More,
    /// It is damaged at this byte.
    Bad(usize, String),
}

/// Objects that were read and may be referred to.
#[derive(Debug, Default)]
pub(super) struct References {
    /// None while an object is read, and for dictionaries, to which no profile refers.
    objects: Vec<Option<Value>>,
    text: usize,
    /// Texts in which a credential was masked.
    pub(super) masked: u64,
}

/// A state of [`References`] to go back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    objects: usize,
    text: usize,
    masked: u64,
}

impl References {
    pub(super) fn mark(&self) -> Mark {
        Mark { objects: self.objects.len(), text: self.text, masked: self.masked }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.objects.truncate(mark.objects);
        (self.text, self.masked) = (mark.text, mark.masked);
    }

    /// Takes a place, which the object gets when it is complete.
    fn reserve(&mut self, at: usize) -> Result<usize, Stop> {
        if self.objects.len() >= MAX_REFERENCES {
            return Err(Stop::Bad(at, "too many objects".to_owned()));
        }
        self.objects.push(None);
        Ok(self.objects.len() - 1)
    }
}

/// What begins at a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// An object.
    Object,
    /// The end of the dictionary.
    End,
}

/// Goes over bytes.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Stop> {
        let end = self.at.checked_add(length).ok_or(Stop::More)?;
        let taken = self.bytes.get(self.at..end).ok_or(Stop::More)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| Stop::More)
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        Ok(self.array::<1>()?[0])
    }

    /// A size, which is no more than 2^31 - 1.
    fn size(&mut self) -> Result<usize, Stop> {
        let at = self.at;
        let size = i32::from_le_bytes(self.array()?);
        usize::try_from(size).map_err(|_| Stop::Bad(at, format!("a size of {size}")))
    }

    /// Passes over the beginning of a dictionary.
    pub(super) fn enter_dict(&mut self, references: &mut References) -> Result<(), Stop> {
        let at = self.at;
        let code = self.byte()?;
        if code & !IS_REFERRED_TO != b'{' {
            return Err(Stop::Bad(at, format!("byte 0x{code:02x}, expected a dictionary")));
        }
        if code & IS_REFERRED_TO != 0 {
            references.reserve(at)?;
        }
        Ok(())
    }

    /// Whether the dictionary goes on; its end is passed over.
    pub(super) fn next_in_dict(&mut self) -> Result<Next, Stop> {
        match self.bytes.get(self.at) {
            Some(b'0') => {
                self.at += 1;
                Ok(Next::End)
            }
            Some(_) => Ok(Next::Object),
            None => Err(Stop::More),
        }
    }

    /// The object that begins here.
    pub(super) fn value(&mut self, references: &mut References) -> Result<Value, Stop> {
        self.nested(references, 0)
    }

    fn nested(&mut self, references: &mut References, depth: u32) -> Result<Value, Stop> {
        let at = self.at;
        let code = self.byte()?;
        if depth > MAX_DEPTH {
            return Err(Stop::Bad(at, "objects nested too deeply".to_owned()));
        }
        let referred = code & IS_REFERRED_TO != 0;
        let mut place = None;
        if referred && code & !IS_REFERRED_TO != b'r' {
            place = Some(references.reserve(at)?);
        }
        let value = match code & !IS_REFERRED_TO {
            b'N' => Value::Other,
            b'F' => Value::Int(0),
            b'T' => Value::Int(1),
            b'i' => Value::Int(i32::from_le_bytes(self.array()?).into()),
            b'I' => Value::Int(i64::from_le_bytes(self.array()?)),
            b'l' => self.long()?,
            b'g' => Value::Float(f64::from_le_bytes(self.array()?)),
            b'f' => {
                let length = self.byte()?.into();
                let digits = std::str::from_utf8(self.take(length)?).ok().and_then(|text| text.parse().ok());
                Value::Float(digits.ok_or_else(|| Stop::Bad(at, "digits that are not a number".to_owned()))?)
            }
            b'z' | b'Z' => {
                let length = self.byte()?.into();
                self.text(length, at, references)?
            }
            b'a' | b'A' | b'u' | b't' => {
                let length = self.size()?;
                self.text(length, at, references)?
            }
            b')' => {
                let length = self.byte()?.into();
                self.tuple(length, references, depth)?
            }
            b'(' => {
                let length = self.size()?;
                self.tuple(length, references, depth)?
            }
            b'{' => {
                let mut members = Vec::new();
                while self.next_in_dict()? == Next::Object {
                    let key = self.nested(references, depth + 1)?;
                    members.push((key, self.nested(references, depth + 1)?));
                }
                // Not to be referred to: a dictionary that many entries share would be written many times.
                return Ok(Value::Dict(members));
            }
            b'r' => {
                let index = self.size()?;
                let found = references.objects.get(index).cloned().flatten();
                return found
                    .ok_or_else(|| Stop::Bad(at, format!("a reference to object {index}, which does not exist")));
            }
            other => {
                return Err(Stop::Bad(at, format!("byte 0x{other:02x}, which does not begin an object of a profile")));
            }
        };
        if let Some(place) = place.and_then(|place| references.objects.get_mut(place)) {
            *place = Some(value.clone());
        }
        Ok(value)
    }

    fn tuple(&mut self, length: usize, references: &mut References, depth: u32) -> Result<Value, Stop> {
        // every element has at least one byte
        if length > self.bytes.len() - self.at {
            return Err(Stop::More);
        }
        let mut elements = Vec::with_capacity(length.min(16));
        for _ in 0..length {
            elements.push(self.nested(references, depth + 1)?);
        }
        Ok(Value::Tuple(elements.into()))
    }

    fn text(&mut self, length: usize, at: usize, references: &mut References) -> Result<Value, Stop> {
        let text = String::from_utf8_lossy(self.take(length)?);
        references.text += text.len();
        if references.text > MAX_TEXT {
            return Err(Stop::Bad(at, "too much text".to_owned()));
        }
        let clean = secret::mask(&text);
        references.masked += u64::from(matches!(clean, std::borrow::Cow::Owned(_)));
        Ok(Value::Text(clean.as_ref().into()))
    }

    /// Digits of 15 bits, the least first; a negative number has a negative count.
    fn long(&mut self) -> Result<Value, Stop> {
        let count = i32::from_le_bytes(self.array()?);
        let digits = self.take(2 * usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX / 2))?;
        let mut sum: Option<i64> = Some(0);
        for digit in digits.chunks_exact(2).rev() {
            let digit = i64::from(u16::from_le_bytes([digit[0], digit[1]]));
            sum = sum.and_then(|sum| sum.checked_mul(1 << 15)?.checked_add(digit));
        }
        let signed = sum.map(|sum| if count < 0 { -sum } else { sum });
        Ok(signed.map_or(Value::Other, Value::Int))
    }
}
