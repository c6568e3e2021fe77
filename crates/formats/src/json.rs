//! Members of a JSON object, borrowed from its text; nothing is built.
//!
//! What profilers write is not always JSON: Python writes NaN, Windows paths come with bare
//! backslashes, names hold control characters. [`mend`] rewrites such text, off the fast path.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scanner::{Scanner, plain_string};

/// Calls `each` with the name and the raw text of every member of the object `text`, in order.
///
/// A name may come twice: the caller keeps the last, as Python does. On an error some members have
/// been seen already.
#[doc(hidden)]
pub fn members<'a>(text: &'a str, mut each: impl FnMut(&str, &'a str)) -> serde_json::Result<()> {
    let mut scanner = Scanner::new(text, 0);
    let mut seen = 0_usize;
    let plain = scanner.blank().is_some()
        && scanner.object(&mut |key, raw| {
            seen += 1;
            each(key, raw);
        });
    if plain && scanner.blank().is_none() {
        return Ok(());
    }
    // `serde_json` goes on where the scanner stopped
    any_members(text, |key, raw| match seen.checked_sub(1) {
        Some(rest) => seen = rest,
        None => each(key, raw),
    })
}

/// What stands under a name in the object `text`: a text without its quotes and escapes, everything else without blanks,
/// which writers set differently. None if there is no such member, if it is null, or if `text` is no object. The last one
/// of several counts.
#[doc(hidden)]
pub fn member<'a>(text: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut found = None;
    let read = members(text, |key, raw| {
        if key == name {
            found = Some(raw);
        }
    });
    let raw = found.filter(|raw| read.is_ok() && *raw != "null")?;
    Some(unquote(raw).unwrap_or_else(|| compact(raw)))
}

/// The same JSON without blanks between its tokens.
pub(super) fn compact(raw: &str) -> Cow<'_, str> {
    if !raw.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return Cow::Borrowed(raw);
    }
    let (mut inside, mut escaped) = (false, false);
    let kept = raw.chars().filter(|letter| {
        inside ^= *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        inside || !letter.is_ascii_whitespace()
    });
    Cow::Owned(kept.collect())
}

/// [`members`] of any JSON; says what is wrong with the text.
#[cold]
fn any_members<'a>(text: &'a str, each: impl FnMut(&str, &'a str)) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(Members(each))?;
    json.end()
}

struct Members<F>(F);

impl<'de, F: FnMut(&str, &'de str)> Visitor<'de> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            let value: &'de RawValue = map.next_value()?;
            (self.0)(&key, value.get());
        }
        Ok(())
    }
}

/// The name of a member; borrowed unless it holds escapes (`Cow` alone would always copy).
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        json.deserialize_str(Text)
    }
}

/// What a raw string says, without quotes and escapes; none if `raw` is no string.
#[doc(hidden)]
pub fn unquote(raw: &str) -> Option<Cow<'_, str>> {
    unquote_told(raw).map(|(text, _)| text)
}

/// [`unquote`], and whether the string had to be mended.
#[inline]
pub(super) fn unquote_told(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    let inner = inside_quotes(raw)?;
    if plain_string(inner.as_bytes()) == inner.len() || !inner.contains('\\') {
        return Some((Cow::Borrowed(inner), false));
    }
    escaped(raw)
}

#[cold]
fn escaped(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    if let Ok(text) = serde_json::from_str(raw) {
        return Some((Cow::Owned(text), false));
    }
    let text = serde_json::from_str(&mend(raw)?).ok()?;
    Some((Cow::Owned(text), true))
}

/// The text of a number that may stand in quotes.
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

/// Adds a member to an object that is being written: `out` is empty or begins with `{`, and the
/// caller closes it. `raw` must be JSON.
pub(super) fn add_member(out: &mut String, key: &str, raw: &str) {
    out.push(if out.is_empty() { '{' } else { ',' });
    add_string(out, key);
    out.push(':');
    out.push_str(raw);
}

/// Adds `text` as a JSON string.
#[doc(hidden)]
pub fn add_string(out: &mut String, text: &str) {
    out.push('"');
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.push_str(text);
    } else {
        for char in text.chars() {
            match char {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                char if char < ' ' => unicode_escape(out, char as u32),
                char => out.push(char),
            }
        }
    }
    out.push('"');
}

fn unicode_escape(out: &mut String, code: u32) {
    // writing to a String cannot fail
    let _ = write!(out, "\\u{code:04x}");
}

/// Text that is nearly JSON made JSON: NaN, Infinity and N/A become null; control characters, wrong escapes
/// and quotes inside strings are escaped, lone surrogates become U+FFFD; a comma before a closing bracket is
/// left out. None if nothing was to mend.
///
/// A quote ends a string if what follows it can follow a string.
#[cold]
pub(super) fn mend(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut changed = false;
    let mut in_string = false;
    while let Some(char) = rest.chars().next() {
        let mut taken = char.len_utf8();
        match char {
            '"' if in_string
                && !matches!(rest[1..].trim_start().bytes().next(), None | Some(b',' | b':' | b'}' | b']')) =>
            {
                out.push_str("\\\"");
                changed = true;
            }
            '"' => {
                in_string = !in_string;
                out.push('"');
            }
            '\\' if in_string => {
                taken = escape(rest, &mut out, &mut changed);
            }
            char if in_string && char < ' ' => {
                unicode_escape(&mut out, char as u32);
                changed = true;
            }
            char if in_string => out.push(char),
            ',' if rest[1..].trim_start().starts_with(['}', ']']) => changed = true,
            char => {
                let words = ["NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf", "N/A"];
                let word = words.into_iter().find(|w| rest.starts_with(w));
                if let Some(word) = word {
                    out.push_str("null");
                    taken = word.len();
                    changed = true;
                } else {
                    out.push(char);
                }
            }
        }
        rest = &rest[taken..];
    }
    changed.then_some(out)
}

/// Copies the escape that `rest` begins with, mended if need be; says how long it was.
fn escape(rest: &str, out: &mut String, changed: &mut bool) -> usize {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 6)?.strip_prefix("\\u")?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16))?.ok()
    };
    match (rest.as_bytes().get(1), unit(0)) {
        (Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'), _) => {
            out.push_str(&rest[..2]);
            2
        }
        (_, Some(0xD800..0xDC00)) if matches!(unit(6), Some(0xDC00..0xE000)) => {
            out.push_str(&rest[..12]);
            12
        }
        (_, Some(0xD800..0xE000)) => {
            out.push_str("\\ufffd");
            *changed = true;
            6
        }
        (_, Some(_)) => {
            out.push_str(&rest[..6]);
            6
        }
        (_, None) => {
            out.push_str("\\\\");
            *changed = true;
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::{Number, scaled};
    use crate::scanner::Name;

    #[test]
    fn members_are_raw_and_in_order() {
        let mut seen = Vec::new();
        members(r#" {"a": 1.50, "b\u0062": {"x": [1, 2]}, "a": "t"} "#, |key, raw| {
            seen.push((key.to_owned(), raw));
        })
        .unwrap();
        let expected = [("a", "1.50"), ("bb", r#"{"x": [1, 2]}"#), ("a", r#""t""#)];
        assert_eq!(seen, expected.map(|(key, raw)| (key.to_owned(), raw)));
        assert!(members("[1]", |_, _| ()).is_err());
        assert!(members(r#"{"a": 1} x"#, |_, _| ()).is_err());
    }

    #[test]
    fn mend_makes_json() {
        for (bad, good) in [
            (r#"{"a":NaN,"b":[-Infinity,Infinity]}"#, r#"{"a":null,"b":[null,null]}"#),
            ("{\"a\":\"x\ty\"}", r#"{"a":"x\u0009y"}"#),
            (r#"{"a":"C:\Users\n"}"#, r#"{"a":"C:\\Users\n"}"#),
            (r#"{"a":"say "hi" now", "b":[inf, N/A,] ,}"#, r#"{"a":"say \"hi\" now", "b":[null, null] }"#),
            (r#"{"a":"\ud83d\ude00 \ud83d!"}"#, r#"{"a":"\ud83d\ude00 \ufffd!"}"#),
        ] {
            assert_eq!(mend(bad).as_deref(), Some(good));
            assert!(serde_json::from_str::<serde_json::Value>(good).is_ok());
        }
        assert_eq!(mend(r#"{"NaN":"NaN \" Infinity"}"#), None);
        assert_eq!(mend("{\"a\":\"\\"), Some("{\"a\":\"\\\\".to_owned()));
    }

    #[test]
    fn strings_come_out_of_their_quotes() {
        assert_eq!(unquote(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert!(matches!(unquote(r#""plain""#), Some(Cow::Borrowed("plain"))));
        assert_eq!(unquote("12"), None);
        assert_eq!(unquote(r#""\ud800""#).as_deref(), Some("\u{fffd}"));
    }

    /// What a reader of members gives: the members, and the error if there was one.
    type Seen = (Vec<(String, String)>, Option<String>);

    fn seen(read: impl FnOnce(&mut dyn FnMut(&str, &str)) -> serde_json::Result<()>) -> Seen {
        let mut members = Vec::new();
        let result = read(&mut |key, raw| members.push((key.to_owned(), raw.to_owned())));
        (members, result.err().map(|error| error.to_string()))
    }

    fn same(text: &str) -> Seen {
        let ours = seen(|each| members(text, |key, raw| each(key, raw)));
        assert_eq!(ours, seen(|each| any_members(text, |key, raw| each(key, raw))), "{text}");
        ours
    }

    #[test]
    fn the_scanner_gives_up_on_what_is_no_json() {
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
                assert!(same(&text).1.is_some(), "{text}");
                let scanned = Scanner::new(&text, 0).object(&mut |_, _| ());
                assert!(!scanned, "{text}");
            }
        }
        for text in ["", " ", "{", "{}", " {} ", "{}x", "{\"a\":1}{}", "[1]", "{,}", "{\"a\":1,}", "\u{feff}{}"] {
            same(text);
        }
        let deep = |depth| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        for depth in [0, 1, 31, 32, 33, 34, 127, 128, 200] {
            same(&deep(depth));
        }
    }

    #[test]
    fn the_scanner_reads_what_is_usual() {
        let text =
            r#"{"name": "a\n\u00e9é", "ts": -12.5e+3, "args": {"a": [1, {"b": null}], "": true}, "x":[],"y":{} }"#;
        let mut found = Vec::new();
        let mut scanner = Scanner::new(text, 0);
        assert!(scanner.object(&mut |key, raw| found.push((key.to_owned(), raw.to_owned()))));
        assert_eq!((scanner.at(), found.len()), (text.len(), 5));
        assert_eq!(found, same(text).0);
        let mut scanner = Scanner::new(text, 0);
        let mut more = scanner.enter().unwrap();
        let mut one_by_one = Vec::new();
        while more {
            let (name, first) = scanner.name().unwrap();
            assert_eq!(name.word, Name::word(name.bytes));
            one_by_one.push((name.text().to_owned(), scanner.value(first).unwrap().text.to_owned()));
            more = scanner.more().unwrap();
        }
        assert_eq!(one_by_one, found);
    }

    #[test]
    fn short_names_are_words() {
        assert_eq!(Name::word(b"ts"), 0x7374);
        assert_eq!(Name::word(b""), 0);
        assert_eq!(Name::word(b"abcdefg"), 0x67_6665_6463_6261);
        assert_eq!(Name::word(b"abcdefgh"), 0x6867_6665_6463_6261);
        assert_eq!(Name::word(b"abcdefghi"), 0x6867_6665_6463_6261);
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
        fn numbers_are_read_while_they_are_passed_over(
            whole in "0|[1-9][0-9]{0,19}",
            rest in "(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,2})?",
            behind in "[,} \n]",
        ) {
            let number = format!("{whole}{rest}");
            let text = format!("{{\"k\":{number}{behind} \"x\": [\"0123456789\"]");
            let mut scanner = Scanner::new(&text, 0);
            scanner.enter().unwrap();
            let (_, first) = scanner.name().unwrap();
            let value = scanner.value(first).unwrap();
            prop_assert_eq!(value.text, &number);
            if let Some(integer) = value.integer() {
                prop_assert_eq!(integer.to_string(), number.clone());
            }
            if let Some(read) = value.thousandfold() {
                prop_assert_eq!(Number::Is(read), scaled(&number, 3));
            }
            // few digits are read at once, which is the point of it
            let few = whole.len() <= 15 && rest.len() <= 4 && !rest.contains(['e', 'E']);
            prop_assert!(value.thousandfold().is_some() || !few, "{number}");
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
            same(str::from_utf8(&bytes).unwrap());
            for (at, byte) in flips {
                let at = at.index(bytes.len());
                // half of them bytes that mean something
                let telling = b"\"\\{}[],: \n01.e-tn";
                bytes[at] = if byte < 128 { telling[usize::from(byte) % telling.len()] } else { byte & 127 };
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            same(&String::from_utf8_lossy(&bytes));
        }
    }
}
