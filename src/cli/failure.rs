//! The failure of a command: its message on stderr, and its exit code.

use std::fmt::{self, Write as _};

use crate::error::{Error, ErrorKind, ErrorSubject};

/// An error of a command.
#[derive(Debug)]
pub(super) struct CommandFailure {
    /// In a box, so that results stay small.
    error: Box<Error>,
    /// The action that failed, when the message of the error does not contain it.
    action: Option<String>,
}

impl From<Error> for CommandFailure {
    fn from(error: Error) -> Self {
        Self { error: Box::new(error), action: None }
    }
}

impl CommandFailure {
    /// Returns a failure of reading or writing the lake or the output.
    pub(super) fn lake(error: Error) -> Self {
        Self::from(error.with_subject(ErrorSubject::Output))
    }

    /// Returns the error, without the action.
    pub(super) fn into_error(self) -> Error {
        *self.error
    }

    /// Adds the action that failed: "cannot open lake my_lake".
    #[must_use]
    pub(super) fn with_action(self, action: String) -> Self {
        Self { action: Some(action), ..self }
    }

    /// Returns the exit code.
    pub(super) fn code(&self) -> u8 {
        // The exit codes of usage, of input, and of lake or output differ.
        let subject = self.error.subject();
        match self.error.kind() {
            ErrorKind::Query | ErrorKind::Argument => 2,
            ErrorKind::NotFound if subject == ErrorSubject::Usage => 2,
            ErrorKind::NotFound
            | ErrorKind::Denied
            | ErrorKind::Unreachable
            | ErrorKind::Unrecognized
            | ErrorKind::Malformed
                if subject == ErrorSubject::Output =>
            {
                4
            }
            ErrorKind::NotFound
            | ErrorKind::Denied
            | ErrorKind::Unreachable
            | ErrorKind::Unrecognized
            | ErrorKind::Malformed => 3,
            ErrorKind::Conflict | ErrorKind::Exhausted => 4,
            ErrorKind::Cancelled => 130,
            // Internal, and kinds that a later version may add.
            _ => 5,
        }
    }
}

/// Escapes control characters, since names of files and runs may contain them.
impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.error.text_with(|option| match option {
            // A command that only reads creates no lake, and tables of a session end with it.
            "create" | "writable" => format!("`{option}` of a session in Python or Rust"),
            option => format!("--{}", option.replace('_', "-")),
        });
        if let Some(action) = &self.action {
            text = format!("{action}: {text}");
        }
        if self.error.kind() == ErrorKind::Internal && self.error.hint().is_none() {
            text.push_str("\n  hint:   this is a bug: please report it with the command that failed");
        }
        for c in text.chars() {
            if c.is_control() && c != '\n' { write!(f, "{}", c.escape_default())? } else { f.write_char(c)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_begins_with_the_action() {
        let error = Error::new(ErrorKind::Denied, "cannot list s3://b/lake: the store refused")
            .with_context("store", "b\u{1b}[31m")
            .with_source("403")
            .with_hint("give credentials");
        let failure = CommandFailure::lake(error).with_action("cannot open lake s3://b/lake".to_owned());
        assert_eq!(failure.code(), 4);
        assert_eq!(
            failure.to_string(),
            "cannot open lake s3://b/lake: cannot list s3://b/lake: the store refused\n  store:  b\\u{1b}[31m\n  \
             cause:  403\n  hint:   give credentials"
        );
    }

    #[test]
    fn the_exit_code_depends_on_the_kind_and_the_subject() {
        let code = |kind, lake: bool| {
            let error = Error::new(kind, "cannot read x");
            if lake { CommandFailure::lake(error).code() } else { CommandFailure::from(error).code() }
        };
        assert_eq!((code(ErrorKind::NotFound, false), code(ErrorKind::NotFound, true)), (3, 4));
        assert_eq!((code(ErrorKind::Query, false), code(ErrorKind::Query, true)), (2, 2));
        assert_eq!((code(ErrorKind::Conflict, false), code(ErrorKind::Cancelled, false)), (4, 130));
        assert_eq!(
            CommandFailure::from(
                Error::new(ErrorKind::Denied, "cannot write s3://b/x").with_subject(ErrorSubject::Output)
            )
            .code(),
            4
        );
    }

    #[test]
    fn a_bug_asks_to_be_reported() {
        let failure = CommandFailure::from(Error::new(ErrorKind::Internal, "cannot go on"));
        assert_eq!(failure.code(), 5);
        let report = "cannot go on\n  hint:   this is a bug: please report it with the command that failed";
        assert_eq!(failure.to_string(), report);
    }
}
