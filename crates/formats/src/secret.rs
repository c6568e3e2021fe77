//! Masks credentials in all texts of a profile: tokens, passwords in URLs, environment variables.
//!
//! Some public traces have the whole environment of the recording machine in their metadata. A text with the
//! form of a well-known token keeps its prefix; the rest becomes `***`. A token is a long run of letters,
//! digits, `_` and `-`. So it is enough to look at eight of every 13 bytes to find runs that can be tokens.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::json;
use super::position::Position;
use crate::table::Rows;

/// Minimum number of characters in a row that a token has.
pub(super) const MIN_TOKEN: usize = 20;

/// The characters after the prefix of a token.
#[derive(Debug, Clone, Copy)]
enum TokenBody {
    /// Exactly 16 capital letters and digits.
    AccessKey,
    /// At least this many letters and digits.
    Alphanumeric(usize),
    /// At least this many letters, digits, `_` and `-`, including a digit and a capital letter. Ordinary
    /// names have the same prefix.
    Mixed(usize),
    /// Header of a JSON web token. Payload and signature follow after dots.
    Jwt,
}

const TOKENS: &[(&str, TokenBody)] = &[
    ("AKIA", TokenBody::AccessKey),
    ("ASIA", TokenBody::AccessKey),
    ("ghp_", TokenBody::Alphanumeric(30)),
    ("gho_", TokenBody::Alphanumeric(30)),
    ("ghr_", TokenBody::Alphanumeric(30)),
    ("ghs_", TokenBody::Alphanumeric(30)),
    ("ghu_", TokenBody::Alphanumeric(30)),
    ("glpat-", TokenBody::Mixed(20)),
    ("AIza", TokenBody::Mixed(35)),
    ("github_pat_", TokenBody::Mixed(30)),
    ("hf_", TokenBody::Alphanumeric(30)),
    ("sk-", TokenBody::Mixed(20)),
    ("xoxb-", TokenBody::Mixed(15)),
    ("xoxp-", TokenBody::Mixed(15)),
    ("eyJ", TokenBody::Jwt),
];

/// Masks the credentials in a text. A token becomes its prefix and `***`. Passwords and signatures of URLs
/// become `***`. Borrowed if there are none.
pub(super) fn mask(text: &str) -> Cow<'_, str> {
    let clean = mask_tokens(text);
    if !may_have_url(text.as_bytes()) {
        return clean;
    }
    mask_urls(&clean).map_or(clean, Cow::Owned)
}

/// Returns true if a member of a JSON object has too little text for a token. Its name must not have escapes.
#[inline]
pub(super) fn is_too_plain(key: &str, raw: &str) -> bool {
    let has_no_text = match raw.as_bytes() {
        [b'0'..=b'9' | b'-' | b't' | b'f' | b'n', ..] => true,
        [b'[', ..] => !raw.as_bytes().contains(&b'"'),
        _ => false,
    };
    has_no_text && key.len() < MIN_TOKEN
}

/// Returns true if the text may have a URL, or a JSON escape that hides one. This is the only check that most
/// texts need. It treats all bytes alike, so that the compiler uses vector instructions.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vector instructions away")]
fn may_have_url(bytes: &[u8]) -> bool {
    let starts_pair = |byte: u8| u8::from(byte == b'/') | u8::from(byte == b'X') | u8::from(byte == b'\\');
    if bytes.iter().fold(0, |any, byte| any | starts_pair(*byte)) == 0 {
        return false;
    }
    let is_pair = |(one, two): (&u8, &u8)| {
        (*one == b'/') & (*two == b'/')
            | (*one == b'X') & (*two == b'-')
            | (*one == b'\\') & ((*two == b'u') | (*two == b'/'))
    };
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    pairs.fold(false, |any, pair| any | is_pair(pair))
}

/// [`mask`] of JSON, which can have characters of a token as escapes.
fn mask_json(text: &str) -> Cow<'_, str> {
    if !may_have_url(text.as_bytes()) {
        return mask_tokens(text);
    }
    if !text.contains("\\u00") && !text.contains("\\/") {
        return mask(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        plain.push_str(before);
        let code = escape.get(2..6).filter(|_| escape.starts_with("\\u00"));
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok()).map(char::from);
        let (length, letter) = match code {
            Some(letter) if (' '..='~').contains(&letter) && letter != '"' && letter != '\\' => (6, Some(letter)),
            _ if escape.starts_with("\\/") => (2, Some('/')),
            _ => (escape.chars().take(2).map(char::len_utf8).sum(), None),
        };
        match letter {
            Some(letter) => plain.push(letter),
            None => plain.push_str(&escape[..length]),
        }
        rest = &escape[length..];
    }
    plain.push_str(rest);
    match mask(&plain) {
        Cow::Owned(clean) => Cow::Owned(clean),
        Cow::Borrowed(_) => Cow::Borrowed(text),
    }
}

/// Masks passwords and signatures of URLs. None if there are none.
fn mask_urls(text: &str) -> Option<String> {
    if !text.contains("://") && !text.contains("X-Amz-S") {
        return None;
    }
    let end_of =
        |start: usize, is_end: fn(char) -> bool| text[start..].find(is_end).map_or(text.len(), |end| start + end);
    let mut secrets = Vec::new();
    for (separator, pattern) in text.match_indices("://") {
        let start = separator + pattern.len();
        let authority = &text[start..end_of(start, |c| "/?#\"\\<> \t\n".contains(c))];
        if let Some((user, _)) = authority.rsplit_once('@')
            && let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
            && !password.ends_with("***")
        {
            secrets.push((start + name.len() + 1, start + user.len()));
        }
    }
    for name in ["X-Amz-Signature=", "X-Amz-Security-Token="] {
        for (parameter, name) in text.match_indices(name) {
            let start = parameter + name.len();
            let end = end_of(start, |c| !(c.is_ascii_alphanumeric() || "%+/=_-.*".contains(c)));
            if !matches!(&text[start..end], "" | "***") {
                secrets.push((start, end));
            }
        }
    }
    secrets.sort_unstable();
    let mut out = String::new();
    let mut copied = 0;
    for (start, end) in secrets {
        out.push_str(text.get(copied..start)?);
        out.push_str("***");
        copied = end;
    }
    out.push_str(&text[copied..]);
    (copied > 0).then_some(out)
}

fn mask_tokens(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut pos = 0;
    // A run of MIN_TOKEN characters contains at least one of these words completely.
    while let Some(word) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        let is_in_run = |start: Option<usize>| {
            let word = start.and_then(|start| bytes.get(start..)?.first_chunk());
            word.is_some_and(|word| !has_separator(*word))
        };
        // The rest of the run is before and after the word. At least half of it is on one side.
        let half = (MIN_TOKEN - word.len()) / 2;
        if has_separator(*word) || !(is_in_run(pos.checked_sub(half)) || is_in_run(Some(pos + half))) {
            pos += MIN_TOKEN - word.len() + 1;
            continue;
        }
        let start = copied + bytes[copied..pos].iter().rposition(|byte| !is_token_byte(*byte)).map_or(0, |i| i + 1);
        let mut run = TokenRun { bytes, end: run_end(bytes, pos), last_positions: None };
        pos = start;
        while run.end.saturating_sub(pos) >= MIN_TOKEN
            && let Some((body, end)) = run.find_token(pos)
        {
            out.push_str(&text[copied..body]);
            out.push_str("***");
            copied = end;
            pos = end;
        }
        pos = pos.max(run.end) + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// [`mask`], and a report if something was masked.
pub(super) fn mask_and_report<'a>(text: &'a str, place: Position, rows: &mut Rows) -> Cow<'a, str> {
    report_if_masked(mask(text), place, rows)
}

/// [`mask_and_report`] of JSON.
pub(super) fn mask_json_and_report<'a>(text: &'a str, place: Position, rows: &mut Rows) -> Cow<'a, str> {
    report_if_masked(mask_json(text), place, rows)
}

fn report_if_masked<'a>(text: Cow<'a, str>, place: Position, rows: &mut Rows) -> Cow<'a, str> {
    if matches!(text, Cow::Owned(_)) {
        report_masked(rows, place);
    }
    text
}

/// Raw text for a message: masked, and at most 80 characters.
pub(super) fn quote_masked(raw: &str) -> String {
    let clean = mask_json(raw);
    match clean.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &clean[..end]),
        None => clean.into_owned(),
    }
}

/// Reports that a credential was masked.
pub(super) fn report_masked(rows: &mut Rows, place: Position) {
    place.notice(rows, "masked", || "text that looks like a credential or an environment was masked");
}

/// A run of letters, digits, `_` and `-`. The number of times that a byte is read does not depend on the
/// number of prefixes in the run.
#[derive(Debug)]
struct TokenRun<'a> {
    /// The whole text.
    bytes: &'a [u8],
    /// End of the run.
    end: usize,
    /// Positions after the last digit, letter and capital letter. Computed at the first use.
    last_positions: Option<[usize; 3]>,
}

impl TokenRun<'_> {
    /// Start and end of the body of the first token from `start` on.
    fn find_token(&mut self, start: usize) -> Option<(usize, usize)> {
        let bytes = self.bytes;
        (start..self.end).find_map(|pos| {
            // No prefix starts with another letter.
            if !matches!(bytes[pos], b'A' | b'g' | b'h' | b's' | b'x' | b'e')
                || (pos > start && bytes[pos - 1].is_ascii_alphanumeric() && !ends_escape(&bytes[..pos]))
            {
                return None;
            }
            TOKENS.iter().find_map(|(prefix, kind)| {
                let body = pos + prefix.len();
                let is_prefix = bytes[pos..self.end].starts_with(prefix.as_bytes());
                is_prefix.then(|| self.token_end(body, start, *kind))?.map(|end| (body, end))
            })
        })
    }

    /// End of the token with a body that starts at `body`.
    fn token_end(&mut self, body: usize, start: usize, kind: TokenBody) -> Option<usize> {
        let (bytes, end) = (self.bytes, self.end);
        let run = &bytes[body..end];
        let count = |test: fn(&u8) -> bool| run.iter().take_while(|byte| test(byte)).count();
        match kind {
            TokenBody::AccessKey => {
                let length = count(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
                let ends_there = run.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric());
                (length == 16 && ends_there).then_some(body + 16)
            }
            TokenBody::Alphanumeric(min) => {
                let length = count(u8::is_ascii_alphanumeric);
                (length >= min).then_some(body + length)
            }
            TokenBody::Mixed(min) => {
                let [digit, letter, capital] = *self.last_positions.get_or_insert_with(|| {
                    let last =
                        |test: fn(&u8) -> bool| bytes[start..end].iter().rposition(test).map_or(0, |i| start + i + 1);
                    [last(u8::is_ascii_digit), last(u8::is_ascii_alphabetic), last(u8::is_ascii_uppercase)]
                });
                let is_mixed = digit > body && letter > body && (capital > body || run.len() >= 40);
                (run.len() >= min && is_mixed).then_some(end)
            }
            TokenBody::Jwt => {
                if run.len() < MIN_TOKEN - 3 || bytes.get(end) != Some(&b'.') {
                    return None;
                }
                let payload_end = run_end(bytes, end + 1);
                let has_signature = bytes.get(payload_end) == Some(&b'.');
                Some(if has_signature { run_end(bytes, payload_end + 1) } else { payload_end })
            }
        }
    }
}

/// Whether the last byte is the letter of a JSON escape, such as that of a line feed.
fn ends_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f'])
}

/// Names of members that hold environment variables. A longer name counts if its last words are one of these.
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

/// Names of members that hold a credential as text. A longer name counts if its last words are one of these.
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

/// The last two letters of those names: by the last letter, one bit for each letter before it.
const LAST_LETTERS: [u32; 32] = {
    let mut letters = [0; 32];
    let mut i = 0;
    while i < ENVIRONMENTS.len() + CREDENTIALS.len() {
        let name = if i < ENVIRONMENTS.len() { ENVIRONMENTS[i] } else { CREDENTIALS[i - ENVIRONMENTS.len()] };
        if let [.., before, last] = name.as_bytes() {
            letters[(*last & 31) as usize] |= 1 << (*before & 31);
        }
        i += 1;
    }
    letters
};

/// The replacement of a credential.
const HIDDEN: &str = "\"***\"";

/// The value of a member as JSON without secrets, at any depth: an environment becomes a list of names, the
/// text of a credential becomes `***`. None if there is nothing to hide.
#[inline]
pub(super) fn hide_secrets(key: &str, raw: &str) -> Option<String> {
    match raw.as_bytes().first() {
        Some(b'"') if has_name(key, CREDENTIALS) => (raw.len() > 2 && raw != HIDDEN).then(|| HIDDEN.to_owned()),
        Some(b'"') if has_name(key, ENVIRONMENTS) && raw.contains(['=', '{']) => Some(variable_names(raw)),
        Some(b'{' | b'[') if has_name(key, ENVIRONMENTS) => Some(variable_names(raw)),
        Some(b'{') => hide_nested(key, raw),
        // A list without objects has no names.
        Some(b'[') if raw.as_bytes().contains(&b'{') || has_name(key, CREDENTIALS) => hide_nested(key, raw),
        _ => None,
    }
}

fn hide_nested(key: &str, raw: &str) -> Option<String> {
    match hide_members(key, raw).or_else(|| hide_members(key, &crate::repair::repair_json(raw)?)) {
        Some((value, has_secret)) => has_secret.then_some(value),
        // Text that cannot be parsed can have secrets.
        None => Some(HIDDEN.to_owned()),
    }
}

/// An object or list without secrets, and whether it had any. None if it is not valid JSON.
fn hide_members(key: &str, raw: &str) -> Option<(String, bool)> {
    let mut has_secret = false;
    let mut hide = |key: &str, value: &str| {
        let replacement = hide_secrets(key, value);
        has_secret |= replacement.is_some();
        replacement.unwrap_or_else(|| value.to_owned())
    };
    let mut out = String::new();
    if raw.starts_with('{') {
        json::visit_members(raw, |key, raw| json::add_member(&mut out, key, &hide(key, raw))).ok()?;
        out.push_str(if out.is_empty() { "{}" } else { "}" });
    } else {
        let items = serde_json::from_str::<Vec<&RawValue>>(raw).ok()?;
        let items: Vec<String> = items.iter().map(|item| hide(key, item.get())).collect();
        out = format!("[{}]", items.join(","));
    }
    Some((out, has_secret))
}

/// Returns true if the last words of `key` are one of `names`, in any case and with any separator.
#[inline]
fn has_name(key: &str, names: &[&str]) -> bool {
    let key = key.as_bytes();
    // The last two letters exclude most names.
    let [.., before, last] = key else { return false };
    if LAST_LETTERS[usize::from(last & 31)] >> (before & 31) & 1 == 0 {
        return false;
    }
    names.iter().any(|name| {
        let Some(start) = key.len().checked_sub(name.len()) else { return false };
        let is_equal = key[start..].iter().zip(name.bytes()).rev().all(|(byte, expected)| match byte {
            b'-' | b' ' | b'.' => expected == b'_',
            byte => byte.to_ascii_lowercase() == expected,
        });
        is_equal && (start == 0 || !key[start - 1].is_ascii_alphanumeric() || key[start].is_ascii_uppercase())
    })
}

/// The names of the variables of an environment as a JSON list.
fn variable_names(environment: &str) -> String {
    let mut out = String::from("[");
    let mut add_name = |name: &str| {
        if out.len() > 1 {
            out.push(',');
        }
        json::add_string(&mut out, name);
    };
    // A value can have several lines, which can have a `=` too.
    let is_name = |name: &str| {
        let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        !name.is_empty() && name.len() <= 128 && name.bytes().all(is_name_byte)
    };
    let mut add_variable = |line: &str| {
        if let Some((name, _)) = line.split_once('=').filter(|(name, _)| is_name(name)) {
            add_name(name);
        }
    };
    if environment.starts_with('{') {
        // Of invalid JSON, the names before the error.
        let _ = json::visit_members(environment, |key, _| add_name(key));
    } else if let Some(text) = json::unquote(environment) {
        text.split(['\n', '\0']).for_each(|line| add_variable(line.trim_start().trim_start_matches("export ")));
    } else {
        let variables = serde_json::from_str::<Vec<String>>(environment).unwrap_or_default();
        variables.iter().for_each(|line| add_variable(line));
    }
    out.push(']');
    out
}

/// Whether one of the eight bytes is less than `-`: a blank, a quote, a comma, … None of them is part of a
/// token.
#[inline]
fn has_separator(word: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(word);
    word.wrapping_sub(ONES * u64::from(b'-')) & !word & (ONES << 7) != 0
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn run_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !is_token_byte(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Joins the parts of a token. Secret scanners would report a complete token in this file.
    fn token(prefix: &str, body: &str) -> String {
        format!("{prefix}{body}")
    }

    #[test]
    fn token_bodies_are_masked() {
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
            // At every distance from the probed words, once and twice.
            for pad in 0..50 {
                let pad = ".".repeat(pad);
                let twice = format!("{pad}{text} {text}");
                assert_eq!(mask(&twice), format!("{pad}{masked} {masked}"));
            }
        }
    }

    #[test]
    fn masking_takes_linear_time() {
        // Masks the prefixes and the keys three times, and returns the shortest duration.
        let min_duration = |count: usize| {
            let prefixes = "sk-".repeat(count);
            let keys = token("AKIA", "ABCDEFGHIJKLMNO7-").repeat(count);
            let masked = "AKIA***-".repeat(count);
            let durations = (0..3).map(|_| {
                let start = std::time::Instant::now();
                assert_eq!(mask(&prefixes), prefixes);
                assert_eq!(mask(&keys), masked);
                start.elapsed()
            });
            durations.min().expect("three durations")
        };
        let (short, long) = (min_duration(1_000), min_duration(64_000));
        // Linear work takes 64 times as long, quadratic work 4096 times.
        assert!(long < short * 1024, "{long:?} for 64 times the text that takes {short:?}");
    }

    #[test]
    fn prefixes_start_with_few_letters() {
        assert!(TOKENS.iter().all(|(prefix, _)| prefix.starts_with(['A', 'g', 'h', 's', 'x', 'e'])));
    }

    #[test]
    fn credentials_are_hidden_by_the_name_of_their_member() {
        let deep = r#"{"a":[{"API-Key":"x","n":1}],"hfToken":"y","token":5,"tokens":"z","secret":["u",2]}"#;
        let expected = r#"{"a":[{"API-Key":"***","n":1}],"hfToken":"***","token":5,"tokens":"z","secret":["***",2]}"#;
        assert_eq!(hide_secrets("x", deep).as_deref(), Some(expected));
        assert_eq!(hide_secrets("x", expected), None);
        for key in ["Authorization", "DB_PASSWORD", "aws_secret_access_key"] {
            assert_eq!(hide_secrets(key, "\"a\"").as_deref(), Some("\"***\""), "{key}");
        }
        // An invalid name does not prevent masking. Text that cannot be parsed is hidden.
        let invalid = r#"{"\ud800":1,"env":{"K":"v"}}"#;
        assert!(hide_secrets("x", invalid).is_some_and(|value| value.ends_with(r#""env":["K"]}"#)));
        assert_eq!(hide_secrets("x", r#"{"a":1 "env":{"K":"v"}}"#).as_deref(), Some("\"***\""));
    }

    #[test]
    fn tokens_with_escapes_are_masked() {
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
        assert_eq!(quote_masked(&token("hf_", long)), "hf_***");
        assert_eq!(quote_masked(&"x.".repeat(90)), format!("{}...", "x.".repeat(40)));
    }

    #[test]
    fn passwords_and_signatures_of_urls_are_masked() {
        let url = "GET s3://u:pw@h:80/x?X-Amz-Signature=0a1b&X-Amz-Security-Token=IQ%2Fz&n=1 http://a:1/b@c";
        let masked = "GET s3://u:***@h:80/x?X-Amz-Signature=***&X-Amz-Security-Token=***&n=1 http://a:1/b@c";
        assert_eq!(mask(url), masked);
        assert!(matches!(mask(masked), Cow::Borrowed(_)));
        assert_eq!(mask_json(r#"{"a":"https:\/\/u:pw@h\/"}"#), r#"{"a":"https://u:***@h/"}"#);
    }

    #[test]
    fn ordinary_names_are_not_masked() {
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
    fn environments_become_lists_of_names() {
        for key in ["Environment", "env", "os.environ", "environ_str", "env-vars"] {
            assert_eq!(hide_secrets(key, r#"{"A":1}"#).as_deref(), Some(r#"["A"]"#), "{key}");
            assert_eq!(hide_secrets(key, r#""A=1\nB_2=x=y\n z""#).as_deref(), Some(r#"["A","B_2"]"#), "{key}");
        }
        assert_eq!(hide_secrets("env", r#""environ({'A': 'b=c'})""#).as_deref(), Some("[]"));
        for (key, raw) in [("env", "3"), ("env", r#""prod""#), ("args", "{}"), ("Input Dims", "[[1,2],[3]]")] {
            assert_eq!(hide_secrets(key, raw), None, "{key}");
        }
        assert_eq!(variable_names(r#"{"PATH":"/bin","K":{"a":1}}"#), r#"["PATH","K"]"#);
        assert_eq!(variable_names(r#"["PATH=/bin","K=a=b","x"]"#), r#"["PATH","K"]"#);
        let deep = r#"{"a":[1,{"system":{"env":{"K":"v"},"n":2}}],"b":3}"#;
        let names = r#"{"a":[1,{"system":{"env":["K"],"n":2}}],"b":3}"#;
        assert_eq!(hide_secrets("metadata", deep).as_deref(), Some(names));
        assert_eq!(hide_secrets("metadata", r#"{"a":[1,{"b":2}]}"#), None);
    }
}
