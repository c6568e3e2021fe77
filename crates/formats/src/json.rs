//! Reads the members of a JSON object, borrowed from its text, without a tree of values.
//!
//! Profilers do not always write valid JSON. Python writes NaN, Windows paths have single backslashes, and
//! names have control characters. [`repair_json`] repairs such text, outside of the fast path.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

pub use super::json_string::add_string;
use super::position::Position;
use super::repair::repair_json;
use super::scanner::{Scanner, plain_length};
use crate::table::Rows;

/// Calls `each` with the name and the raw text of every member of the object `text`, in order.
///
/// A name can occur twice: the caller uses the last one, as Python does. If the text is invalid, `each` is
/// called for the members before the error.
#[doc(hidden)]
pub fn visit_members<'a>(text: &'a str, mut each: impl FnMut(&str, &'a str)) -> serde_json::Result<()> {
    let mut scanner = Scanner::new(text, 0);
    let mut count = 0_usize;
    let is_plain = scanner.skip_blanks().is_some()
        && scanner
            .read_object(0, &mut |key, raw| {
                count += 1;
                each(key, raw);
            })
            .is_some();
    if is_plain && scanner.skip_blanks().is_none() {
        return Ok(());
    }
    // `serde_json` reads the members after those that the scanner has read.
    parse_members(text, |key, raw| match count.checked_sub(1) {
        Some(rest) => count = rest,
        None => each(key, raw),
    })
}

/// The value of a member of the object `text`. A string has neither quotes nor escapes, and other JSON has no
/// blanks, because writers differ in them. None if the member is missing or null, or if `text` is not an
/// object. The last member of a name counts.
#[doc(hidden)]
pub fn member_value<'a>(text: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut last = None;
    let result = visit_members(text, |key, raw| {
        if key == name {
            last = Some(raw);
        }
    });
    let raw = last.filter(|raw| result.is_ok() && *raw != "null")?;
    Some(unquote(raw).unwrap_or_else(|| compact(raw)))
}

/// Removes blanks between the tokens of JSON.
pub(super) fn compact(raw: &str) -> Cow<'_, str> {
    if !raw.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return Cow::Borrowed(raw);
    }
    let (mut in_string, mut is_escaped) = (false, false);
    let compact = raw.chars().filter(|letter| {
        in_string ^= *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        in_string || !letter.is_ascii_whitespace()
    });
    Cow::Owned(compact.collect())
}

/// [`visit_members`] of any valid JSON. The error says what is wrong with the text.
#[cold]
fn parse_members<'a>(text: &'a str, each: impl FnMut(&str, &'a str)) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(MembersVisitor(each))?;
    json.end()
}

struct MembersVisitor<F>(F);

impl<'de, F: FnMut(&str, &'de str)> Visitor<'de> for MembersVisitor<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(MemberKey(key)) = map.next_key()? {
            let value: &'de RawValue = map.next_value()?;
            (self.0)(&key, value.get());
        }
        Ok(())
    }
}

/// The name of a member. Borrowed unless it has escapes (serde copies a plain `Cow`).
#[derive(Deserialize)]
struct MemberKey<'a>(#[serde(borrow)] Cow<'a, str>);

/// The text of a raw JSON string, without quotes and escapes. None if `raw` is not a string.
#[doc(hidden)]
pub fn unquote(raw: &str) -> Option<Cow<'_, str>> {
    unquote_or_repair(raw).map(|(text, _)| text)
}

/// [`unquote`], and whether the string had to be repaired.
#[inline]
pub(super) fn unquote_or_repair(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    let inner = inside_quotes(raw)?;
    if plain_length(inner.as_bytes()) == inner.len() || !inner.contains('\\') {
        return Some((Cow::Borrowed(inner), false));
    }
    unescape(raw)
}

#[cold]
fn unescape(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    if let Ok(text) = serde_json::from_str(raw) {
        return Some((Cow::Owned(text), false));
    }
    let text = serde_json::from_str(&repair_json(raw)?).ok()?;
    Some((Cow::Owned(text), true))
}

/// The text of a number, which may have quotes around it.
pub(super) fn number_text(raw: &str) -> &str {
    let text = inside_quotes(raw).unwrap_or(raw);
    match text.as_bytes() {
        [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

fn inside_quotes(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// Adds a member to an object that is being written. `out` is empty or starts with `{`, and the caller
/// closes the object. `raw` must be JSON.
pub(super) fn add_member(out: &mut String, key: &str, raw: &str) {
    out.push(if out.is_empty() { '{' } else { ',' });
    add_string(out, key);
    out.push(':');
    out.push_str(raw);
}

/// Parses a text, or the repaired text if it is not valid JSON, which is reported. `repaired` becomes the storage of the
/// repaired text.
pub(super) fn parse_or_repair<'a, T>(
    text: &'a str,
    repaired: &'a mut String,
    parse: impl Fn(&'a str) -> serde_json::Result<T>,
    place: Position,
    rows: &mut Rows,
) -> serde_json::Result<T> {
    let error = match parse(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let Some(text) = repair_json(text) else { return Err(error) };
    *repaired = text;
    let Ok(value) = parse(repaired.as_str()) else { return Err(error) };
    place.repair(rows, "repaired", || format!("not valid JSON ({error}); read anyway"));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::{ParsedInteger, parse_scaled};
    use crate::scanner::MemberName;

    #[test]
    fn members_are_raw_and_in_order() {
        let mut all = Vec::new();
        visit_members(r#" {"a": 1.50, "b\u0062": {"x": [1, 2]}, "a": "t"} "#, |key, raw| {
            all.push((key.to_owned(), raw));
        })
        .unwrap();
        let expected = [("a", "1.50"), ("bb", r#"{"x": [1, 2]}"#), ("a", r#""t""#)];
        assert_eq!(all, expected.map(|(key, raw)| (key.to_owned(), raw)));
        assert!(visit_members("[1]", |_, _| ()).is_err());
        assert!(visit_members(r#"{"a": 1} x"#, |_, _| ()).is_err());
    }

    #[test]
    fn unquote_removes_quotes_and_escapes() {
        assert_eq!(unquote(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert!(matches!(unquote(r#""plain""#), Some(Cow::Borrowed("plain"))));
        assert_eq!(unquote("12"), None);
        assert_eq!(unquote(r#""\ud800""#).as_deref(), Some("\u{fffd}"));
    }

    /// The members that a function reads, and its error.
    type MembersAndError = (Vec<(String, String)>, Option<String>);

    fn collect(read: impl FnOnce(&mut dyn FnMut(&str, &str)) -> serde_json::Result<()>) -> MembersAndError {
        let mut members = Vec::new();
        let result = read(&mut |key, raw| members.push((key.to_owned(), raw.to_owned())));
        (members, result.err().map(|error| error.to_string()))
    }

    /// Asserts that the scanner and `serde_json` read the same, and returns it.
    fn check_agreement(text: &str) -> MembersAndError {
        let ours = collect(|each| visit_members(text, |key, raw| each(key, raw)));
        assert_eq!(ours, collect(|each| parse_members(text, |key, raw| each(key, raw))), "{text}");
        ours
    }

    #[test]
    fn the_scanner_gives_up_on_invalid_json() {
        for value in [
            "01",
            "-",
            "-01",
            "1.",
            "1.e5",
            "1e",
            "1e+",
            ".5",
            "+1",
            "tru",
            "truex",
            "nul",
            "NaN",
            "Infinity",
            "'a'",
            "\"a\tb\"",
            "\"a\u{0}\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u12\"",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\" 1}",
            "]",
            "[}",
            "[1",
            "\"a",
            "",
            "1 2",
            "0x1F",
            "\u{a0}1",
            "1,",
        ] {
            for text in [format!("{{\"x\":1,\"k\": {value} }}"), format!("{{\"k\":[0,{value}],\"y\":2}}")] {
                assert!(check_agreement(&text).1.is_some(), "{text}");
                assert!(Scanner::new(&text, 0).read_object(0, &mut |_, _| ()).is_none(), "{text}");
            }
        }
        for text in ["", " ", "{", "{}", " {} ", "{}x", "{\"a\":1}{}", "[1]", "{,}", "{\"a\":1,}", "\u{feff}{}"] {
            check_agreement(text);
        }
        let deep = |depth| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        for depth in [0, 1, 31, 32, 33, 34, 127, 128, 200] {
            check_agreement(&deep(depth));
        }
    }

    #[test]
    fn the_scanner_reads_typical_json() {
        let text =
            r#"{"name": "a\n\u00e9é", "ts": -12.5e+3, "args": {"a": [1, {"b": null}], "": true}, "x":[],"y":{} }"#;
        let mut all = Vec::new();
        let mut scanner = Scanner::new(text, 0);
        assert!(scanner.read_object(0, &mut |key, raw| all.push((key.to_owned(), raw.to_owned()))).is_some());
        assert_eq!((scanner.pos, all.len()), (text.len(), 5));
        assert_eq!(all, check_agreement(text).0);
        let mut scanner = Scanner::new(text, 0);
        let mut more = scanner.enter_object().unwrap();
        let mut one_by_one = Vec::new();
        while more {
            let (name, first) = scanner.read_name().unwrap();
            assert_eq!(name.word, MemberName::word(name.bytes));
            one_by_one.push((name.text().to_owned(), scanner.read_value(first).unwrap().text.to_owned()));
            more = scanner.end_member().unwrap();
        }
        assert_eq!(one_by_one, all);
    }

    #[test]
    fn short_names_are_words() {
        assert_eq!(MemberName::word(b"ts"), 0x7374);
        assert_eq!(MemberName::word(b""), 0);
        assert_eq!(MemberName::word(b"abcdefg"), 0x67_6665_6463_6261);
        assert_eq!(MemberName::word(b"abcdefgh"), 0x6867_6665_6463_6261);
        assert_eq!(MemberName::word(b"abcdefghi"), 0x6867_6665_6463_6261);
    }

    fn blank() -> impl Strategy<Value = &'static str> {
        prop_oneof![8 => Just(""), 4 => Just(" "), 1 => Just("\n"), 1 => Just("\t\r\n  "), 1 => Just("\u{b}")]
    }

    fn string() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            6 => "[a-z_ .0-9]{1,12}",
            1 => "[é漢😀\u{7f}\u{a0}]{1,3}",
            2 => r#"\\["\\/bfnrt]"#,
            1 => "\\\\u[0-9a-fA-F]{4}",
            1 => Just(r"\ud83d\ude00".to_owned()),
        ];
        proptest::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
    }

    fn value() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            3 => "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
            3 => string(),
            1 => prop_oneof![Just("true"), Just("false"), Just("null")].prop_map(str::to_owned),
            1 => "[-+.0-9eENaInfity]{0,6}",
        ];
        scalar.prop_recursive(4, 20, 4, |inner| {
            prop_oneof![
                object(inner.clone()),
                proptest::collection::vec((blank(), inner, blank()), 0..4).prop_map(|items| {
                    let items: Vec<_> = items.into_iter().map(|(a, item, b)| format!("{a}{item}{b}")).collect();
                    format!("[{}]", items.join(","))
                }),
            ]
        })
    }

    fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        let key = prop_oneof![
            3 => proptest::sample::select(vec!["ph", "ts", "args", "name", "Type"]).prop_map(|key| format!("\"{key}\"")),
            1 => string(),
        ];
        let member = (blank(), key, blank(), blank(), value, blank());
        (blank(), proptest::collection::vec(member, 0..6)).prop_map(|(start, members)| {
            let members: Vec<_> =
                members.into_iter().map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}")).collect();
            format!("{{{start}{}}}", members.join(","))
        })
    }

    proptest! {
        #[test]
        fn numbers_are_parsed_while_they_are_skipped(
            whole in "0|[1-9][0-9]{0,19}",
            rest in "(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,2})?",
            next in "[,} \n]",
        ) {
            let number = format!("{whole}{rest}");
            let text = format!("{{\"k\":{number}{next} \"x\": [\"0123456789\"]");
            let mut scanner = Scanner::new(&text, 0);
            scanner.enter_object().unwrap();
            let (_, first) = scanner.read_name().unwrap();
            let value = scanner.read_value(first).unwrap();
            prop_assert_eq!(value.text, &number);
            if let Some(integer) = value.integer() {
                prop_assert_eq!(integer.to_string(), number.clone());
            }
            if let Some(parsed) = value.times_thousand() {
                prop_assert_eq!(ParsedInteger::Is(parsed), parse_scaled(&number, 3));
            }
            // The scanner parses numbers of few digits itself.
            let has_few_digits = whole.len() <= 15 && rest.len() <= 4 && !rest.contains(['e', 'E']);
            prop_assert!(value.times_thousand().is_some() || !has_few_digits, "{number}");
            prop_assert_eq!(value.integer().is_some(), rest.is_empty() && whole.len() <= 16, "{}", number);
        }

        #[test]
        fn the_scanner_and_serde_json_agree(
            text in object(value()),
            around in (blank(), blank()),
            cut in proptest::option::weighted(0.3, any::<proptest::sample::Index>()),
            flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..3),
        ) {
            let mut bytes = format!("{}{text}{}", around.0, around.1).into_bytes();
            check_agreement(str::from_utf8(&bytes).unwrap());
            for (index, byte) in flips {
                let index = index.index(bytes.len());
                // Half of them are bytes with a meaning in JSON.
                let syntax = b"\"\\{}[],: \n01.e-tn";
                bytes[index] = if byte < 128 { syntax[usize::from(byte) % syntax.len()] } else { byte & 127 };
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            check_agreement(&String::from_utf8_lossy(&bytes));
        }
    }
}
