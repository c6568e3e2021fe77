//! Interning of repeated texts.

use std::hash::{BuildHasher, RandomState};

/// Distinct texts in the order of their first appearance. The key of a text is its position.
///
/// Names in a profile repeat thousands of times, and every row needs a lookup. So the hash table
/// uses open addressing, and texts are hashed and compared eight bytes at a time. The hash has a
/// random seed because names are untrusted input.
#[derive(Debug)]
#[doc(hidden)]
pub struct Interner {
    text: Vec<u8>,
    /// Start of each text, and the end of the last one.
    starts: Vec<usize>,
    /// Keys by hash; at most half of the slots are in use. The length is a power of two.
    slots: Vec<i32>,
    seed: u64,
    /// Key of the previous lookup: equal texts often follow each other.
    last: i32,
    /// Keys of previous lookups by the address of the text: a caller that stores a text looks it up
    /// at the same address.
    by_address: [i32; ADDRESSES],
}

const FREE: i32 = -1;
const MIN_SLOTS: usize = 64;
const ADDRESSES: usize = 256;

impl Default for Interner {
    fn default() -> Self {
        Self {
            text: Vec::new(),
            starts: vec![0],
            slots: vec![FREE; MIN_SLOTS],
            seed: RandomState::new().hash_one(MIN_SLOTS) | 1,
            last: FREE,
            by_address: [FREE; ADDRESSES],
        }
    }
}

impl Interner {
    /// Returns the key of this text; adds the text if it is new.
    #[inline]
    #[doc(hidden)]
    pub fn key(&mut self, text: &str) -> i32 {
        let text = text.as_bytes();
        if self.has_text(self.last, text) {
            return self.last;
        }
        let address = text.as_ptr() as usize;
        let address = (address >> 3 ^ address >> 11) % ADDRESSES;
        let guess = self.by_address[address];
        self.last = if self.has_text(guess, text) { guess } else { self.find_or_insert(text) };
        self.by_address[address] = self.last;
        self.last
    }

    /// Returns the key of this text from the hash table, or adds the text.
    fn find_or_insert(&mut self, text: &[u8]) -> i32 {
        let mut slot = self.slot(text);
        while self.slots[slot] != FREE {
            if self.has_text(self.slots[slot], text) {
                return self.slots[slot];
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        // Batches are written long before there could be that many texts.
        let key = i32::try_from(self.texts()).unwrap_or(i32::MAX);
        self.text.extend_from_slice(text);
        self.starts.push(self.text.len());
        self.slots[slot] = key;
        if self.texts() * 2 > self.slots.len() {
            self.grow();
        }
        key
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![FREE; self.slots.len() * 2];
        for key in (0..).take(self.texts()) {
            let mut slot = self.slot(self.bytes_of(key).unwrap_or_default());
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = key;
        }
    }

    /// Returns the slot where the search for a text starts.
    #[inline]
    fn slot(&self, text: &[u8]) -> usize {
        let mix = |hash: u64, word: u64| {
            let hash = (hash ^ word).wrapping_mul(self.seed);
            hash ^ (hash >> 32)
        };
        let mut hash = text.len() as u64;
        if let Some(last) = text.last_chunk() {
            let (words, _) = text.as_chunks();
            hash = words.iter().fold(hash, |hash, word| mix(hash, u64::from_le_bytes(*word)));
            hash = mix(hash, u64::from_le_bytes(*last));
        } else {
            hash = mix(hash, text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
        // The highest bits are mixed best.
        let bits = self.slots.len().trailing_zeros();
        usize::try_from(hash.wrapping_mul(self.seed) >> (64 - bits)).unwrap_or(0)
    }

    #[inline]
    fn has_text(&self, key: i32, text: &[u8]) -> bool {
        self.bytes_of(key).is_some_and(|known| equal_bytes(known, text))
    }

    #[inline]
    fn bytes_of(&self, key: i32) -> Option<&[u8]> {
        let key = usize::try_from(key).ok()?;
        let [start, end] = *self.starts.get(key..)?.first_chunk()?;
        self.text.get(start..end)
    }

    /// Returns the text of a key.
    #[doc(hidden)]
    pub fn get(&self, key: i32) -> Option<&str> {
        str::from_utf8(self.bytes_of(key)?).ok()
    }

    /// Returns the number of texts.
    #[doc(hidden)]
    pub fn texts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the total length of the texts in bytes.
    #[doc(hidden)]
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Iterates over all texts, in the order of their keys.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).take(self.texts()).map(|key| self.get(key).unwrap_or_default())
    }

    /// Removes all texts and keeps the allocated memory.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.text.clear();
        self.starts.truncate(1);
        self.slots.fill(FREE);
        self.last = FREE;
        self.by_address.fill(FREE);
    }
}

/// Compares two texts; faster for short ones than a call of `memcmp`.
#[inline]
fn equal_bytes(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.last_chunk(), other.last_chunk()) {
        (Some(end), Some(other_end)) => {
            let ((words, _), (other_words, _)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
            words.iter().zip(other_words).all(|(one, other)| u64::from_le_bytes(*one) == u64::from_le_bytes(*other))
                && u64::from_le_bytes(*end) == u64::from_le_bytes(*other_end)
        }
        _ => one.iter().zip(other).all(|(one, other)| one == other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_key() {
        let mut texts = Interner::default();
        let names: Vec<String> = (0..1000).map(|n| "x".repeat(n % 40) + &n.to_string()).collect();
        for _ in 0..2 {
            for (key, name) in (0..).zip(&names) {
                assert_eq!(texts.key(name), key, "{name}");
                assert_eq!(texts.key(name), key, "{name}");
            }
        }
        assert_eq!(texts.texts(), 1000);
        assert_eq!(texts.bytes(), names.iter().map(String::len).sum::<usize>());
        assert!(texts.iter().eq(names.iter().map(String::as_str)));
        assert_eq!((texts.get(FREE), texts.get(1000)), (None, None));
    }

    #[test]
    fn clear_removes_all_texts() {
        let mut texts = Interner::default();
        assert_eq!((texts.key(""), texts.key("a"), texts.key("")), (0, 1, 0));
        texts.clear();
        assert_eq!((texts.texts(), texts.bytes(), texts.get(0)), (0, 0, None));
        assert_eq!((texts.key("a"), texts.key("")), (0, 1));
    }
}
