//! The checksum of records: CRC-32 with Castagnoli's polynomial (RFC 3720, appendix B.4), a byte at a time.
//!
//! A faster implementation from a crate would not help: event files of scalars are small, and decoding takes longer.

/// The checksum of bytes that arrive in chunks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crc32c(u32);

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte: u32 = 0;
    while byte < 256 {
        let (mut sum, mut bit) = (byte, 0);
        while bit < 8 {
            // the polynomial 0x1edc6f41 with its bits reversed
            sum = (sum >> 1) ^ if sum & 1 == 1 { 0x82f6_3b78 } else { 0 };
            bit += 1;
        }
        table[byte as usize] = sum;
        byte += 1;
    }
    table
};

impl Default for Crc32c {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Crc32c {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 >> 8) ^ TABLE[((self.0 ^ u32::from(*byte)) & 0xff) as usize];
        }
    }

    /// The masked checksum, as records store it: a checksum over bytes that contain checksums is weak.
    pub(super) fn masked(self) -> u32 {
        (!self.0).rotate_right(15).wrapping_add(0xa282_ead8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        let sum = |bytes: &[u8]| {
            let mut sum = Crc32c::default();
            bytes.chunks(5).for_each(|chunk| sum.push(chunk));
            !sum.0
        };
        assert_eq!(sum(b""), 0);
        assert_eq!(sum(b"123456789"), 0xe306_9283);
        assert_eq!(sum(&[0; 32]), 0x8a91_36aa);
        assert_eq!(sum(&[0xff; 32]), 0x62a8_ab43);
    }
}
