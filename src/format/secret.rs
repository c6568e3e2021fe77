//! Tokens that look like credentials, masked wherever a profile holds them.
//!
//! Public traces were found with the recording machine's whole environment in their metadata. What has
//! the shape of a well-known token keeps its prefix and loses the rest. Most texts are cleared by a few
//! probes: a token is a long run of letters, digits, `_` and `-`, so looking at every 16th byte is
//! enough to find the runs that are worth a closer look.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::json;
use super::place::Place;
use crate::table::{Rows, Severity};

/// A token has at least this many characters in a row.
const SHORTEST: usize = 20;

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
    ("ghs_", Body::Alphanumeric(30)),
    ("github_pat_", Body::Mixed(30)),
    ("hf_", Body::Alphanumeric(30)),
    ("sk-", Body::Mixed(20)),
    ("xoxb-", Body::Mixed(15)),
    ("xoxp-", Body::Mixed(15)),
    ("eyJ", Body::Jwt),
];

/// `text` with every token cut down to its prefix and `***`; borrowed if there was none.
pub(super) fn mask(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = SHORTEST - 1;
    // a run of SHORTEST characters holds one of the bytes that are probed
    while at < bytes.len() {
        if !is_token(bytes[at]) {
            at += SHORTEST;
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
        at = at.max(run.end) + SHORTEST - 1;
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
                || (at > start && bytes[at - 1].is_ascii_alphanumeric())
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

/// The names of an environment's variables as a JSON list: what is kept of it.
pub(super) fn names_only(environment: &str) -> String {
    let mut out = String::from("[");
    let mut add = |name: &str| {
        if out.len() > 1 {
            out.push(',');
        }
        json::add_string(&mut out, name);
    };
    if environment.starts_with('{') {
        // on damage: the names so far
        let _ = json::members(environment, |key, _| add(key));
    } else {
        let variables = serde_json::from_str::<Vec<String>>(environment).unwrap_or_default();
        variables.iter().filter_map(|variable| variable.split_once('=')).for_each(|(name, _)| add(name));
    }
    out.push(']');
    out
}

/// Names of blocks of environment variables.
const ENVIRONMENTS: &[&str] = &["env", "environ", "environment", "env_vars", "environment_variables"];

/// Whether a member of this name and value is a block of environment variables: an object, or a list.
#[inline]
pub(super) fn is_environment(key: &str, raw: &str) -> bool {
    raw.starts_with(['{', '[']) && ENVIRONMENTS.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// The value of a member with the names alone of every environment in it, however deep; none if there is
/// no environment.
pub(super) fn without_environments(key: &str, raw: &str) -> Option<String> {
    if is_environment(key, raw) {
        return Some(names_only(raw));
    }
    let mut found = false;
    let mut keep = |key: &str, value: &str| {
        let names = without_environments(key, value);
        found |= names.is_some();
        names.unwrap_or_else(|| value.to_owned())
    };
    let mut out = String::new();
    if raw.starts_with('{') {
        json::members(raw, |key, value| json::add_member(&mut out, key, &keep(key, value))).ok()?;
        out.push('}');
    } else if raw.starts_with('[') {
        let items = serde_json::from_str::<Vec<&RawValue>>(raw).ok()?;
        let items: Vec<String> = items.iter().map(|item| keep("", item.get())).collect();
        out = format!("[{}]", items.join(","));
    }
    found.then_some(out)
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
        let begin = std::time::Instant::now();
        let prefixes = "sk-".repeat(400_000);
        assert_eq!(mask(&prefixes), prefixes);
        let keys = token("AKIA", "ABCDEFGHIJKLMNO7-").repeat(60_000);
        assert_eq!(mask(&keys), "AKIA***-".repeat(60_000));
        // quadratic work would take minutes
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
    }

    #[test]
    fn shapes_begin_with_few_letters() {
        assert!(SHAPES.iter().all(|(prefix, _)| prefix.starts_with(['A', 'g', 'h', 's', 'x', 'e'])));
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
        assert!(is_environment("Environment", "{}") && is_environment("env", r#"{"A":1}"#));
        assert!(!is_environment("env", "3") && !is_environment("args", "{}"));
        assert_eq!(names_only(r#"{"PATH":"/bin","K":{"a":1}}"#), r#"["PATH","K"]"#);
        assert_eq!(names_only(r#"["PATH=/bin","K=a=b","x"]"#), r#"["PATH","K"]"#);
        let deep = r#"{"a":[1,{"system":{"env":{"K":"v"},"n":2}}],"b":3}"#;
        let names = r#"{"a":[1,{"system":{"env":["K"],"n":2}}],"b":3}"#;
        assert_eq!(without_environments("metadata", deep).as_deref(), Some(names));
        assert_eq!(without_environments("metadata", r#"{"a":[1,{"b":2}]}"#), None);
    }
}
