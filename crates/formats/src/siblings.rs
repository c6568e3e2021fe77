//! The files of a profile, and what only the names of all of them tell.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use super::sagemaker_framework;

/// Paths of all files below a profile's root, `/` between folders. What is asked of all of them for each file is found
/// once: there may be a million.
///
/// ```
/// use tracelake_formats::Siblings;
/// let files: Siblings = ["b/report.txt", "a/report.txt", "a/x/trace.json"].into_iter().collect();
/// assert!(files.contains("a/report.txt") && !files.contains("report.txt"));
/// assert_eq!(files.in_folder("a").collect::<Vec<_>>(), ["report.txt"]);
/// assert!(files.is_repeated("report.txt") && !files.is_repeated("trace.json"));
/// ```
#[derive(Debug, Default)]
pub struct Siblings {
    /// Sorted.
    paths: Vec<Arc<str>>,
    processes: OnceLock<BTreeSet<(i64, String)>>,
    repeated: OnceLock<HashSet<Box<str>>>,
}

impl<T: Into<Arc<str>>> FromIterator<T> for Siblings {
    fn from_iter<I: IntoIterator<Item = T>>(paths: I) -> Self {
        let mut paths: Vec<Arc<str>> = paths.into_iter().map(Into::into).collect();
        paths.sort_unstable();
        Self { paths, ..Self::default() }
    }
}

impl Siblings {
    /// All paths, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(AsRef::as_ref)
    }

    /// Whether there is a file of this path.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.binary_search_by(|other| other.as_ref().cmp(path)).is_ok()
    }

    /// Names of the files in a folder, without those of the folders in it; an empty path is the root.
    pub fn in_folder<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.paths.partition_point(|path| path.as_ref() < start.as_str());
        let below = self.paths[from..].iter().map_while(move |path| path.strip_prefix(start.as_str()));
        below.filter(|name| !name.contains('/'))
    }

    /// Whether several folders have a file of this name.
    pub fn is_repeated(&self, name: &str) -> bool {
        let find = || {
            let mut seen = HashSet::new();
            let names = self.iter().map(|path| path.rsplit('/').next().unwrap_or(path));
            names.filter(|name| !seen.insert(*name)).map(Box::from).collect()
        };
        self.repeated.get_or_init(find).contains(name)
    }

    /// The number and the machine of each process that timelines and Python profiles of SageMaker are called after.
    pub(super) fn processes(&self) -> &BTreeSet<(i64, String)> {
        self.processes.get_or_init(|| sagemaker_framework::processes(self.iter()))
    }
}
