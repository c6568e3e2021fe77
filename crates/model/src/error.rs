//! What went wrong, in words a user can act on.
//!
//! All crates of tracelake use one error type: a kind to branch on, a sentence to read, and a hint.
//! `Display` prints all of it, because a notebook cell, Python and the shell show only that.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What sort of thing went wrong.
///
/// Adding a profiler format must not add a kind: kinds say what a caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, prefix, bucket, run, table, query or figure is not there.
    NotFound,
    /// The store refused the credentials, or they lack a right.
    Denied,
    /// The store did not answer.
    Unreachable,
    /// No format knows this input.
    Unrecognized,
    /// The input is of a known format and nothing in it could be read.
    Malformed,
    /// The SQL is wrong, or not allowed here.
    Query,
    /// An argument is missing, unknown, or of the wrong type.
    Argument,
    /// Somebody else changed the same run, or the name is taken by another profile.
    Conflict,
    /// Disk or memory is used up.
    Exhausted,
    /// The caller gave up.
    Cancelled,
    /// A bug.
    Internal,
}

/// All of them.
const KINDS: [ErrorKind; 11] = [
    ErrorKind::NotFound,
    ErrorKind::Denied,
    ErrorKind::Unreachable,
    ErrorKind::Unrecognized,
    ErrorKind::Malformed,
    ErrorKind::Query,
    ErrorKind::Argument,
    ErrorKind::Conflict,
    ErrorKind::Exhausted,
    ErrorKind::Cancelled,
    ErrorKind::Internal,
];

impl ErrorKind {
    /// The name of the kind, as the Python class is called without `Error`.
    ///
    /// ```
    /// assert_eq!(tracelake_model::ErrorKind::NotFound.name(), "NotFound");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "NotFound",
            Self::Denied => "Denied",
            Self::Unreachable => "Unreachable",
            Self::Unrecognized => "Unrecognized",
            Self::Malformed => "Malformed",
            Self::Query => "Query",
            Self::Argument => "Argument",
            Self::Conflict => "Conflict",
            Self::Exhausted => "Exhausted",
            Self::Cancelled => "Cancelled",
            Self::Internal => "Internal",
        }
    }

    /// The kind of this name; what another program calls otherwise is a bug.
    #[doc(hidden)]
    pub fn named(name: &str) -> Self {
        KINDS.into_iter().find(|kind| kind.name() == name).unwrap_or(Self::Internal)
    }
}

/// What an error is about: its kind says what went wrong there.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A profile, a run or another file that is read.
    Input,
    /// What the caller wrote: the name of a query, figure, column or the like.
    Usage,
    /// The lake or another file that is written.
    Output,
}

/// An error with its kind, context and, where there is one, a hint what to do.
///
/// ```
/// use tracelake_model::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::NotFound, "cannot read s3://bucket/job-7: no object has this prefix")
///     .with_hint("list the bucket to see what is there");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert_eq!(
///     error.to_string(),
///     "cannot read s3://bucket/job-7: no object has this prefix\n  hint:   list the bucket to see what is there"
/// );
/// ```
pub struct Error {
    kind: ErrorKind,
    about: About,
    message: String,
    context: Vec<(&'static str, String)>,
    hint: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of this kind; the message begins with a verb and has no full stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, about: About::Input, message: message.into(), context: Vec::new(), hint: None, source: None }
    }

    /// Adds a line `key: value` below the message.
    #[must_use]
    pub fn with_context(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.context.push((key, value.to_string()));
        self
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Keeps the error that caused this one; its text becomes the line `cause`.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same error as another kind: what is not there is a wrong query where SQL names it.
    #[must_use]
    #[doc(hidden)]
    pub fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same error as a wrong argument of something larger: "cannot use rule 2: no key ...".
    #[must_use]
    #[doc(hidden)]
    pub fn argument_of(mut self, failed: &str) -> Self {
        self.kind = ErrorKind::Argument;
        self.message = format!("{failed}: {}", self.message);
        self
    }

    /// What sort of error this is.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Says what it is about, unless that is input.
    #[doc(hidden)]
    #[must_use]
    pub fn with_about(self, about: About) -> Self {
        Self { about, ..self }
    }

    /// What it is about.
    #[doc(hidden)]
    pub const fn about(&self) -> About {
        self.about
    }

    /// The first line, without context and hint.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The text of the error with the options in its hint as a surface writes them: option `` `run` `` is `--run` in the shell.
    ///
    /// ```
    /// use tracelake_model::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Argument, "cannot name the run").with_hint("give a name with option `run`");
    /// assert!(error.text_with(|option| format!("--{option}")).ends_with("hint:   give a name with --run"));
    /// ```
    #[must_use]
    pub fn text_with(&self, write: impl Fn(&str) -> String) -> String {
        let text = self.to_string();
        let Some((before, hint)) = self.hint.as_ref().and_then(|hint| Some((text.strip_suffix(hint.as_str())?, hint)))
        else {
            return text;
        };
        let mut parts = hint.split("option `");
        let first = parts.next().unwrap_or_default();
        parts.fold(format!("{before}{first}"), |text, part| match part.split_once('`') {
            Some((name, rest)) => format!("{text}{}{rest}", write(name)),
            None => format!("{text}option `{part}"),
        })
    }

    /// A name was not found among `known`: suggests the nearest, or lists at most 8 names.
    pub fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let not_found = |rest: &str| Self {
            about: if what.starts_with("run") { About::Input } else { About::Usage },
            ..Self::new(ErrorKind::NotFound, format!("no {what} `{name}`{rest}"))
        };
        let mut known: Vec<&str> = known.iter().copied().filter(|other| *other != name).collect();
        let mut in_a_family = known.iter().filter(|other| other.rsplit_once('.').is_some_and(|(_, last)| last == name));
        let near = match (in_a_family.next(), in_a_family.next()) {
            (Some(other), None) => Some(*other),
            _ => nearest(name, &known),
        };
        if let Some(near) = near {
            return not_found(&format!("; did you mean `{near}`?"));
        }
        let all = known.len();
        if all > NEAR_NAMES {
            known.sort_by_cached_key(|other| Likeness::of(name, other));
            known.truncate(NEAR_NAMES);
        }
        match all {
            0 if what == "parameter" => not_found("; there are no parameters"),
            0 => not_found(""),
            _ if all > NEAR_NAMES => {
                not_found("").with_hint(format!("the nearest of {all} names: {}", known.join(", ")))
            }
            _ => not_found("").with_hint(format!("there are: {}", known.join(", "))),
        }
    }
}

/// How many names a hint lists at most.
const NEAR_NAMES: usize = 8;

/// How near a name is to another one, nearest first: it contains it, then by Jaro-Winkler similarity.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Likeness(bool, u64);

impl Likeness {
    fn of(name: &str, other: &str) -> Self {
        let (name, other) = (name.to_lowercase(), other.to_lowercase());
        let distance = 1.0 - strsim::jaro_winkler(&name, &other);
        // Bits of doubles that are not negative sort as the doubles do.
        Self(!other.contains(&name), distance.max(0.0).to_bits())
    }
}

/// The known name most like `name`, if one is near enough to be a typing error.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= 1 + name.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| *candidate)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for (key, value) in &self.context {
            write!(f, "\n  {:<8}{value}", format!("{key}:"))?;
        }
        let mut cause = self.source.as_deref().map(|s| s as &dyn std::error::Error);
        while let Some(error) = cause {
            let text = error.to_string();
            if !self.message.contains(text.trim()) {
                write!(f, "\n  cause:  {}", text.trim())?;
            }
            cause = error.source();
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint:   {hint}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.kind.name())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|s| s as _)
    }
}

/// What a reader of another crate gives, or what is said of the bytes that it panicked on, as that of Parquet may: it is not to
/// be asked again.
#[doc(hidden)]
pub fn caught<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| "its reader stopped at corrupt bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_tells_the_whole_story() {
        let error = Error::new(ErrorKind::Malformed, "cannot read a.json: byte 0 is `<`")
            .with_context("format", "kineto")
            .with_source("expected value at line 1 column 1")
            .with_hint("the file is an HTML page; download it again");
        assert_eq!(
            error.to_string(),
            "cannot read a.json: byte 0 is `<`\n  format: kineto\n  cause:  expected value at line 1 column 1\n  \
             hint:   the file is an HTML page; download it again"
        );
    }

    #[test]
    fn a_slip_gets_a_suggestion_and_a_stranger_gets_the_list() {
        let known = ["step.duration", "step.outliers"];
        let slip = Error::unknown("query", "step.duratoin", &known);
        assert_eq!(slip.to_string(), "no query `step.duratoin`; did you mean `step.duration`?");
        let stranger = Error::unknown("query", "weather", &known);
        assert_eq!(stranger.to_string(), "no query `weather`\n  hint:   there are: step.duration, step.outliers");
    }

    #[test]
    fn of_many_names_eight_are_listed_and_never_the_one_that_was_given() {
        let many: Vec<String> =
            (0..40).map(|n| format!("query_{n}")).chain(["dur".to_owned(), "long_weather_name".to_owned()]).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let text = Error::unknown("query", "weather", &many).to_string();
        assert!(text.contains("hint:   the nearest of 42 names: long_weather_name, "), "{text}");
        assert_eq!(text.matches(", ").count(), 7, "{text}");
        assert_eq!(Error::unknown("column", "dur", &["dur"]).to_string(), "no column `dur`");
    }

    #[test]
    fn a_surface_writes_options_as_it_takes_them() {
        let error = Error::new(ErrorKind::Argument, "no option `x`").with_hint("set option `run`, or option `a_b`");
        let text = error.text_with(|name| format!("--{}", name.replace('_', "-")));
        assert_eq!(text, "no option `x`\n  hint:   set --run, or --a-b");
    }
}
