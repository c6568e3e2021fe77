//! Repairs text that is nearly JSON, as programs write it that print instead of using a library.
//!
//! - Quotes and control characters in strings, invalid escapes, lone surrogates; strings in single quotes.
//! - Numbers that JSON does not have: `+1`, `.5`, `5.`, `007`, `0x1f`, `1_000`, `2.0f`, and a decimal comma.
//! - Words of other languages: `True`, `None`, `nil`, `undefined`; NaN and infinity, also as C prints them, become null.
//! - Names and values without quotes, missing values, a comma before a closing bracket.
//!
//! What is ambiguous is decided by what can follow: a quote ends a name if a colon follows it. It ends a value if a bracket
//! or the next name follows it.

use super::json_string::{add_string, add_unicode_escape};

/// Repairs text that is nearly JSON. None if there is nothing to repair.
#[cold]
pub(super) fn repair_json(text: &str) -> Option<String> {
    let mut repair =
        JsonRepair { rest: text, out: String::with_capacity(text.len() + 16), open: Vec::new(), place: Place::Value };
    while repair.step() {}
    (repair.out != text).then_some(repair.out)
}

/// What the next token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The name of a member.
    Name,
    Value,
    /// A comma, a colon or a bracket.
    Separator,
}

struct JsonRepair<'a> {
    rest: &'a str,
    out: String,
    /// The open brackets.
    open: Vec<u8>,
    place: Place,
}

impl JsonRepair<'_> {
    /// Repairs the next token. Returns false at the end.
    fn step(&mut self) -> bool {
        let Some(&first) = self.rest.as_bytes().first() else { return false };
        match first {
            b' ' | b'\t' | b'\r' | b'\n' => self.copy(1),
            b'{' | b'[' => {
                self.open.push(first);
                self.place = if first == b'{' { Place::Name } else { Place::Value };
                self.copy(1);
            }
            b'}' | b']' => {
                self.add_missing_value();
                self.open.pop();
                self.place = Place::Separator;
                self.copy(1);
            }
            b',' => {
                self.add_missing_value();
                self.place = if self.in_object() { Place::Name } else { Place::Value };
                match self.rest[1..].trim_start().bytes().next() {
                    Some(b'}' | b']') => {
                        self.place = Place::Separator;
                        self.rest = &self.rest[1..];
                    }
                    _ => self.copy(1),
                }
            }
            b':' if self.place != Place::Value => {
                self.place = Place::Value;
                self.copy(1);
            }
            b'"' | b'\'' => self.repair_string(first),
            _ => match self.rest.chars().next().filter(|char| char.is_whitespace()) {
                // JSON has fewer blanks than Unicode.
                Some(blank) => {
                    self.out.push(' ');
                    self.rest = &self.rest[blank.len_utf8()..];
                }
                None => self.repair_word(),
            },
        }
        true
    }

    fn in_object(&self) -> bool {
        self.open.last() == Some(&b'{')
    }

    fn copy(&mut self, bytes: usize) {
        let (text, rest) = self.rest.split_at(bytes);
        self.out.push_str(text);
        self.rest = rest;
    }

    /// Adds a value after a colon that has none.
    fn add_missing_value(&mut self) {
        if self.place == Place::Value && self.in_object() {
            self.out.push_str("null");
        }
    }

    /// Repairs a string that starts with this quote.
    fn repair_string(&mut self, quote: u8) {
        let is_name = self.place == Place::Name;
        self.place = Place::Separator;
        self.out.push('"');
        self.rest = &self.rest[1..];
        while let Some(char) = self.rest.chars().next() {
            let mut length = char.len_utf8();
            match char {
                _ if char as u32 == u32::from(quote) => {
                    if self.ends_string(&self.rest[1..], is_name) {
                        self.rest = &self.rest[1..];
                        self.out.push('"');
                        return;
                    }
                    self.out.push_str(if quote == b'"' { "\\\"" } else { "'" });
                }
                '"' => self.out.push_str("\\\""),
                '\\' if quote == b'\'' && self.rest.as_bytes().get(1) == Some(&b'\'') => {
                    self.out.push('\'');
                    length = 2;
                }
                '\\' => length = repair_escape(self.rest, &mut self.out),
                _ if char < ' ' => add_unicode_escape(&mut self.out, char as u32),
                _ => self.out.push(char),
            }
            self.rest = &self.rest[length..];
        }
    }

    /// Whether a quote before this text ends a string.
    fn ends_string(&self, after: &str, is_name: bool) -> bool {
        let after = after.trim_start();
        match after.bytes().next() {
            Some(b':') => is_name,
            Some(_) if is_name => false,
            Some(b'}') => self.in_object(),
            Some(b']') => !self.in_object(),
            Some(b',') if self.in_object() => starts_with_name(after[1..].trim_start()),
            None | Some(b',') => true,
            Some(_) => false,
        }
    }

    /// Repairs a number, a word, or a name or text without quotes.
    fn repair_word(&mut self) {
        let is_name = self.place == Place::Name;
        let is_end = |char: char| match char {
            ':' => is_name,
            ',' | '}' | ']' | '\n' | '\r' => true,
            _ => false,
        };
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let word = self.rest[..end].trim_end();
        self.rest = &self.rest[word.len()..];
        self.place = Place::Separator;
        if let Some(value) = repair_value(word).filter(|_| !is_name) {
            self.out.push_str(&value);
            self.join_decimal_comma(word);
        } else {
            add_string(&mut self.out, word);
        }
    }

    /// Joins an integer with the digits after a comma, where the next name should be.
    fn join_decimal_comma(&mut self, word: &str) {
        let is_whole = word.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let Some(fraction) = self.rest.strip_prefix(',').filter(|_| is_whole && self.in_object()) else { return };
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        // Three digits can be thousands.
        let is_fraction = digits > 0 && (digits != 3 || word.trim_start_matches('-') == "0");
        if is_fraction && fraction[digits..].trim_start().starts_with([',', '}']) {
            self.out.push('.');
            self.out.push_str(&fraction[..digits]);
            self.rest = &fraction[digits..];
        }
    }
}

/// Maximum length of the name of a member in bytes, which limits the time that each quote takes.
const MAX_NAME: usize = 1 << 10;

/// Whether a text starts with the name of a member and a colon.
fn starts_with_name(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(MAX_NAME)];
    let Some(quote) = text.chars().next().filter(|char| matches!(char, '"' | '\'')) else {
        // Without quotes, such as `dur: 5`; or a bracket after the comma.
        let word = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        return text.is_empty()
            || text.starts_with(['}', ']'])
            || word > 0 && text[word..].trim_start().starts_with(':');
    };
    let name = text[1..].split_once(['\n', ':']).map_or("", |(name, _)| name);
    // A quote and a comma inside: the text before the comma is in quotes, not a name.
    name.trim_end().ends_with(quote) && !name.split(quote).skip(1).any(|part| part.trim_start().starts_with(','))
}

/// A value of JSON for a word that is not a string; None if it is a text.
fn repair_value(word: &str) -> Option<String> {
    if serde_json::from_str::<serde_json::Value>(word).is_ok() {
        return Some(word.to_owned());
    }
    match word.to_ascii_lowercase().as_str() {
        "true" => Some("true".to_owned()),
        "false" => Some("false".to_owned()),
        "" | "null" | "none" | "nil" | "nullptr" | "undefined" | "n/a" | "na" | "(null)" | "<na>" => {
            Some("null".to_owned())
        }
        lower if is_no_number(lower) => Some("null".to_owned()),
        lower => repair_number(lower),
    }
}

/// NaN and infinity, as Python, JavaScript, and C print them: `nan`, `-Infinity`, `-nan(ind)`, `1.#INF`.
fn is_no_number(word: &str) -> bool {
    let word = word.trim_start_matches(['+', '-']);
    let word = word.split_once('(').filter(|(_, rest)| rest.ends_with(')')).map_or(word, |(word, _)| word);
    let is_of_windows = |(digits, what): (&str, &str)| {
        digits.bytes().all(|byte| byte.is_ascii_digit()) && matches!(what, "inf" | "ind" | "nan" | "qnan" | "snan")
    };
    matches!(word, "nan" | "inf" | "infinity") || word.split_once(".#").is_some_and(is_of_windows)
}

/// A number as JSON has it.
fn repair_number(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(hex) = digits.strip_prefix("0x").filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        return Some(format!("{sign}{}", u64::from_str_radix(hex, 16).ok()?));
    }
    let digits = digits.replace('_', "");
    let suffix = ["ull", "ul", "ll", "f", "l", "u", "n"].into_iter().find(|suffix| digits.ends_with(suffix));
    let digits = &digits[..digits.len() - suffix.map_or(0, str::len)];
    let (mantissa, exponent) = match digits.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, format!("e{exponent}")),
        None => (digits, String::new()),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let number = format!("{sign}{whole}{point}{fraction}{exponent}");
    let has_digit = mantissa.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && serde_json::from_str::<serde_json::Number>(&number).is_ok()).then_some(number)
}

/// Copies the escape that `rest` starts with, and repairs it if it is invalid. Returns its length in `rest`.
fn repair_escape(rest: &str, out: &mut String) -> usize {
    let code_unit = |start: usize| {
        let digits = rest.get(start..start + 6)?.strip_prefix("\\u")?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16))?.ok()
    };
    let (length, escape) = match (rest.as_bytes().get(1), code_unit(0)) {
        (Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'), _) => (2, &rest[..2]),
        (_, Some(0xD800..0xDC00)) if matches!(code_unit(6), Some(0xDC00..0xE000)) => (12, &rest[..12]),
        (_, Some(0xD800..0xE000)) => (6, "\\ufffd"),
        (_, Some(_)) => (6, &rest[..6]),
        (_, None) => (1, "\\\\"),
    };
    out.push_str(escape);
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_repaired(bad: &str, good: &str) {
        assert_eq!(repair_json(bad).as_deref(), Some(good));
        assert!(serde_json::from_str::<serde_json::Value>(good).is_ok(), "{good}");
    }

    #[test]
    fn quotes_and_escapes() {
        assert_repaired("{\"a\":\"x\ty\"}", r#"{"a":"x\u0009y"}"#);
        assert_repaired(r#"{"a":"C:\Users\n"}"#, r#"{"a":"C:\\Users\n"}"#);
        assert_repaired(r#"{"a":"say "hi" now"}"#, r#"{"a":"say \"hi\" now"}"#);
        assert_repaired(r#"{"a":"operator"", "b": 1}"#, r#"{"a":"operator\"", "b": 1}"#);
        assert_repaired(r#"{"k"ey": 1}"#, r#"{"k\"ey": 1}"#);
        assert_repaired(r#"{"a": "x", "y"", "b": 1}"#, r#"{"a": "x\", \"y\"", "b": 1}"#);
        assert_repaired(r#"{"a": "f("x"), {", "b": ["p "q" r", 2]}"#, r#"{"a": "f(\"x\"), {", "b": ["p \"q\" r", 2]}"#);
        assert_repaired(r#"{'a': 'it\'s "x"', 'b': 'don't'}"#, r#"{"a": "it's \"x\"", "b": "don't"}"#);
        assert_repaired(r#"{"a":"\ud83d\ude00 \ud83d!"}"#, r#"{"a":"\ud83d\ude00 \ufffd!"}"#);
        assert_eq!(repair_json(r#"{"NaN":"NaN \" Infinity", "b": [1, "x"]}"#), None);
        assert_eq!(repair_json("{\"a\":\"\\"), Some("{\"a\":\"\\\\".to_owned()));
    }

    #[test]
    fn numbers() {
        for (word, number) in [
            ("+1", "1"),
            (".5", "0.5"),
            ("-.5e3", "-0.5e3"),
            ("5.", "5"),
            ("007", "7"),
            ("000", "0"),
            ("0x7F3a", "32570"),
            ("1_000", "1000"),
            ("2.0f", "2.0"),
            ("5L", "5"),
        ] {
            assert_repaired(&format!("{{\"a\": {word}}}"), &format!("{{\"a\": {number}}}"));
        }
        assert_repaired(r#"{"a": 0,5, "b": -3,25}"#, r#"{"a": 0.5, "b": -3.25}"#);
        // It can be thousands, and no number at all.
        assert_eq!(repair_json(r#"{"a": 1,234}"#).as_deref(), Some(r#"{"a": 1,"234"}"#));
        assert_repaired(r#"{"a": 12full, "b": 0x+1}"#, r#"{"a": "12full", "b": "0x+1"}"#);
        // In a list, a comma separates numbers.
        assert_eq!(repair_json("[0,5]"), None);
    }

    #[test]
    fn words_of_other_languages() {
        for word in [
            "NaN",
            "-nan",
            "-nan(ind)",
            "Infinity",
            "-inf",
            "1.#INF",
            "None",
            "nil",
            "NULL",
            "nullptr",
            "undefined",
            "N/A",
            "",
        ] {
            assert_repaired(&format!("{{\"a\": {word}, \"b\": 1}}"), r#"{"a": null, "b": 1}"#);
        }
        assert_repaired("[NaN, True, False, 1,]", "[null, true, false, 1]");
        assert_repaired("{\"a\": True\u{a0}, \"b\":\u{b}}", r#"{"a": true , "b": null}"#);
        let long = format!("{{{}", "\"a\":\"\",".repeat(1 << 16));
        assert!(repair_json(&long).is_none());
        assert_repaired("{a: 1, b_c: aten::mm, }", r#"{"a": 1, "b_c": "aten::mm" }"#);
    }
}
