//! The paths of all files of a profile, and facts that depend on all of them.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use super::{file_name, sagemaker_framework};

/// Paths of all files below the root of a profile, with `/` between folders. Facts that every file needs and
/// that depend on all paths are computed once, because there may be a million files.
///
/// ```
/// use tracelake_formats::Siblings;
/// let files: Siblings = ["b/report.txt", "a/report.txt", "a/x/trace.json"].into_iter().collect();
/// assert!(files.contains("a/report.txt") && !files.contains("report.txt"));
/// assert_eq!(files.in_folder("a").collect::<Vec<_>>(), ["report.txt"]);
/// assert!(files.has_duplicate("report.txt") && !files.has_duplicate("trace.json"));
/// ```
#[derive(Debug, Default)]
pub struct Siblings {
    /// Sorted.
    paths: Vec<Arc<str>>,
    processes: OnceLock<BTreeSet<(i64, String)>>,
    repeated_names: OnceLock<HashSet<Box<str>>>,
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

    /// Returns true if there is a file with this path.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.binary_search_by(|other| other.as_ref().cmp(path)).is_ok()
    }

    /// Names of the files in a folder, without those in its subfolders. An empty path is the root.
    pub fn in_folder<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let first = self.paths.partition_point(|path| path.as_ref() < prefix.as_str());
        let below = self.paths[first..].iter().map_while(move |path| path.strip_prefix(prefix.as_str()));
        below.filter(|name| !name.contains('/'))
    }

    /// Returns true if several folders have a file of this name.
    pub fn has_duplicate(&self, name: &str) -> bool {
        let find_repeated = || {
            let mut names = HashSet::new();
            let all = self.iter().map(file_name);
            all.filter(|name| !names.insert(*name)).map(Box::from).collect()
        };
        self.repeated_names.get_or_init(find_repeated).contains(name)
    }

    /// The number and the machine of each process in the file names of SageMaker's timelines and Python
    /// profiles.
    pub(super) fn processes(&self) -> &BTreeSet<(i64, String)> {
        self.processes.get_or_init(|| sagemaker_framework::processes(self.iter()))
    }
}
