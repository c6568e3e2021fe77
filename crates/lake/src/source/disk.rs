//! A folder on a local disk: lists it with one system call per file, and writes files that survive a power failure.
//!
//! The store asks several times for each: a lake of 10,000 runs has as many manifests, all of which are listed when it is opened. What
//! is no plain file or folder, or cannot be read, is left to the store, which knows what to make of links and odd names. The store
//! never calls fsync: after a power failure its files may be missing or empty.

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

/// Files that are found before whoever waits for them is asked whether it still does.
const AT_ONCE: usize = 1000;

/// Threads that flush files.
const SYNCS: usize = 8;

/// Folders that are being read, each below the one before it.
type Open = Vec<(Path, ReadDir)>;

/// What [`ObjectStore::list`](object_store::ObjectStore::list) of the local disk gives, in any order, each made into what is
/// wanted; none where that has to be asked.
pub(super) async fn list<T>(root: &Path, mut make: impl FnMut(ObjectMeta) -> T) -> Option<Vec<T>> {
    let folder = path_of(root).ok()?;
    let mut open = vec![(root.clone(), entries(&folder)?)];
    let mut all = Vec::new();
    while !open.is_empty() {
        let found;
        (open, found) = aside(move || some(open)).await?;
        all.extend(found.into_iter().map(&mut make));
    }
    Some(all)
}

/// The next files, and the folders in which there may be more.
fn some(mut open: Open) -> Option<(Open, Vec<ObjectMeta>)> {
    let mut found = Vec::new();
    while let Some((folder, entries)) = open.last_mut()
        && found.len() < AT_ONCE
    {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let entry = entry.ok()?;
        let name = entry.file_name();
        // The store takes a number behind `#` for a file that it is about to write.
        let name = name.to_str().filter(|name| !name.contains('#'))?;
        let location = Path::parse(format!("{folder}/{name}")).ok()?;
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            open.push((location, self::entries(&entry.path())?));
        } else if kind.is_file() {
            found.push(object(location, &entry.metadata().ok()?)?);
        } else {
            return None;
        }
    }
    Some((open, found))
}

/// Size of a file in bytes; none if there is none.
#[expect(clippy::disallowed_methods, reason = "source is where files are looked at")]
pub(super) fn size(location: &Path) -> Option<u64> {
    fs::metadata(path_of(location).ok()?).ok().filter(Metadata::is_file).map(|file| file.len())
}

#[expect(clippy::disallowed_methods, reason = "source is where folders are listed")]
fn entries(folder: &FilePath) -> Option<ReadDir> {
    std::fs::read_dir(folder).ok()
}

/// Beside what else is waited for, as the store does it.
#[expect(clippy::disallowed_methods, reason = "a listing waits for the disk and spawns nothing that outlives it")]
async fn aside<T: Send + 'static>(work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.ok()?,
        Err(_) => work(),
    }
}

/// Writes a file below `root` atomically and durably: after a crash or a power failure it is complete or absent. With `create`, an
/// existing file is an error.
pub(super) async fn write(root: &Path, location: &Path, bytes: Bytes, create: bool) -> object_store::Result<()> {
    let (root, path) = (path_of(root)?, path_of(location)?);
    let work = move || Some((write_now(&root, &path, &bytes, create), path));
    match aside(work).await {
        Some((Ok(()), _)) => Ok(()),
        Some((Err(source), path)) if source.kind() == io::ErrorKind::AlreadyExists => {
            Err(object_store::Error::AlreadyExists { path: path.display().to_string(), source: source.into() })
        }
        Some((Err(source), _)) => Err(failed(source)),
        None => Err(failed(io::Error::other("the write was cancelled"))),
    }
}

/// Flushes these files below `root`, and the folders that contain them, to the disk.
pub(super) async fn sync(root: &Path, locations: &[Path]) -> object_store::Result<()> {
    let root = path_of(root)?;
    let files = locations.iter().map(path_of).collect::<object_store::Result<Vec<_>>>()?;
    let synced = aside(move || Some(sync_files(&files).and_then(|()| sync_folders(&root, &files)))).await;
    synced.unwrap_or_else(|| Err(io::Error::other("the flush was cancelled"))).map_err(failed)
}

fn path_of(location: &Path) -> object_store::Result<PathBuf> {
    LocalFileSystem::new().path_to_filesystem(location)
}

fn failed(source: io::Error) -> object_store::Error {
    object_store::Error::Generic { store: "LocalFileSystem", source: source.into() }
}

#[expect(clippy::disallowed_methods, reason = "source is where files are written")]
fn write_now(root: &FilePath, path: &FilePath, bytes: &[u8], create: bool) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let (staged, mut file) = staged(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| if create { fs::hard_link(&staged, path) } else { fs::rename(&staged, path) });
    if create || written.is_err() {
        let _ = fs::remove_file(&staged);
    }
    written?;
    sync_folders(root, &[path.to_owned()])
}

/// Creates a temporary file next to this one. object_store ignores names that end with `#` and a number.
#[expect(clippy::disallowed_methods, reason = "source is where files are written")]
fn staged(path: &FilePath) -> io::Result<(PathBuf, File)> {
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
#[expect(clippy::disallowed_methods, reason = "source is where files are written")]
fn sync_files(files: &[PathBuf]) -> io::Result<()> {
    let sync = |files: &[PathBuf]| files.iter().try_for_each(|file| File::open(file)?.sync_all());
    std::thread::scope(|threads| {
        let parts = files.chunks(files.len().div_ceil(SYNCS).max(1));
        let syncs: Vec<_> = parts.map(|files| threads.spawn(move || sync(files))).collect();
        syncs
            .into_iter()
            .try_for_each(|sync| sync.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked"))))
    })
}

/// Flushes the folders of these files and all folders above: each may be new.
#[expect(clippy::disallowed_methods, reason = "source is where files are written")]
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

/// Incomplete files of writers that were killed or are still writing: path below the folder, size in bytes, modification time in ns.
#[expect(clippy::disallowed_methods, reason = "source is where folders are listed")]
pub(super) fn unfinished(root: &Path) -> Vec<(String, u64, i64)> {
    let Ok(root) = path_of(root) else { return Vec::new() };
    let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(file)) = (entry.path(), entry.metadata()) else { continue };
            if file.is_dir() {
                open.push(path);
            } else if let Some(below) =
                path.strip_prefix(&root).ok().and_then(FilePath::to_str).filter(|path| is_unfinished(path))
            {
                let modified = file.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
                let modified = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
                found.push((below.to_owned(), file.len(), modified));
            }
        }
    }
    found.sort();
    found
}

/// Removes an incomplete file. A missing file is not an error.
#[expect(clippy::disallowed_methods, reason = "source is where files are removed")]
pub(super) fn remove_unfinished(root: &Path, path: &str) -> object_store::Result<()> {
    match fs::remove_file(path_of(root)?.join(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
        _ => Ok(()),
    }
}

/// Whether object_store treats this name as a file that is being written.
fn is_unfinished(path: &str) -> bool {
    path.rsplit_once('#')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// With the version mark that the store gives the file: one that was listed here is compared with one that is read there.
fn object(location: Path, file: &Metadata) -> Option<ObjectMeta> {
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
    #![expect(clippy::disallowed_methods, reason = "what is listed has to be made")]

    use futures::TryStreamExt;
    use object_store::ObjectStore;

    use super::*;

    fn both(folder: &FilePath) -> (Option<Vec<ObjectMeta>>, Vec<ObjectMeta>) {
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
    fn files_are_those_that_the_store_lists() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.json", "b/c.json", "b/d/e f.json", "b/run=ä%20ö/g+h~.json", "i/.hidden", "i/j=k/l"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        fs::create_dir(folder.path().join("empty")).unwrap();
        for number in 0..=2 * AT_ONCE {
            fs::write(folder.path().join(format!("i/{number}")), "").unwrap();
        }
        let (ours, store) = both(folder.path());
        assert_eq!(store.len(), 6 + 2 * AT_ONCE + 1);
        assert_eq!(ours, Some(store));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_left_to_the_store() {
        let odd: [fn(&FilePath); 4] = [
            |folder| std::os::unix::fs::symlink("nowhere", folder.join("link")).unwrap(),
            |folder| std::os::unix::fs::symlink("plain", folder.join("link")).unwrap(),
            |folder| fs::write(folder.join("staged#1"), "").unwrap(),
            |folder| drop(std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap()),
        ];
        for make in odd {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("plain"), "1").unwrap();
            assert!(both(folder.path()).0.is_some());
            make(folder.path());
            assert_eq!(both(folder.path()).0, None);
        }
        let root = Path::from_absolute_path(std::env::temp_dir().join("tracelake-none")).unwrap();
        assert_eq!(futures::executor::block_on(list(&root, |object| object)), None);
    }
}
