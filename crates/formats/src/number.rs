//! Converts decimal text to integers, exactly: no value becomes a double.
//!
//! Profilers write times as decimal seconds or microseconds (`1591748109.2321954`, `5.25`, `1e3`). As
//! doubles, the largest of them would be wrong by hundreds of nanoseconds.

use std::str::FromStr;

use super::scanner::{digit_bits, parse_digits};

/// The result of parsing a text as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParsedInteger {
    /// The integer.
    Is(i64),
    /// A number that does not fit in 64 bits.
    OutOfRange,
    /// Not a number.
    Not,
}

impl ParsedInteger {
    /// The integer, if there is one.
    pub(super) fn value(self) -> Option<i64> {
        match self {
            Self::Is(value) => Some(value),
            Self::OutOfRange | Self::Not => None,
        }
    }
}

/// `text` times ten to the power of `scale`, rounded towards zero.
///
/// Scale 3 converts microseconds to nanoseconds, scale 9 seconds to nanoseconds.
pub(super) fn parse_scaled(text: &str, scale: u32) -> ParsedInteger {
    let (is_negative, digits) = split_sign(text.as_bytes());
    match parse_plain(digits, scale) {
        Some(value) => ParsedInteger::Is(if is_negative { -value } else { value }),
        None => parse_general(is_negative, digits, scale),
    }
}

/// Whether a number is negative, and its bytes without sign.
fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    }
}

/// `text` times ten to the power of `scale`, rounded to the nearest integer, halves away from zero.
pub(super) fn parse_rounded(text: &str, scale: u32) -> ParsedInteger {
    match parse_scaled(text, scale + 1) {
        ParsedInteger::Is(tenfold) => ParsedInteger::Is(tenfold / 10 + (tenfold % 10) / 5),
        // If one more digit does not fit, there is nothing to round.
        ParsedInteger::OutOfRange => parse_scaled(text, scale),
        ParsedInteger::Not => ParsedInteger::Not,
    }
}

/// Returns true if a text has at least one digit and nothing else.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that a text starts with, without a sign.
pub(super) fn leading_number<T: FromStr>(text: &str) -> Option<T> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Decimal seconds in ns, rounded. None if `text` is not a number, or if it does not fit in 64 bits of ns.
pub(super) fn seconds(text: &str) -> Option<i64> {
    parse_rounded(text, 9).value()
}

/// The integer that a float represents exactly; `None` if there is none.
pub(super) fn exact_int(float: f64) -> Option<i64> {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    (float.fract() == 0.0 && float.abs() <= MAX_EXACT).then_some(float as i64)
}

/// Parses the common case: at most 18 digits before the point, no exponent, and a result that fits.
fn parse_plain(digits: &[u8], scale: u32) -> Option<i64> {
    let mut value: i64 = 0;
    let mut pos = 0;
    if let Some(eight) = digits.first_chunk::<8>().and_then(|text| parse_eight_digits(u64::from_le_bytes(*text))) {
        (value, pos) = (eight, 8);
    }
    while let Some(digit) = digit(digits, pos) {
        value = value.wrapping_mul(10).wrapping_add(digit);
        pos += 1;
    }
    if pos == 0 || pos > 18 {
        return None;
    }
    let mut places_left = scale;
    if digits.get(pos) == Some(&b'.') {
        pos += 1;
        let fraction = pos;
        let mut digits_left = 18 - fraction.min(18);
        while let Some(digit) = digit(digits, pos) {
            if places_left > 0 {
                digits_left = digits_left.checked_sub(1)?;
                value = value * 10 + digit;
                places_left -= 1;
            }
            pos += 1;
        }
        if pos == fraction {
            return None;
        }
    }
    if pos != digits.len() {
        return None;
    }
    value.checked_mul(10_i64.checked_pow(places_left)?)
}

/// The number of eight digits, the first one in the lowest byte.
fn parse_eight_digits(text: u64) -> Option<i64> {
    (digit_bits(text) == u64::BITS).then(|| parse_digits(text, u64::BITS))
}

fn digit(text: &[u8], pos: usize) -> Option<i64> {
    let digit = text.get(pos)?.wrapping_sub(b'0');
    (digit < 10).then(|| i64::from(digit))
}

/// Parses any decimal: moves the point within the digits, and reads the digits before it.
fn parse_general(is_negative: bool, text: &[u8], scale: u32) -> ParsedInteger {
    let mut parts = text.splitn(2, |byte| byte.eq_ignore_ascii_case(&b'e'));
    let mantissa = parts.next().unwrap_or_default();
    let Some(exponent) = parts.next().map_or(Some(0), parse_exponent) else { return ParsedInteger::Not };
    let mut parts = mantissa.splitn(2, |byte| *byte == b'.');
    let whole = parts.next().unwrap_or_default();
    let fraction = parts.next().unwrap_or_default();
    let digits = || whole.iter().chain(fraction);
    if digits().next().is_none() || !digits().all(u8::is_ascii_digit) {
        return ParsedInteger::Not;
    }
    let zeros = digits().take_while(|digit| **digit == b'0').count();
    if zeros == whole.len() + fraction.len() {
        return ParsedInteger::Is(0);
    }
    // Number of significant digits before the moved point.
    let places = i64::try_from(whole.len()).unwrap_or(i64::MAX) - i64::try_from(zeros).unwrap_or(0);
    let places = places.saturating_add(exponent).saturating_add(i64::from(scale));
    if places <= 0 {
        return ParsedInteger::Is(0);
    }
    if places > 19 {
        return ParsedInteger::OutOfRange;
    }
    let mut value: i128 = 0;
    let mut significant = digits().skip(zeros);
    for _ in 0..places {
        value = value * 10 + significant.next().map_or(0, |digit| i128::from(*digit - b'0'));
    }
    i64::try_from(if is_negative { -value } else { value }).map_or(ParsedInteger::OutOfRange, ParsedInteger::Is)
}

/// Parses the exponent. Its absolute value is limited to 2^40, which is out of range in any case.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = split_sign(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(*digit - b'0')).min(1 << 40));
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_are_exact() {
        for (text, ns) in [
            ("5", 5_000),
            ("5.25", 5_250),
            ("1712195495519689.047", 1_712_195_495_519_689_047),
            ("1600000200000000", 1_600_000_200_000_000_000),
            ("-0.5", -500),
            ("1e3", 1_000_000),
            ("1.5E-2", 15),
            ("0.0009", 0),
            ("0e99999999999999999999", 0),
            ("1e-99999999999999999999", 0),
            ("9223372036854775.807", i64::MAX),
            ("-9223372036854775.808", i64::MIN),
            ("00000000000000000000000000000007", 7_000),
        ] {
            assert_eq!(parse_scaled(text, 3), ParsedInteger::Is(ns), "{text}");
        }
    }

    #[test]
    fn seconds_are_exact() {
        assert_eq!(parse_scaled("1591748109.2321954", 9), ParsedInteger::Is(1_591_748_109_232_195_400));
        assert_eq!(parse_scaled("1600000201", 9), ParsedInteger::Is(1_600_000_201_000_000_000));
        assert_eq!(parse_scaled("1600000201.0", 9), ParsedInteger::Is(1_600_000_201_000_000_000));
        assert_eq!(parse_scaled("1.1234567899", 9), ParsedInteger::Is(1_123_456_789));
        assert_eq!(parse_scaled("-1.1234567899", 9), ParsedInteger::Is(-1_123_456_789));
    }

    #[test]
    fn values_are_rounded_to_the_nearest() {
        for (text, ns) in [
            ("0.09709522499997547", 97_095_225),
            ("0.097095225", 97_095_225),
            ("9.5367431640625e-07", 954),
            ("1.5e-9", 2),
            ("1.4999e-9", 1),
            ("-1.5e-9", -2),
            ("0", 0),
            ("5000000000", 5_000_000_000_000_000_000),
        ] {
            assert_eq!(seconds(text), Some(ns), "{text}");
        }
        assert_eq!(parse_rounded("12.5", 6), ParsedInteger::Is(12_500_000));
        for text in ["NaN", "Infinity", "", "1e300", "0,5"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn invalid_numbers_and_overflow_are_errors() {
        for text in ["9223372036854775.808", "1e30", "99999999999999999999", "1e99999999999999999999"] {
            assert_eq!(parse_scaled(text, 3), ParsedInteger::OutOfRange, "{text}");
        }
        for text in ["", "-", "x", "1x", "1.2.3", "1e", "e5", "0x10", "NaN", "."] {
            assert_eq!(parse_scaled(text, 3), ParsedInteger::Not, "{text}");
        }
    }

    #[test]
    fn the_plain_parser_agrees_with_the_general_one() {
        for text in [
            "0",
            "12345678",
            "1234567/",
            "1234567:",
            "987654321.5",
            "0000000000012.25",
            "7.5",
            "123456789012345678",
            "1234567890.123456789",
            "0.000001",
            "3.",
        ] {
            for scale in [0, 3, 9] {
                if let Some(value) = parse_plain(text.as_bytes(), scale) {
                    let general = parse_general(false, text.as_bytes(), scale);
                    assert_eq!(general, ParsedInteger::Is(value), "{text} {scale}");
                }
            }
        }
    }
}
