//! The error type of all crates: a kind to branch on, a sentence to read, and a hint.
//!
//! `Display` prints all of it, because a notebook cell, Python and the shell show nothing else.

use std::fmt;
use std::iter::successors;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a function that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Declares the kinds of errors, with their names.
macro_rules! error_kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$kind_doc:meta])* $kind:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$kind_doc])* $kind),* }

        impl $name {
            /// The name of the kind: that of the Python class without `Error`.
            ///
            /// ```
            /// assert_eq!(tracelake_model::ErrorKind::NotFound.name(), "NotFound");
            /// ```
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind)),* }
            }

            /// Returns the kind with this name; a name that is not known counts as `Internal`.
            #[doc(hidden)]
            pub fn from_name(name: &str) -> Self {
                match name {
                    $(stringify!($kind) => Self::$kind,)*
                    _ => Self::Internal,
                }
            }
        }
    };
}

error_kinds!(
    /// What went wrong.
    ///
    /// A kind says what the caller can do about the error, so a new profiler format must not add
    /// one.
    ErrorKind {
        /// A file, prefix, bucket, run, table, query or figure does not exist.
        NotFound,
        /// The store rejected the credentials, or they lack a permission.
        Denied,
        /// The store did not respond.
        Unreachable,
        /// No format recognizes this input.
        Unrecognized,
        /// The input has a known format, but none of it could be read.
        Malformed,
        /// The SQL is invalid, or not allowed here.
        Query,
        /// An argument is missing, unknown, or of the wrong type.
        Argument,
        /// Another process changed the same run, or another profile uses the name.
        Conflict,
        /// Disk or memory is full.
        Exhausted,
        /// The caller cancelled the call.
        Cancelled,
        /// A bug.
        Internal,
    }
);

/// What an error concerns: its kind says what went wrong there.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorSubject {
    /// A profile, run or other file that is read.
    Input,
    /// The credentials or the clock of this machine: all other reads fail, too.
    Credentials,
    /// An argument: the name of a query, figure, column or the like.
    Usage,
    /// The lake, or another file that is written.
    Output,
}

/// An error with its kind, context and, if there is one, a hint.
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
    subject: ErrorSubject,
    message: String,
    context: Vec<(&'static str, String)>,
    hint: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Creates an error. The message starts with a verb and has no full stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let (subject, message) = (ErrorSubject::Input, message.into());
        Self { kind, subject, message, context: Vec::new(), hint: None, source: None }
    }

    /// Adds a line `key: value` below the message.
    #[must_use]
    pub fn with_context(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.context.push((key, value.to_string()));
        self
    }

    /// Adds a hint: what the user can do about the error.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the error that caused this one; its text becomes the line `cause`.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Changes the kind: a missing object is an invalid query if SQL names it.
    #[must_use]
    #[doc(hidden)]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Turns the error into that of an invalid argument: "cannot use rule 2: no key ...".
    #[must_use]
    #[doc(hidden)]
    pub fn into_argument_error(mut self, failed: &str) -> Self {
        self.kind = ErrorKind::Argument;
        self.message = format!("{failed}: {}", self.message);
        self
    }

    /// The kind of the error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Sets what the error concerns; the default is input.
    #[doc(hidden)]
    #[must_use]
    pub fn with_subject(self, subject: ErrorSubject) -> Self {
        Self { subject, ..self }
    }

    /// What the error concerns.
    #[doc(hidden)]
    pub const fn subject(&self) -> ErrorSubject {
        self.subject
    }

    /// Whether access is denied to one object, while others may be readable.
    #[doc(hidden)]
    pub fn is_denied_object(&self) -> bool {
        self.kind == ErrorKind::Denied && self.subject == ErrorSubject::Input
    }

    /// The first line, without context and hint.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the user can do about the error, if that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Returns the text of the error, with the options in its hint in the syntax of an interface:
    /// option `` `run` `` is `--run` in the shell.
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

    /// The error for a name that is not among `known`. Suggests the most similar name, or lists up
    /// to 8 names.
    pub fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let not_found = |rest: &str| Self {
            subject: if what.starts_with("run") { ErrorSubject::Input } else { ErrorSubject::Usage },
            ..Self::new(ErrorKind::NotFound, format!("no {what} `{name}`{rest}"))
        };
        let mut known: Vec<&str> = known.iter().copied().filter(|other| *other != name).collect();
        let mut same_last_part =
            known.iter().filter(|other| other.rsplit_once('.').is_some_and(|(_, last)| last == name));
        let suggestion = match (same_last_part.next(), same_last_part.next()) {
            (Some(other), None) => Some(*other),
            _ => nearest(name, &known),
        };
        if let Some(near) = suggestion {
            return not_found(&format!("; did you mean `{near}`?"));
        }
        let count = known.len();
        if count > MAX_NAMES {
            known.sort_by_cached_key(|other| Distance::new(name, other));
            known.truncate(MAX_NAMES);
        }
        match count {
            0 if what == "parameter" => not_found("; there are no parameters"),
            0 => not_found(""),
            _ if count > MAX_NAMES => {
                not_found("").with_hint(format!("the nearest of {count} names: {}", known.join(", ")))
            }
            _ => not_found("").with_hint(format!("there are: {}", known.join(", "))),
        }
    }
}

/// Maximum number of names in a hint.
const MAX_NAMES: usize = 8;

/// Sort key of a candidate: names that contain the unknown name come first, then by Jaro-Winkler
/// similarity.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Distance(bool, u64);

impl Distance {
    fn new(name: &str, other: &str) -> Self {
        let (name, other) = (name.to_lowercase(), other.to_lowercase());
        let distance = 1.0 - strsim::jaro_winkler(&name, &other);
        // The bits of doubles sort like the doubles if these are not negative.
        Self(!other.contains(&name), distance.max(0.0).to_bits())
    }
}

/// Returns the known name that `name` is most likely a typing error of, if there is one.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
    let distances = known.iter().copied().map(|candidate| (distance(candidate), candidate));
    let similar = distances.filter(|(distance, _)| *distance <= 1 + name.len() / 4);
    similar.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for (key, value) in &self.context {
            write!(f, "\n  {:<8}{value}", format!("{key}:"))?;
        }
        for error in successors(std::error::Error::source(self), |error| error.source()) {
            let text = error.to_string();
            if !self.message.contains(text.trim()) {
                write!(f, "\n  cause:  {}", text.trim())?;
            }
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

/// Returns the first error of this type among an error and its causes.
#[doc(hidden)]
pub fn find_cause<'a, T: std::error::Error + 'static>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a T> {
    successors(Some(error), |error| error.source()).find_map(|error| error.downcast_ref())
}

/// Calls a reader of another crate, such as Parquet, and catches its panic on corrupt bytes. Do not
/// use the reader after an error.
#[doc(hidden)]
pub fn catch_panic<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| "its reader stopped at corrupt bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_has_context_cause_and_hint() {
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
    fn a_similar_name_is_suggested_else_all_names_are_listed() {
        let known = ["step.duration", "step.outliers"];
        let similar = Error::unknown("query", "step.duratoin", &known);
        assert_eq!(similar.to_string(), "no query `step.duratoin`; did you mean `step.duration`?");
        let different = Error::unknown("query", "weather", &known);
        assert_eq!(different.to_string(), "no query `weather`\n  hint:   there are: step.duration, step.outliers");
    }

    #[test]
    fn eight_of_many_names_are_listed_without_the_unknown_one() {
        let many: Vec<String> =
            (0..40).map(|n| format!("query_{n}")).chain(["dur".to_owned(), "long_weather_name".to_owned()]).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let text = Error::unknown("query", "weather", &many).to_string();
        assert!(text.contains("hint:   the nearest of 42 names: long_weather_name, "), "{text}");
        assert_eq!(text.matches(", ").count(), 7, "{text}");
        assert_eq!(Error::unknown("column", "dur", &["dur"]).to_string(), "no column `dur`");
    }

    #[test]
    fn options_are_written_in_the_syntax_of_the_interface() {
        let error = Error::new(ErrorKind::Argument, "no option `x`").with_hint("set option `run`, or option `a_b`");
        let text = error.text_with(|name| format!("--{}", name.replace('_', "-")));
        assert_eq!(text, "no option `x`\n  hint:   set --run, or --a-b");
    }
}
