//! Encodes values as the bytes of Parquet pages.
//!
//! # Source
//! [Parquet encodings](https://parquet.apache.org/docs/file-format/data-pages/encodings/).

/// Encodes which rows have a value: definition levels of an optional column, after their length.
pub(super) fn levels(out: &mut Vec<u8>, present: &[bool], values: usize) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    if values == 0 || values == present.len() {
        varint(out, (present.len() as u64) << 1);
        out.push(u8::from(values > 0));
    } else {
        varint(out, (present.len().div_ceil(8) as u64) << 1 | 1);
        flags(out, present);
    }
    let length = u32::try_from(out.len() - start - 4).unwrap_or(u32::MAX);
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Encodes flags as bits, the first one in the lowest bit.
pub(super) fn flags(out: &mut Vec<u8>, flags: &[bool]) {
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, flag| byte << 1 | u8::from(*flag));
    let (eights, rest) = flags.as_chunks::<8>();
    out.extend(eights.iter().map(|eight| byte(eight)));
    if !rest.is_empty() {
        out.push(byte(rest));
    }
}

/// Encodes keys of a dictionary with this number of values: their width, then one run.
pub(super) fn keys(out: &mut Vec<u8>, keys: &[i32], values: usize) {
    let width = u64::BITS - (values.saturating_sub(1) as u64).leading_zeros();
    out.push(u8::try_from(width).unwrap_or(u8::MAX));
    let Some(first) = keys.first() else { return };
    if keys.iter().all(|key| key == first) {
        varint(out, (keys.len() as u64) << 1);
        out.extend_from_slice(&first.to_le_bytes()[..width.div_ceil(8) as usize]);
        return;
    }
    let groups = keys.len().div_ceil(8);
    varint(out, (groups as u64) << 1 | 1);
    let end = out.len() + groups * width as usize;
    pack(out, keys.iter().map(|key| u64::from(key.cast_unsigned())), width);
    out.resize(end, 0);
}

const BLOCK: usize = 128;
const MINIBLOCK: usize = 32;

/// Encodes integers as differences (`DELTA_BINARY_PACKED`).
pub(super) fn integers(out: &mut Vec<u8>, values: &[i64]) {
    varint(out, BLOCK as u64);
    varint(out, (BLOCK / MINIBLOCK) as u64);
    varint(out, values.len() as u64);
    let (first, rest) = values.split_first().map_or((0, values), |(first, rest)| (*first, rest));
    varint(out, zigzag(first));
    let mut last = first;
    let mut deltas = [0_i64; BLOCK];
    for block in rest.chunks(BLOCK) {
        let mut min = i64::MAX;
        for (delta, value) in deltas.iter_mut().zip(block) {
            *delta = value.wrapping_sub(last);
            min = min.min(*delta);
            last = *value;
        }
        // The padding of the last block takes no bits.
        deltas[block.len()..].fill(min);
        varint(out, zigzag(min));
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
        let used = block.len().div_ceil(MINIBLOCK);
        for (miniblock, deltas) in deltas.chunks_exact(MINIBLOCK).take(used).enumerate() {
            let above = |delta: &i64| delta.wrapping_sub(min).cast_unsigned();
            let width = u64::BITS - deltas.iter().fold(0, |bits, delta| bits | above(delta)).leading_zeros();
            out[widths + miniblock] = u8::try_from(width).unwrap_or(u8::MAX);
            pack(out, deltas.iter().map(above), width);
        }
    }
}

/// Encodes floating-point numbers (`PLAIN`).
pub(super) fn doubles(out: &mut Vec<u8>, values: &[f64]) {
    out.reserve(values.len() * 8);
    for value in values {
        out.extend_from_slice(&value.to_le_bytes());
    }
}

/// Encodes texts, each after its length (`PLAIN`).
pub(super) fn texts<'a>(out: &mut Vec<u8>, texts: impl Iterator<Item = &'a str>) {
    for text in texts {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends the lowest `width` bits of each value, from the lowest bit.
fn pack(out: &mut Vec<u8>, values: impl Iterator<Item = u64>, width: u32) {
    if width == 0 {
        return;
    }
    let (mut word, mut bits) = (0_u64, 0);
    for value in values {
        word |= value << bits;
        bits += width;
        if bits >= u64::BITS {
            out.extend_from_slice(&word.to_le_bytes());
            bits -= u64::BITS;
            // The bits that did not fit; none if the value ended with the word.
            word = if bits == 0 { 0 } else { value >> (width - bits) };
        }
    }
    out.extend_from_slice(&word.to_le_bytes()[..bits.div_ceil(8) as usize]);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}
