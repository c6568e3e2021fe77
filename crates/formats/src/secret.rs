//! Tokens that look like credentials, masked wherever a profile holds them.
//!
//! Public traces were found with the recording machine's whole environment in their metadata. What has
//! the shape of a well-known token keeps its prefix and loses the rest. Most texts are cleared by a few
//! probes: a token is a long run of letters, digits, `_` and `-`, so looking at eight of every 13 bytes
//! is enough to find the runs that are worth a closer look.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::json;
use super::place::Place;
use crate::table::{Rows, Severity};

/// A token has at least this many characters in a row.
pub(super) const SHORTEST: usize = 20;

/// What must follow a prefix for the whole to be a token.
#[derive(Debug, Clone, Copy)]
enum Body {
    /// Exactly 16 capitals and digits.
    AccessKey,
    /// At least so many letters and digits.
    Alphanumeric(usize),
    /// At least so many letters, digits, `_` and `-`, a digit and a capital among them: the prefix alone
    /// also begins ordinary names.
    Mixed(usize),
    /// Header of a JSON web token: payload and signature follow after dots.
    Jwt,
}

const SHAPES: &[(&str, Body)] = &[
    ("AKIA", Body::AccessKey),
    ("ASIA", Body::AccessKey),
    ("ghp_", Body::Alphanumeric(30)),
    ("gho_", Body::Alphanumeric(30)),
    ("ghr_", Body::Alphanumeric(30)),
    ("ghs_", Body::Alphanumeric(30)),
    ("ghu_", Body::Alphanumeric(30)),
    ("glpat-", Body::Mixed(20)),
    ("AIza", Body::Mixed(35)),
    ("github_pat_", Body::Mixed(30)),
    ("hf_", Body::Alphanumeric(30)),
    ("sk-", Body::Mixed(20)),
    ("xoxb-", Body::Mixed(15)),
    ("xoxp-", Body::Mixed(15)),
    ("eyJ", Body::Jwt),
];

/// `text` with every token cut down to its prefix and `***`, and passwords and signatures of addresses
/// masked; borrowed if there was none.
pub(super) fn mask(text: &str) -> Cow<'_, str> {
    let clean = mask_tokens(text);
    if !may_be_address(text.as_bytes()) {
        return clean;
    }
    match mask_addresses(&clean) {
        Some(clean) => Cow::Owned(clean),
        None => clean,
    }
}

/// Whether a member of a JSON object, whose name has no escapes, holds too little text for a token.
#[inline]
pub(super) fn is_too_plain(key: &str, raw: &str) -> bool {
    let number = match raw.as_bytes() {
        [b'0'..=b'9' | b'-' | b't' | b'f' | b'n', ..] => true,
        [b'[', ..] => !raw.as_bytes().contains(&b'"'),
        _ => false,
    };
    number && key.len() < SHORTEST
}

/// Whether the text can have an address in it, or an escape of JSON that hides one. All bytes are looked at in the same
/// way, so that this is done with vector instructions; most texts need no closer look.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vector instructions away")]
fn may_be_address(bytes: &[u8]) -> bool {
    let begins_pair = |byte: u8| u8::from(byte == b'/') | u8::from(byte == b'X') | u8::from(byte == b'\\');
    if bytes.iter().fold(0, |found, byte| found | begins_pair(*byte)) == 0 {
        return false;
    }
    let pair = |(one, two): (&u8, &u8)| {
        (*one == b'/') & (*two == b'/')
            | (*one == b'X') & (*two == b'-')
            | (*one == b'\\') & ((*two == b'u') | (*two == b'/'))
    };
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    pairs.fold(false, |found, two| found | pair(two))
}

/// [`mask`] of JSON, where what a token needs may be written as escapes.
fn mask_json(text: &str) -> Cow<'_, str> {
    if !may_be_address(text.as_bytes()) {
        return mask_tokens(text);
    }
    if !text.contains("\\u00") && !text.contains("\\/") {
        return mask(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let code = escape.get(2..6).filter(|_| escape.starts_with("\\u00"));
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok()).map(char::from);
        let length = match code {
            Some(char) if (' '..='~').contains(&char) && char != '"' && char != '\\' => {
                plain.push(char);
                6
            }
            _ if escape.starts_with("\\/") => {
                plain.push('/');
                2
            }
            _ => {
                let length = escape.chars().take(2).map(char::len_utf8).sum();
                plain.push_str(&escape[..length]);
                length
            }
        };
        rest = &escape[length..];
    }
    plain.push_str(rest);
    match mask(&plain) {
        Cow::Owned(clean) => Cow::Owned(clean),
        Cow::Borrowed(_) => Cow::Borrowed(text),
    }
}

/// Passwords and signatures of addresses masked; none if there was none.
fn mask_addresses(text: &str) -> Option<String> {
    if !text.contains("://") && !text.contains("X-Amz-S") {
        return None;
    }
    let mut hide = Vec::new();
    for (at, sign) in text.match_indices("://") {
        let start = at + sign.len();
        let end = text[start..].find(['/', '?', '#', '"', '\\', '<', '>', ' ', '\t', '\n']);
        let authority = &text[start..end.map_or(text.len(), |end| start + end)];
        if let Some((user, _)) = authority.rsplit_once('@')
            && let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
            && !password.ends_with("***")
        {
            hide.push((start + name.len() + 1, start + user.len()));
        }
    }
    for name in ["X-Amz-Signature=", "X-Amz-Security-Token="] {
        for (at, name) in text.match_indices(name) {
            let start = at + name.len();
            let end = text[start..].find(|c: char| !(c.is_ascii_alphanumeric() || "%+/=_-.*".contains(c)));
            let end = end.map_or(text.len(), |end| start + end);
            if !matches!(&text[start..end], "" | "***") {
                hide.push((start, end));
            }
        }
    }
    hide.sort_unstable();
    let mut out = String::new();
    let mut copied = 0;
    for (from, to) in hide {
        out.push_str(text.get(copied..from)?);
        out.push_str("***");
        copied = to;
    }
    out.push_str(&text[copied..]);
    (copied > 0).then_some(out)
}

fn mask_tokens(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    // a run of SHORTEST characters holds all of one of the words that are probed
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let goes_on = |from: Option<usize>| {
            let word = from.and_then(|from| bytes.get(from..)?.first_chunk());
            word.is_some_and(|word| !has_separator(*word))
        };
        // what is left of it stands before the word and behind it, half of that on one of the sides
        let half = (SHORTEST - word.len()) / 2;
        if has_separator(*word) || !(goes_on(at.checked_sub(half)) || goes_on(Some(at + half))) {
            at += SHORTEST - word.len() + 1;
            continue;
        }
        let start = copied + bytes[copied..at].iter().rposition(|byte| !is_token(*byte)).map_or(0, |i| i + 1);
        let mut run = Run { bytes, end: run_end(bytes, at), mixture: None };
        at = start;
        while run.end.saturating_sub(at) >= SHORTEST
            && let Some((from, to)) = run.find(at)
        {
            out.push_str(&text[copied..from]);
            out.push_str("***");
            copied = to;
            at = to;
        }
        at = at.max(run.end) + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The text with credentials masked, which is reported.
pub(super) fn clean<'a>(text: &'a str, place: Place, rows: &mut Rows) -> Cow<'a, str> {
    let clean = mask(text);
    if matches!(clean, Cow::Owned(_)) {
        masked(rows, place);
    }
    clean
}

/// [`clean`] of JSON.
pub(super) fn clean_json<'a>(text: &'a str, place: Place, rows: &mut Rows) -> Cow<'a, str> {
    let clean = mask_json(text);
    if matches!(clean, Cow::Owned(_)) {
        masked(rows, place);
    }
    clean
}

/// Raw text as a message quotes it: masked, and not at length.
pub(super) fn quote(raw: &str) -> String {
    let clean = mask_json(raw);
    match clean.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &clean[..end]),
        None => clean.into_owned(),
    }
}

/// Reports that a credential was found.
pub(super) fn masked(rows: &mut Rows, place: Place) {
    rows.problem(Severity::Notice, "masked", place.byte(), || {
        format!("{place}: text that looks like a credential or an environment was masked")
    });
}

/// Letters, digits, `_` and `-` in a row. Each of its bytes is looked at a few times, however often a prefix
/// comes in it.
#[derive(Debug)]
struct Run<'a> {
    /// The whole text.
    bytes: &'a [u8],
    /// Where the run ends.
    end: usize,
    /// Behind the last digit, the last letter and the last capital; found when first asked for.
    mixture: Option<[usize; 3]>,
}

impl Run<'_> {
    /// The part to hide of the first token from `start` on.
    fn find(&mut self, start: usize) -> Option<(usize, usize)> {
        let bytes = self.bytes;
        (start..self.end).find_map(|at| {
            // no shape begins with another letter
            if !matches!(bytes[at], b'A' | b'g' | b'h' | b's' | b'x' | b'e')
                || (at > start && bytes[at - 1].is_ascii_alphanumeric() && !ends_escape(bytes, at))
            {
                return None;
            }
            SHAPES.iter().find_map(|(prefix, body)| {
                let from = at + prefix.len();
                bytes[at..self.end]
                    .starts_with(prefix.as_bytes())
                    .then(|| self.token_end(from, start, *body))?
                    .map(|to| (from, to))
            })
        })
    }

    /// Where the token ends whose prefix ends at `from`.
    fn token_end(&mut self, from: usize, start: usize, body: Body) -> Option<usize> {
        let (bytes, end) = (self.bytes, self.end);
        let run = &bytes[from..end];
        let count = |test: fn(&u8) -> bool| run.iter().take_while(|byte| test(byte)).count();
        match body {
            Body::AccessKey => {
                let length = count(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
                let alone = run.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric());
                (length == 16 && alone).then_some(from + 16)
            }
            Body::Alphanumeric(least) => {
                let length = count(u8::is_ascii_alphanumeric);
                (length >= least).then_some(from + length)
            }
            Body::Mixed(least) => {
                let [digit, letter, capital] = *self.mixture.get_or_insert_with(|| {
                    let last =
                        |test: fn(&u8) -> bool| bytes[start..end].iter().rposition(test).map_or(0, |i| start + i + 1);
                    [last(u8::is_ascii_digit), last(u8::is_ascii_alphabetic), last(u8::is_ascii_uppercase)]
                });
                let mixed = digit > from && letter > from && (capital > from || run.len() >= 40);
                (run.len() >= least && mixed).then_some(end)
            }
            Body::Jwt => {
                if run.len() < SHORTEST - 3 || bytes.get(end) != Some(&b'.') {
                    return None;
                }
                let payload = run_end(bytes, end + 1);
                match bytes.get(payload) {
                    Some(b'.') => Some(run_end(bytes, payload + 1)),
                    _ => Some(payload),
                }
            }
        }
    }
}

/// Whether the byte before `at` is the letter of an escape of JSON, as that of a line feed.
fn ends_escape(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[..at], [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f'])
}

/// What the members that hold a block of environment variables are called, or end with.
const ENVIRONMENTS: &[&str] = &[
    "env",
    "environ",
    "environment",
    "env_vars",
    "environment_variables",
    "env_str",
    "environ_str",
    "environment_str",
];

/// What the members whose texts are credentials are called, or end with.
const CREDENTIALS: &[&str] = &[
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "secret_key",
    "password",
    "passwd",
    "token",
    "secret",
    "authorization",
    "credential",
    "credentials",
];

/// How those names end: the letters that stand before the last one, a bit each, by the last one.
const ENDS: [u32; 32] = {
    let mut ends = [0; 32];
    let lists = [ENVIRONMENTS, CREDENTIALS];
    let mut at = 0;
    while at < ENVIRONMENTS.len() + CREDENTIALS.len() {
        let (list, from) = if at < ENVIRONMENTS.len() { (lists[0], 0) } else { (lists[1], ENVIRONMENTS.len()) };
        if let [.., before, last] = list[at - from].as_bytes() {
            ends[(*last & 31) as usize] |= 1 << (*before & 31);
        }
        at += 1;
    }
    ends
};

/// What stands for a value that is not kept.
const HIDDEN: &str = "\"***\"";

/// What is kept of the value of a member, as JSON: of an environment the names, nothing of the texts of
/// credentials, however deep they stand; none if there is nothing to hide.
#[inline]
pub(super) fn hidden(key: &str, raw: &str) -> Option<String> {
    match raw.as_bytes().first() {
        Some(b'"') if is_called(key, CREDENTIALS) => (raw.len() > 2 && raw != HIDDEN).then(|| HIDDEN.to_owned()),
        Some(b'"') if is_called(key, ENVIRONMENTS) && raw.contains(['=', '{']) => Some(names_only(raw)),
        Some(b'{' | b'[') if is_called(key, ENVIRONMENTS) => Some(names_only(raw)),
        Some(b'{') => hidden_inside(key, raw),
        // a list without objects holds no names
        Some(b'[') if raw.as_bytes().contains(&b'{') || is_called(key, CREDENTIALS) => hidden_inside(key, raw),
        _ => None,
    }
}

fn hidden_inside(key: &str, raw: &str) -> Option<String> {
    let kept = keep(key, raw).or_else(|| json::mend(raw).and_then(|mended| keep(key, &mended)));
    match kept {
        Some((kept, found)) => found.then_some(kept),
        // what cannot be read cannot be searched
        None => Some(HIDDEN.to_owned()),
    }
}

/// An object or list without what is to be hidden, and whether there was something; none if it is no JSON.
fn keep(key: &str, raw: &str) -> Option<(String, bool)> {
    let mut found = false;
    let mut value = |key: &str, value: &str| {
        let kept = hidden(key, value);
        found |= kept.is_some();
        kept.unwrap_or_else(|| value.to_owned())
    };
    let mut out = String::new();
    if raw.starts_with('{') {
        json::members(raw, |key, raw| json::add_member(&mut out, key, &value(key, raw))).ok()?;
        out.push_str(if out.is_empty() { "{}" } else { "}" });
    } else {
        let items = serde_json::from_str::<Vec<&RawValue>>(raw).ok()?;
        let items: Vec<String> = items.iter().map(|item| value(key, item.get())).collect();
        out = format!("[{}]", items.join(","));
    }
    Some((out, found))
}

/// Whether the name is one of `names`, in any case and with any separator, or ends with one as its last word.
#[inline]
fn is_called(key: &str, names: &[&str]) -> bool {
    let key = key.as_bytes();
    // the ends of most names say so at once
    let [.., before, last] = key else { return false };
    if ENDS[usize::from(last & 31)] >> (before & 31) & 1 == 0 {
        return false;
    }
    names.iter().any(|name| {
        let Some(at) = key.len().checked_sub(name.len()) else { return false };
        let same = key[at..].iter().zip(name.bytes()).rev().all(|(byte, expected)| match byte {
            b'-' | b' ' | b'.' => expected == b'_',
            byte => byte.to_ascii_lowercase() == expected,
        });
        same && (at == 0 || !key[at - 1].is_ascii_alphanumeric() || key[at].is_ascii_uppercase())
    })
}

/// The names of an environment's variables as a JSON list: what is kept of it.
fn names_only(environment: &str) -> String {
    let mut out = String::from("[");
    let mut add = |name: &str| {
        if out.len() > 1 {
            out.push(',');
        }
        json::add_string(&mut out, name);
    };
    // a line of a value of several lines may have a `=` too
    let is_name = |name: &str| {
        let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        !name.is_empty() && name.len() <= 128 && name.bytes().all(letters)
    };
    let mut variable = |variable: &str| {
        if let Some((name, _)) = variable.split_once('=').filter(|(name, _)| is_name(name)) {
            add(name);
        }
    };
    if environment.starts_with('{') {
        // on damage: the names so far
        let _ = json::members(environment, |key, _| add(key));
    } else if let Some(text) = json::unquote(environment) {
        text.split(['\n', '\0']).for_each(|line| variable(line.trim_start().trim_start_matches("export ")));
    } else {
        let variables = serde_json::from_str::<Vec<String>>(environment).unwrap_or_default();
        variables.iter().for_each(|line| variable(line));
    }
    out.push(']');
    out
}

/// Whether a blank, a quote, a comma or another byte before `-` is among the eight: none of them is part of a token.
#[inline]
fn has_separator(word: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(word);
    word.wrapping_sub(ONES * u64::from(b'-')) & !word & (ONES << 7) != 0
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn run_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !is_token(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never written out, so that scanners for secrets do not take this file for a leak.
    fn token(prefix: &str, body: &str) -> String {
        format!("{prefix}{body}")
    }

    #[test]
    fn tokens_lose_their_body() {
        let long = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        for (text, masked) in [
            (token("AKIA", "ABCDEFGHIJKLMNO7"), "AKIA***"),
            (token("x=ghp_", long), "x=ghp_***"),
            (token("hf_", long), "hf_***"),
            (token("clone https://user:hf_", &format!("{long}@host/x")), "clone https://user:hf_***@host/x"),
            (token("sk-", "proj-abcDEF123456_78901-2345"), "sk-***"),
            (token("xoxb-", "123456789012-abcDEF345"), "xoxb-***"),
            (token("Bearer eyJ", "hbGciOiJIUzI1NiIsInR5.eyJzdWIiOiIx.SflKx-w_rJ ok"), "Bearer eyJ*** ok"),
        ] {
            assert_eq!(mask(&text), masked);
            // at every distance from the probes, alone and twice
            for pad in 0..50 {
                let pad = ".".repeat(pad);
                let twice = format!("{pad}{text} {text}");
                assert_eq!(mask(&twice), format!("{pad}{masked} {masked}"));
            }
        }
    }

    #[test]
    fn a_run_full_of_prefixes_is_read_once() {
        // Masks the prefixes and the keys three times, and returns the shortest duration.
        let shortest = |number: usize| {
            let prefixes = "sk-".repeat(number);
            let keys = token("AKIA", "ABCDEFGHIJKLMNO7-").repeat(number);
            let masked = "AKIA***-".repeat(number);
            let times = (0..3).map(|_| {
                let begin = std::time::Instant::now();
                assert_eq!(mask(&prefixes), prefixes);
                assert_eq!(mask(&keys), masked);
                begin.elapsed()
            });
            times.min().expect("three durations")
        };
        let (short, long) = (shortest(1_000), shortest(64_000));
        // linear work takes 64 times as long, quadratic work 4096 times
        assert!(long < short * 1024, "{long:?} for 64 times the text that takes {short:?}");
    }

    #[test]
    fn shapes_begin_with_few_letters() {
        assert!(SHAPES.iter().all(|(prefix, _)| prefix.starts_with(['A', 'g', 'h', 's', 'x', 'e'])));
    }

    #[test]
    fn texts_of_credentials_are_hidden_by_name() {
        let deep = r#"{"a":[{"API-Key":"x","n":1}],"hfToken":"y","token":5,"tokens":"z","secret":["u",2]}"#;
        let kept = r#"{"a":[{"API-Key":"***","n":1}],"hfToken":"***","token":5,"tokens":"z","secret":["***",2]}"#;
        assert_eq!(hidden("x", deep).as_deref(), Some(kept));
        assert_eq!(hidden("x", kept), None);
        for key in ["Authorization", "DB_PASSWORD", "aws_secret_access_key"] {
            assert_eq!(hidden(key, "\"a\"").as_deref(), Some("\"***\""), "{key}");
        }
        // a name that cannot be read hides nothing, and nothing unreadable is kept
        let lone = r#"{"\ud800":1,"env":{"K":"v"}}"#;
        assert!(hidden("x", lone).is_some_and(|kept| kept.ends_with(r#""env":["K"]}"#)));
        assert_eq!(hidden("x", r#"{"a":1 "env":{"K":"v"}}"#).as_deref(), Some("\"***\""));
    }

    #[test]
    fn escapes_hide_no_token() {
        let long = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        for (before, prefix) in
            [("\\n", "ghp_"), ("\\t", "hf_"), ("\\r", "ghu_"), ("\\u003d", "ghr_"), ("", "hf\\u005f")]
        {
            let masked = mask_json(&token(&format!("\"x{before} {before}{prefix}"), &format!("{long}\""))).into_owned();
            assert!(masked.ends_with("_***\""), "{masked}");
        }
        let (lab, key) = (token("glpat-", "abcDEF123456_78901-2345"), token("AIza", &format!("{long}_-x")));
        assert_eq!(mask(&format!("{lab} {key}")), "glpat-*** AIza***");
        let plain = r#"{"a":"\u00e9\u0041\/"}"#;
        assert!(matches!(mask_json(plain), Cow::Borrowed(_)));
        assert_eq!(quote(&token("hf_", long)), "hf_***");
        assert_eq!(quote(&"x.".repeat(90)), format!("{}...", "x.".repeat(40)));
    }

    #[test]
    fn addresses_keep_neither_password_nor_signature() {
        let address = "GET s3://u:pw@h:80/x?X-Amz-Signature=0a1b&X-Amz-Security-Token=IQ%2Fz&n=1 http://a:1/b@c";
        let masked = "GET s3://u:***@h:80/x?X-Amz-Signature=***&X-Amz-Security-Token=***&n=1 http://a:1/b@c";
        assert_eq!(mask(address), masked);
        assert!(matches!(mask(masked), Cow::Borrowed(_)));
        assert_eq!(mask_json(r#"{"a":"https:\/\/u:pw@h\/"}"#), r#"{"a":"https://u:***@h/"}"#);
    }

    #[test]
    fn ordinary_names_stay_borrowed() {
        for text in [
            "",
            "_MultiProcessingDataLoaderIter.__init__",
            "task-123456789012345678901234567890",
            "sk-learn-something-with-a-long-name",
            "void at::native::vectorized_elementwise_kernel<4, float>",
            "AKIAB",
            "ReadThroughputInBytesPerSecond_ReadThroughputInBytesPerSecond",
            "Grüße an die Größe der Straße, die länger als zwanzig Zeichen ist",
        ] {
            assert!(matches!(mask(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn environments_keep_their_names() {
        for key in ["Environment", "env", "os.environ", "environ_str", "env-vars"] {
            assert_eq!(hidden(key, r#"{"A":1}"#).as_deref(), Some(r#"["A"]"#), "{key}");
            assert_eq!(hidden(key, r#""A=1\nB_2=x=y\n z""#).as_deref(), Some(r#"["A","B_2"]"#), "{key}");
        }
        assert_eq!(hidden("env", r#""environ({'A': 'b=c'})""#).as_deref(), Some("[]"));
        for (key, raw) in [("env", "3"), ("env", r#""prod""#), ("args", "{}"), ("Input Dims", "[[1,2],[3]]")] {
            assert_eq!(hidden(key, raw), None, "{key}");
        }
        assert_eq!(names_only(r#"{"PATH":"/bin","K":{"a":1}}"#), r#"["PATH","K"]"#);
        assert_eq!(names_only(r#"["PATH=/bin","K=a=b","x"]"#), r#"["PATH","K"]"#);
        let deep = r#"{"a":[1,{"system":{"env":{"K":"v"},"n":2}}],"b":3}"#;
        let names = r#"{"a":[1,{"system":{"env":["K"],"n":2}}],"b":3}"#;
        assert_eq!(hidden("metadata", deep).as_deref(), Some(names));
        assert_eq!(hidden("metadata", r#"{"a":[1,{"b":2}]}"#), None);
    }
}
