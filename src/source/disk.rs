//! A folder on a disk, listed with one question to the system for each file.
//!
//! The store asks several times for each: a lake of 10,000 runs has as many manifests, all of which are listed when it is opened. What
//! is no plain file or folder, or cannot be read, is left to the store, which knows what to make of links and odd names.

use std::fs::{Metadata, ReadDir};
use std::path::Path as FilePath;
use std::time::SystemTime;

use object_store::ObjectMeta;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use tokio::runtime::Handle;

/// Files that are found before whoever waits for them is asked whether it still does.
const AT_ONCE: usize = 1000;

/// Folders that are being read, each below the one before it.
type Open = Vec<(Path, ReadDir)>;

/// What [`ObjectStore::list`](object_store::ObjectStore::list) of the local disk gives, in any order, each made into what is
/// wanted; none where that has to be asked.
pub(super) async fn list<T>(root: &Path, mut make: impl FnMut(ObjectMeta) -> T) -> Option<Vec<T>> {
    let folder = LocalFileSystem::new().path_to_filesystem(root).ok()?;
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

    use std::fs;

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
