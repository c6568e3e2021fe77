//! What a column holds: its SQL type and what its numbers mean.
//!
//! Both are closed lists, so that headers, tables, frames and axes say the same words.

use std::fmt;

/// A closed list of words: an enum whose `parse` names the alternatives.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),* }
        impl $name {
            /// All words of the list.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word as it stands in a header, in the help tables and on a frame.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Reads the word; the error names the alternatives.
            pub fn parse(word: &str) -> Result<Self, String> {
                match word {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(format!("unknown {} `{word}`; one of: {}", $what, Self::WORDS.join(", "))),
                }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_str()) }
        }
    };
}

words!(
    /// The SQL type of a column.
    Type, "type" {
        /// Signed 64-bit integer.
        Bigint = "bigint",
        /// 64-bit floating point.
        Double = "double",
        /// UTF-8 text.
        Text = "text",
        /// True or false.
        Boolean = "boolean",
    }
);

words!(
    /// What the values of a column mean.
    ///
    /// ```
    /// use tracelake_header::unit::Unit;
    ///
    /// assert_eq!(Unit::parse("ns"), Ok(Unit::Ns));
    /// assert!(Unit::parse("furlongs").unwrap_err().starts_with("unknown unit `furlongs`; one of: id, name"));
    /// ```
    Unit, "unit" {
        /// A key.
        Id = "id",
        /// A name.
        Name = "name",
        /// True or false.
        Flag = "flag",
        /// Nanoseconds since the Unix epoch, UTC; shown as a timestamp.
        Time = "time",
        /// Nanoseconds.
        Ns = "ns",
        /// Microseconds.
        Us = "us",
        /// Milliseconds.
        Ms = "ms",
        /// Seconds.
        S = "s",
        /// How many.
        Count = "count",
        /// A share from 0 to 1.
        Ratio = "ratio",
        /// So many times as much.
        Factor = "factor",
        /// A percentage as a profiler recorded it.
        Percent = "percent",
        /// Bytes.
        Bytes = "bytes",
        /// Per second.
        PerS = "per_s",
        /// Bytes per second.
        BytesPerS = "bytes_per_s",
        /// Free text.
        Text = "text",
        /// Address of a file or folder.
        Url = "url",
        /// A JSON document.
        Json = "json",
        /// Another column says the unit, row by row.
        Mixed = "mixed",
    }
);

impl Unit {
    /// How the name of a column of this unit ends: time is ns unless the name says otherwise.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::BytesPerS => "bytes_per_s",
            Self::PerS => "per_s",
            Self::S => "_s",
            Self::Ms => "_ms",
            Self::Us => "_us",
            _ => "",
        }
    }
}
