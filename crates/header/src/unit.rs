//! Types and units of columns.
//!
//! Both are closed lists of words: headers, tables, frames and axes all use the same ones.

use std::fmt;

/// Declares an enum with one word for each variant. The error of `parse` lists all words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),* }
        impl $name {
            /// All words, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word, as written in headers, help tables and frames.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Parses a word; the error lists the allowed ones.
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
        /// A count.
        Count = "count",
        /// A fraction from 0 to 1.
        Ratio = "ratio",
        /// A multiple: 2 is twice as much.
        Factor = "factor",
        /// A percentage, as a profiler recorded it.
        Percent = "percent",
        /// Bytes.
        Bytes = "bytes",
        /// Per second.
        PerS = "per_s",
        /// Bytes per second.
        BytesPerS = "bytes_per_s",
        /// Free text.
        Text = "text",
        /// URL of a file or folder.
        Url = "url",
        /// A JSON document.
        Json = "json",
        /// Given by another column, row by row.
        Mixed = "mixed",
    }
);

impl Unit {
    /// The suffix that the name of a column of this unit must have. Times and durations without a
    /// suffix are in ns.
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
