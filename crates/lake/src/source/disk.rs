//! A folder on a local disk: lists it with one system call per file, and writes files that survive
//! a power failure.
//!
//! The store needs several system calls per file: a lake of 10,000 runs has 10,000 manifests, and
//! opening it lists them all; and it fails for a folder with one entry that cannot be listed. The
//! store never calls fsync: after a power failure its files may be missing or empty.

#![expect(clippy::disallowed_methods, reason = "source reads and writes files, and waits for its blocking work")]

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirEntry, File, Metadata, ReadDir};
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

/// Folders that links led to. Each is read once: links can multiply the paths of a file without limit.
type LinkedFolders = HashSet<PathBuf>;

/// Files of a folder, and what cannot be listed.
pub(super) struct Listing<T> {
    pub(super) files: Vec<T>,
    pub(super) unlisted: Vec<Unlisted>,
}

/// An entry of a folder that cannot be listed.
pub(super) struct Unlisted {
    /// Its path in the store. Bytes that are not UTF-8 are replaced.
    pub(super) location: Path,
    pub(super) why: Why,
}

/// Why an entry cannot be listed.
pub(super) enum Why {
    /// A name that no store can have.
    Name,
    /// A key that no path can have.
    Key,
    /// A symbolic link to one of its parent folders, or to itself.
    Loop,
    /// An error of the file system.
    Io(io::Error),
}

/// Lists like [`ObjectStore::list`](object_store::ObjectStore::list) of the local disk, in any
/// order, and converts each object with `make`. Missing folders, unfinished files and special files, such as sockets, are
/// not listed. An entry that cannot be listed does not affect the others.
pub(super) async fn list<T>(root: &Path, mut make: impl FnMut(ObjectMeta) -> T) -> Listing<T> {
    let mut listing = Listing { files: Vec::new(), unlisted: Vec::new() };
    let mut open = match to_file_path(root).and_then(fs::read_dir) {
        Ok(entries) => vec![(root.clone(), entries)],
        Err(error) => {
            listing.unlisted.extend(unlisted(root.clone(), error));
            return listing;
        }
    };
    let mut linked = LinkedFolders::new();
    while !open.is_empty() {
        let next;
        (open, linked, next) = match run_blocking(move || list_next(open, linked)).await {
            Ok(next) => next,
            Err(error) => {
                listing.unlisted.extend(unlisted(root.clone(), error));
                break;
            }
        };
        listing.files.extend(next.files.into_iter().map(&mut make));
        listing.unlisted.extend(next.unlisted);
    }
    listing
}

/// Returns the next files, and the folders that are not read to the end.
fn list_next(mut open: OpenFolders, mut linked: LinkedFolders) -> (OpenFolders, LinkedFolders, Listing<ObjectMeta>) {
    let mut listing = Listing { files: Vec::new(), unlisted: Vec::new() };
    while let Some((folder, mut entries)) = open.pop() {
        while let Some(entry) = entries.next() {
            let inner = match entry {
                Ok(entry) => list_entry(&folder, &entry, &open, &mut linked, &mut listing),
                Err(error) => {
                    listing.unlisted.extend(unlisted(folder.clone(), error));
                    None
                }
            };
            if inner.is_some() || listing.files.len() >= FILES_PER_STEP {
                open.push((folder, entries));
                open.extend(inner);
                break;
            }
        }
        if listing.files.len() >= FILES_PER_STEP {
            break;
        }
    }
    (open, linked, listing)
}

/// Adds an entry of a folder, or opens the folder that it is. `above` has the folders above.
fn list_entry(
    folder: &Path,
    entry: &DirEntry,
    above: &OpenFolders,
    linked: &mut LinkedFolders,
    listing: &mut Listing<ObjectMeta>,
) -> Option<(Path, ReadDir)> {
    let os_name = entry.file_name();
    let name = os_name.to_string_lossy();
    if is_unfinished(&name) {
        return None;
    }
    let location = match Path::parse(format!("{folder}/{name}")) {
        Ok(location) if os_name.to_str().is_some() => location,
        parsed => {
            let location = parsed.unwrap_or_else(|_| folder.clone().join(&*name));
            listing.unlisted.push(Unlisted { location, why: Why::Name });
            return None;
        }
    };
    let mut add = || -> io::Result<Option<ReadDir>> {
        let file_type = entry.file_type()?;
        let file = if file_type.is_symlink() {
            fs::metadata(entry.path())?
        } else if file_type.is_dir() {
            return fs::read_dir(entry.path()).map(Some);
        } else {
            entry.metadata()?
        };
        if file.is_file() {
            listing.files.extend(object_meta(location.clone(), &file));
        } else if file.is_dir() {
            let target = fs::canonicalize(entry.path())?;
            let is_target =
                |folder: &Path| to_file_path(folder).and_then(fs::canonicalize).is_ok_and(|path| path == target);
            if is_target(folder) || above.iter().any(|(folder, _)| is_target(folder)) {
                listing.unlisted.push(Unlisted { location: location.clone(), why: Why::Loop });
                return Ok(None);
            }
            if linked.insert(target) {
                return fs::read_dir(entry.path()).map(Some);
            }
        }
        Ok(None)
    };
    match add() {
        Ok(entries) => entries.map(|entries| (location, entries)),
        Err(error) => {
            listing.unlisted.extend(unlisted(location, error));
            None
        }
    }
}

/// Returns the entry unless it does not exist any more, or is a link to nothing.
fn unlisted(location: Path, error: io::Error) -> Option<Unlisted> {
    let is_missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    // The standard library has no stable kind for it.
    let why = if error.to_string().contains("symbolic link") { Why::Loop } else { Why::Io(error) };
    (!is_missing).then_some(Unlisted { location, why })
}

/// Returns what a special file is, such as a FIFO. None for a file, a folder, or nothing.
pub(super) fn special_file(location: &Path) -> Option<&'static str> {
    let kind = fs::metadata(to_file_path(location).ok()?).ok()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a FIFO");
        } else if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
}

/// Returns the size of a file in bytes; none if it does not exist.
pub(super) fn file_size(location: &Path) -> Option<u64> {
    fs::metadata(to_file_path(location).ok()?).ok().filter(Metadata::is_file).map(|file| file.len())
}

/// Runs blocking work on a thread for blocking tasks, like the store.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.map_err(|_| io::Error::other("the call was cancelled")),
        Err(_) => Ok(work()),
    }
}

/// Writes a file below `root` atomically and durably: after a crash or a power failure it is
/// complete or absent. With `create`, an existing file is an error.
pub(super) async fn write(root: &Path, location: &Path, bytes: Bytes, create: bool) -> object_store::Result<()> {
    let (root, path) = (to_file_path(root).map_err(disk_error)?, to_file_path(location).map_err(disk_error)?);
    let name = path.display().to_string();
    match run_blocking(move || write_durably(&root, &path, &bytes, create)).await.flatten() {
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists => {
            Err(object_store::Error::AlreadyExists { path: name, source: source.into() })
        }
        done => done.map_err(disk_error),
    }
}

/// Flushes these files below `root`, and the folders that contain them, to the disk.
pub(super) async fn sync(root: &Path, locations: &[Path]) -> object_store::Result<()> {
    let root = to_file_path(root).map_err(disk_error)?;
    let files = locations.iter().map(to_file_path).collect::<io::Result<Vec<_>>>().map_err(disk_error)?;
    let sync = move || sync_files(&files).and_then(|()| sync_folders(&root, &files));
    run_blocking(sync).await.flatten().map_err(disk_error)
}

fn to_file_path(location: &Path) -> io::Result<PathBuf> {
    LocalFileSystem::new().path_to_filesystem(location).map_err(io::Error::other)
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
    match to_file_path(root).and_then(|root| fs::remove_file(root.join(path))) {
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

    fn root_of(folder: &FilePath) -> Path {
        Path::from_absolute_path(folder.canonicalize().unwrap()).unwrap()
    }

    fn listed(folder: &FilePath) -> Listing<ObjectMeta> {
        let mut listing = futures::executor::block_on(list(&root_of(folder), |object| object));
        listing.files.sort_by(|a, b| a.location.cmp(&b.location));
        listing
    }

    fn listed_by_store(folder: &FilePath) -> Vec<ObjectMeta> {
        let listed = LocalFileSystem::new().list(Some(&root_of(folder))).try_collect();
        let mut objects: Vec<ObjectMeta> = futures::executor::block_on(listed).unwrap();
        objects.sort_by(|a, b| a.location.cmp(&b.location));
        objects
    }

    #[test]
    fn the_list_equals_that_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["a.json", "b/c.json", "b/d/e f.json", "b/run=ä%20ö/g+h~.json", "i/.hidden", "i/j=k/l", "m#n", "o#1"]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        fs::create_dir(folder.path().join("empty")).unwrap();
        for number in 0..=2 * FILES_PER_STEP {
            fs::write(folder.path().join(format!("i/{number}")), "").unwrap();
        }
        #[cfg(unix)]
        for (link, target) in [("nothing", "nowhere"), ("file", "a.json"), ("b/folder", "../i")] {
            std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
        }
        let store = listed_by_store(folder.path());
        assert!(store.len() > 2 * FILES_PER_STEP + 7);
        let Listing { files, unlisted } = listed(folder.path());
        assert_eq!(files, store);
        assert!(unlisted.is_empty());
        let nothing = listed(&folder.path().join("a.json"));
        assert!(nothing.files.is_empty() && nothing.unlisted.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn an_odd_entry_does_not_affect_the_others() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("inner/plain"), "1").unwrap();
        drop(std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap());
        std::os::unix::fs::symlink("..", folder.path().join("inner/up")).unwrap();
        std::os::unix::fs::symlink("self", folder.path().join("self")).unwrap();
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"x\xff")), "").unwrap();
        let Listing { files, unlisted } = listed(folder.path());
        assert_eq!(files.iter().map(|file| file.location.filename().unwrap()).collect::<Vec<_>>(), ["plain"]);
        let mut names: Vec<_> = unlisted.iter().map(|entry| entry.location.filename().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["self", "up", "x\u{fffd}"]);
        assert_eq!(special_file(&root_of(folder.path()).join("socket")), Some("a socket"));
    }
}
