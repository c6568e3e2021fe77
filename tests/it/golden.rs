//! The golden profiles. They are small, and their results were computed by hand.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tracelake::Session;
use tracelake::ingest::Request;

/// A session over the golden profiles: one lake for the whole binary, and no test writes to it.
pub(crate) fn golden() -> Session {
    static LAKE: OnceLock<(tempfile::TempDir, Session)> = OnceLock::new();
    let (_, session) = LAKE.get_or_init(|| {
        // A static is never dropped, so the lake is in a folder of the build, not in a temporary folder of the system.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
        let url = format!("{}/tests/data/golden/*", env!("CARGO_MANIFEST_DIR"));
        session.ingest(Request { url, ..Request::default() }).unwrap();
        (folder, session)
    });
    session.clone()
}

/// The files below a folder that have this extension, sorted by path.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}
