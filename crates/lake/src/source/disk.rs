//! A folder on a local disk: lists it with one system call per file, and writes files that survive
//! a power failure.
//!
//! The store needs several system calls per file: a lake of 10,000 runs has 10,000 manifests, and
//! opening it lists them all. Links, odd names and unreadable entries are left to the store, which
//! handles them. The store never calls fsync: after a power failure its files may be missing or
//! empty.

#![expect(clippy::disallowed_methods, reason = "source reads and writes files, and waits for its blocking work")]

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, ReadDir};
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;

use object_store::ObjectMeta;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use tokio::runtime::Handle;

/// Files that one blocking step lists; the task can be cancelled between steps.
const FILES_PER_STEP: usize = 1000;

/// Number of threads that flush files.
const SYNC_THREADS: usize = 8;

/// Folders that are being read, each below the previous one.
type OpenFolders = Vec<(Path, ReadDir)>;

/// Lists like [`ObjectStore::list`](object_store::ObjectStore::list) of the local disk, in any
/// order, and converts each object with `make`. None if only the store can list the folder.
pub(super) async fn list<T>(root: &Path, mut make: impl FnMut(ObjectMeta) -> T) -> Option<Vec<T>> {
    let folder = to_file_path(root).ok()?;
    let mut open = vec![(root.clone(), fs::read_dir(folder).ok()?)];
    let mut all = Vec::new();
    while !open.is_empty() {
        let files;
        (open, files) = run_blocking(move || list_next(open)).await?;
        all.extend(files.into_iter().map(&mut make));
    }
    Some(all)
}

/// Returns the next files, and the folders that are not read to the end.
fn list_next(mut open: OpenFolders) -> Option<(OpenFolders, Vec<ObjectMeta>)> {
    let mut files = Vec::new();
    while let Some((folder, entries)) = open.last_mut()
        && files.len() < FILES_PER_STEP
    {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let entry = entry.ok()?;
        let name = entry.file_name();
        // For the store, a number after `#` marks a file that is being written.
        let name = name.to_str().filter(|name| !name.contains('#'))?;
        let location = Path::parse(format!("{folder}/{name}")).ok()?;
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            open.push((location, fs::read_dir(entry.path()).ok()?));
        } else if kind.is_file() {
            files.push(object_meta(location, &entry.metadata().ok()?)?);
        } else {
            return None;
        }
    }
    Some((open, files))
}

/// Returns the size of a file in bytes; none if it does not exist.
pub(super) fn file_size(location: &Path) -> Option<u64> {
    fs::metadata(to_file_path(location).ok()?).ok().filter(Metadata::is_file).map(|file| file.len())
}

/// Runs blocking work on a thread for blocking tasks, like the store.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.ok()?,
        Err(_) => work(),
    }
}

/// Writes a file below `root` atomically and durably: after a crash or a power failure it is
/// complete or absent. With `create`, an existing file is an error.
pub(super) async fn write(root: &Path, location: &Path, bytes: Bytes, create: bool) -> object_store::Result<()> {
    let (root, path) = (to_file_path(root)?, to_file_path(location)?);
    let work = move || Some((write_durably(&root, &path, &bytes, create), path));
    match run_blocking(work).await {
        Some((Ok(()), _)) => Ok(()),
        Some((Err(source), path)) if source.kind() == io::ErrorKind::AlreadyExists => {
            Err(object_store::Error::AlreadyExists { path: path.display().to_string(), source: source.into() })
        }
        Some((Err(source), _)) => Err(disk_error(source)),
        None => Err(disk_error(io::Error::other("the write was cancelled"))),
    }
}

/// Flushes these files below `root`, and the folders that contain them, to the disk.
pub(super) async fn sync(root: &Path, locations: &[Path]) -> object_store::Result<()> {
    let root = to_file_path(root)?;
    let files = locations.iter().map(to_file_path).collect::<object_store::Result<Vec<_>>>()?;
    let result = run_blocking(move || Some(sync_files(&files).and_then(|()| sync_folders(&root, &files)))).await;
    result.unwrap_or_else(|| Err(io::Error::other("the flush was cancelled"))).map_err(disk_error)
}

fn to_file_path(location: &Path) -> object_store::Result<PathBuf> {
    LocalFileSystem::new().path_to_filesystem(location)
}

fn disk_error(source: io::Error) -> object_store::Error {
    object_store::Error::Generic { store: "LocalFileSystem", source: source.into() }
}

fn write_durably(root: &FilePath, path: &FilePath, bytes: &[u8], create: bool) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let (staged, mut file) = create_staged(path)?;
    let result = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| if create { fs::hard_link(&staged, path) } else { fs::rename(&staged, path) });
    if create || result.is_err() {
        let _ = fs::remove_file(&staged);
    }
    result?;
    sync_folders(root, &[path.to_owned()])
}

/// Creates a temporary file next to this one. object_store ignores names that end with `#` and a number.
fn create_staged(path: &FilePath) -> io::Result<(PathBuf, File)> {
    for number in 1.. {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("#{number}"));
        match File::create_new(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((name.into(), file?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Flushes files in several threads: a journaling file system then commits many at once.
fn sync_files(files: &[PathBuf]) -> io::Result<()> {
    let sync = |files: &[PathBuf]| files.iter().try_for_each(|file| File::open(file)?.sync_all());
    std::thread::scope(|threads| {
        let parts = files.chunks(files.len().div_ceil(SYNC_THREADS).max(1));
        let syncs: Vec<_> = parts.map(|files| threads.spawn(move || sync(files))).collect();
        let panicked = |_| Err(io::Error::other("a thread panicked"));
        syncs.into_iter().try_for_each(|sync| sync.join().unwrap_or_else(panicked))
    })
}

/// Flushes the folders of these files and all folders above: each may be new.
fn sync_folders(root: &FilePath, files: &[PathBuf]) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    let folders: BTreeSet<&FilePath> =
        files.iter().flat_map(|file| file.ancestors().skip(1)).filter(|folder| folder.starts_with(root)).collect();
    for folder in folders.into_iter().rev().chain(root.ancestors().skip(1)) {
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some file systems cannot flush a folder, and a folder above the lake may not be readable.
            Err(error) if matches!(error.kind(), InvalidInput | Unsupported | PermissionDenied) => {}
            done => done?,
        }
    }
    Ok(())
}

/// Lists incomplete files of writers that were killed or are still writing: path below the folder,
/// size in bytes, modification time in ns.
pub(super) fn list_unfinished(root: &Path) -> Vec<(String, u64, i64)> {
    let Ok(root) = to_file_path(root) else { return Vec::new() };
    let (mut files, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(file)) = (entry.path(), entry.metadata()) else { continue };
            if file.is_dir() {
                open.push(path);
            } else if let Some(below) =
                path.strip_prefix(&root).ok().and_then(FilePath::to_str).filter(|path| is_unfinished(path))
            {
                let modified = file.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
                let modified = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
                files.push((below.to_owned(), file.len(), modified));
            }
        }
    }
    files.sort();
    files
}

/// Removes an incomplete file. A missing file is not an error.
pub(super) fn remove_unfinished(root: &Path, path: &str) -> object_store::Result<()> {
    match fs::remove_file(to_file_path(root)?.join(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk_error(error)),
        _ => Ok(()),
    }
}

/// Whether object_store treats this name as a file that is being written.
fn is_unfinished(path: &str) -> bool {
    path.rsplit_once('#')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the metadata with the version mark of the store: an object that was listed here is
/// compared with one that the store reads.
fn object_meta(location: Path, file: &Metadata) -> Option<ObjectMeta> {
    let modified = file.modified().ok()?;
    let micros = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    let size = file.len();
    let e_tag = Some(format!("{:x}-{micros:x}-{size:x}", inode(file)));
    Some(ObjectMeta { location, last_modified: modified.into(), size, e_tag, version: None })
}

#[cfg(unix)]
fn inode(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use object_store::ObjectStore;

    use super::*;

    fn list_both_ways(folder: &FilePath) -> (Option<Vec<ObjectMeta>>, Vec<ObjectMeta>) {
        let root = Path::from_absolute_path(folder.canonicalize().unwrap()).unwrap();
        let sorted = |mut objects: Vec<ObjectMeta>| {
            objects.sort_by(|a, b| a.location.cmp(&b.location));
            objects
        };
        let ours = futures::executor::block_on(list(&root, |object| object));
        let store = futures::executor::block_on(LocalFileSystem::new().list(Some(&root)).try_collect());
        (ours.map(sorted), sorted(store.unwrap()))
    }

    #[test]
    fn the_list_equals_that_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.json", "b/c.json", "b/d/e f.json", "b/run=ä%20ö/g+h~.json", "i/.hidden", "i/j=k/l"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        fs::create_dir(folder.path().join("empty")).unwrap();
        for number in 0..=2 * FILES_PER_STEP {
            fs::write(folder.path().join(format!("i/{number}")), "").unwrap();
        }
        let (ours, store) = list_both_ways(folder.path());
        assert_eq!(store.len(), 6 + 2 * FILES_PER_STEP + 1);
        assert_eq!(ours, Some(store));
    }

    #[cfg(unix)]
    #[test]
    fn odd_entries_are_left_to_the_store() {
        let odd: [fn(&FilePath); 4] = [
            |folder| std::os::unix::fs::symlink("nowhere", folder.join("link")).unwrap(),
            |folder| std::os::unix::fs::symlink("plain", folder.join("link")).unwrap(),
            |folder| fs::write(folder.join("staged#1"), "").unwrap(),
            |folder| drop(std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap()),
        ];
        for make in odd {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("plain"), "1").unwrap();
            assert!(list_both_ways(folder.path()).0.is_some());
            make(folder.path());
            assert_eq!(list_both_ways(folder.path()).0, None);
        }
        let root = Path::from_absolute_path(std::env::temp_dir().join("tracelake-none")).unwrap();
        assert_eq!(futures::executor::block_on(list(&root, |object| object)), None);
    }
}
