//! Reads files of a location: files that change after they were listed, and files that are read at any offset.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use tracelake::ErrorKind;
use tracelake::source::{Location, Options, StoredObject};

/// Writes one file to a folder, and lists it.
fn write_and_list(folder: &Path, content: &[u8], runtime: &tokio::runtime::Runtime) -> (Location, StoredObject) {
    std::fs::write(folder.join("a.jsonl"), content).unwrap();
    let location = Location::open(folder.to_str().unwrap(), &Options::new()).unwrap();
    let objects = runtime.block_on(location.list()).unwrap();
    (location, objects.into_iter().next().unwrap())
}

fn read(location: &Location, object: &StoredObject, runtime: &tokio::runtime::Runtime) -> tracelake::Result<Vec<u8>> {
    let mut chunks = location.read(object, runtime.handle())?;
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.chunk()? {
        bytes.extend_from_slice(chunk);
    }
    Ok(bytes)
}

#[test]
fn a_growing_file_is_read_up_to_its_listed_size() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let (location, object) = write_and_list(folder.path(), b"one\ntwo\n", &runtime);
    let mut file = std::fs::OpenOptions::new().append(true).open(folder.path().join("a.jsonl")).unwrap();
    file.write_all(b"three\n").unwrap();
    assert_eq!(read(&location, &object, &runtime).unwrap(), b"one\ntwo\n");
    // the next listing has the new size
    let relisted = runtime.block_on(location.list()).unwrap().remove(0);
    assert_ne!(relisted.etag, object.etag);
    assert_eq!(read(&location, &relisted, &runtime).unwrap(), b"one\ntwo\nthree\n");
}

#[test]
fn a_replaced_or_truncated_file_is_an_error() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let (location, object) = write_and_list(folder.path(), b"one\ntwo\n", &runtime);
    std::fs::write(folder.path().join("new"), b"another and longer\n").unwrap();
    std::fs::rename(folder.path().join("new"), folder.path().join("a.jsonl")).unwrap();
    let error = read(&location, &object, &runtime).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
    // neither is a truncated file read
    let (location, object) = write_and_list(folder.path(), b"one\ntwo\n", &runtime);
    std::fs::write(folder.path().join("a.jsonl"), b"one\n").unwrap();
    assert_eq!(read(&location, &object, &runtime).unwrap_err().kind(), ErrorKind::Conflict);
}

#[test]
fn a_compressed_file_is_read_at_any_offset_from_a_copy() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let content: Vec<u8> = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let mut compressed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(&content).unwrap();
    let compressed = compressed.finish().unwrap();
    for stored in [content.as_slice(), &compressed] {
        let (location, object) = write_and_list(folder.path(), stored, &runtime);
        let mut whole = location.open_random_access(&object, runtime.handle(), || true).unwrap().unwrap();
        assert_eq!((whole.size, whole.corruption), (12_000_000, None));
        for offset in [11_999_996_u64, 0, 4_000_000] {
            let mut word = [0; 4];
            whole.file.seek(SeekFrom::Start(offset)).unwrap();
            whole.file.read_exact(&mut word).unwrap();
            assert_eq!(u64::from(u32::from_le_bytes(word)), offset / 4);
        }
    }
    // the bytes that can be decompressed from a truncated file
    let (location, object) = write_and_list(folder.path(), &compressed[..compressed.len() / 2], &runtime);
    let whole = location.open_random_access(&object, runtime.handle(), || true).unwrap().unwrap();
    assert!(whole.corruption.is_some() && whole.size > 0 && whole.size < 12_000_000);
    // the caller can cancel
    assert!(location.open_random_access(&object, runtime.handle(), || false).unwrap().is_none());
}
