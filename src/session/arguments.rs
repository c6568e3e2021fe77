//! Arguments of the methods of a session: runs, the values of parameters, and how much a method does.

use std::collections::BTreeMap;

use super::Value;

/// The runs that a method is about: `()` for all runs, else one name or several. A method that changes or compares runs
/// needs names. An empty list selects no run, or is an error.
///
/// A name is that of a run or a baseline, a pattern (`nightly-*`), a condition (`commit=3fa2`), or the path or URL of a
/// profile. See [`Session::group`](crate::Session::group) and [`Session::resolve`](crate::Session::resolve).
///
/// ```
/// use tracelake::Runs;
///
/// assert_eq!(Runs::from("job-7"), Runs::from(["job-7"]));
/// assert_eq!(Runs::from(vec!["a", "b"]).names(), ["a", "b"]);
/// assert_eq!(Runs::from(()).selected(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Runs(Option<Vec<String>>);

impl Runs {
    /// All runs, as `()`.
    pub const fn all() -> Self {
        Self(None)
    }

    /// The names; empty for all runs.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().flatten().map(String::as_str).collect()
    }

    /// The names; None for all runs.
    pub fn selected(&self) -> Option<&[String]> {
        self.0.as_deref()
    }
}

macro_rules! runs_from {
    ($($ty:ty => |$runs:ident| $names:expr),* $(,)?) => {
        $(impl From<$ty> for Runs {
            fn from($runs: $ty) -> Self { Self($names) }
        })*
    };
}

runs_from! {
    () => |_runs| None,
    &str => |run| Some(vec![run.to_owned()]),
    &String => |run| Some(vec![run.clone()]),
    String => |run| Some(vec![run]),
    Vec<String> => |runs| Some(runs),
    &Vec<String> => |runs| Some(runs.clone()),
    &[String] => |runs| Some(runs.to_vec()),
    Option<&[String]> => |runs| runs.map(<[String]>::to_vec),
    &[&str] => |runs| Some(runs.iter().map(|&run| run.to_owned()).collect()),
    Vec<&str> => |runs| Some(runs.into_iter().map(str::to_owned).collect()),
    &Vec<&str> => |runs| Some(runs.iter().map(|&run| run.to_owned()).collect()),
}

impl<const N: usize> From<[&str; N]> for Runs {
    fn from(runs: [&str; N]) -> Self {
        Self::from(runs.as_slice())
    }
}

impl<const N: usize> From<&[&str; N]> for Runs {
    fn from(runs: &[&str; N]) -> Self {
        Self::from(runs.as_slice())
    }
}

/// The values of parameters by name; `()` for none.
///
/// ```
/// use tracelake::Arguments;
///
/// assert_eq!(Arguments::from([("factor", 3.0)]), Arguments::from(&[("factor", 3.0)]));
/// assert_eq!(Arguments::from(()), Arguments::default());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arguments(pub(crate) Vec<(String, Value)>);

impl From<()> for Arguments {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl<V: Into<Value> + Clone> From<&[(&str, V)]> for Arguments {
    fn from(values: &[(&str, V)]) -> Self {
        Self(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect())
    }
}

impl<V: Into<Value> + Clone, const N: usize> From<&[(&str, V); N]> for Arguments {
    fn from(values: &[(&str, V); N]) -> Self {
        Self::from(values.as_slice())
    }
}

impl<V: Into<Value> + Clone, const N: usize> From<[(&str, V); N]> for Arguments {
    fn from(values: [(&str, V); N]) -> Self {
        Self::from(values.as_slice())
    }
}

impl<V: Into<Value> + Clone> From<&Vec<(&str, V)>> for Arguments {
    fn from(values: &Vec<(&str, V)>) -> Self {
        Self::from(values.as_slice())
    }
}

impl From<BTreeMap<String, Value>> for Arguments {
    fn from(values: BTreeMap<String, Value>) -> Self {
        Self(values.into_iter().collect())
    }
}

/// Whether a method changes the lake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It changes the lake.
    Apply,
    /// It only returns what it would change.
    DryRun,
}

/// How much of the files of a lake a check reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckDepth {
    /// Their sizes.
    Sizes,
    /// All their bytes.
    Contents,
}
