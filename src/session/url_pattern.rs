//! An address with `*`, which stands for many profiles.

use super::runs::matches;

/// The address of many profiles. A `*` matches any letters of one name.
pub(super) struct UrlPattern<'a> {
    /// The address before the first name with a `*`.
    pub(super) base: &'a str,
    /// The names after it.
    names: Vec<&'a str>,
    /// Whether the address ends with `/`, so that it matches no files.
    is_folder: bool,
}

impl<'a> UrlPattern<'a> {
    pub(super) fn parse(url: &'a str) -> Self {
        let before = url.find('*').unwrap_or(url.len());
        let (base, names) = url.split_at(url[..before].rfind('/').map_or(0, |slash| slash + 1));
        Self { base, names: names.trim_end_matches('/').split('/').collect(), is_folder: names.ends_with('/') }
    }

    /// Returns the path of the profile to which an object below the base belongs, and the name of its run: the names that a
    /// `*` matches, joined with `-`. A `*` alone matches no files, because files next to folders of profiles are not profiles.
    pub(super) fn profile(&self, object: &str) -> Option<(String, String)> {
        let mut rest = object.split('/');
        let mut parts = Vec::new();
        for pattern in &self.names {
            parts.push(rest.next().filter(|name| matches(pattern, name))?);
        }
        if rest.next().is_none() && (self.is_folder || self.names.last() == Some(&"*")) {
            return None;
        }
        let starred = self.names.iter().zip(&parts).filter(|(pattern, _)| pattern.contains('*'));
        let run: Vec<&str> = starred.map(|(_, name)| *name).collect();
        Some((parts.join("/"), run.join("-")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_alone_matches_folders_and_with_letters_also_files() {
        let paths = ["README.md", "job-1/out/a.json", "job-1/out/b.json", "job-2/in/a.json", "x.json", "y.json.gz"];
        let names = |url: &str| {
            let pattern = UrlPattern::parse(url);
            assert_eq!(pattern.base, "s3://b/jobs/");
            let mut names: Vec<String> =
                paths.iter().filter_map(|path| pattern.profile(path)).map(|(_, run)| run).collect();
            names.dedup();
            names
        };
        assert_eq!(names("s3://b/jobs/*"), ["job-1", "job-2"]);
        assert_eq!(names("s3://b/jobs/*/"), ["job-1", "job-2"]);
        assert_eq!(names("s3://b/jobs/*/out"), ["job-1"]);
        assert_eq!(names("s3://b/jobs/*/out/b.json"), ["job-1"]);
        assert_eq!(names("s3://b/jobs/*/ou"), [""; 0]);
        assert_eq!(names("s3://b/jobs/*2/in/"), ["job-2"]);
        assert_eq!(names("s3://b/jobs/*.json"), ["x.json"]);
        assert_eq!(names("s3://b/jobs/y*"), ["y.json.gz"]);
        assert_eq!(names("s3://b/jobs/job-1*1"), [""; 0]);
        assert_eq!(names("s3://b/jobs/job-*/*/"), ["job-1-out", "job-2-in"]);
        assert_eq!(names("s3://b/jobs/*/*/a*.json"), ["job-1-out-a.json", "job-2-in-a.json"]);
        assert_eq!(names("s3://b/jobs/j*-*"), ["job-1", "job-2"]);
        assert_eq!(UrlPattern::parse("*.json").base, "");
    }

    #[test]
    fn the_path_of_a_profile_ends_with_the_last_name() {
        let profile = |url, object| UrlPattern::parse(url).profile(object);
        let expected = Some(("a/jobs/7/out".to_owned(), "a-7".to_owned()));
        assert_eq!(profile("s3://b/*/jobs/*/out", "a/jobs/7/out/system/x.json"), expected);
        assert_eq!(profile("s3://b/*/jobs/*/out", "a/job/7/out/system/x.json"), None);
    }
}
