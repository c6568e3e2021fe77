//! What a place gives of files: those that change between the listing and the reading, and those that are read at any place.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use tracelake::ErrorKind;
use tracelake::source::{Object, Options, Place};

/// A folder with one file, and what a listing says of it.
fn listed(folder: &Path, content: &[u8], runtime: &tokio::runtime::Runtime) -> (Place, Object) {
    std::fs::write(folder.join("a.jsonl"), content).unwrap();
    let place = Place::open(folder.to_str().unwrap(), &Options::new()).unwrap();
    let objects = runtime.block_on(place.list()).unwrap();
    (place, objects.into_iter().next().unwrap())
}

fn read(place: &Place, object: &Object, runtime: &tokio::runtime::Runtime) -> tracelake::Result<Vec<u8>> {
    let mut chunks = place.read(object, runtime.handle())?;
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.chunk()? {
        bytes.extend_from_slice(chunk);
    }
    Ok(bytes)
}

#[test]
fn a_file_that_grows_is_read_as_far_as_it_was_listed() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let (place, object) = listed(folder.path(), b"one\ntwo\n", &runtime);
    let mut file = std::fs::OpenOptions::new().append(true).open(folder.path().join("a.jsonl")).unwrap();
    file.write_all(b"three\n").unwrap();
    assert_eq!(read(&place, &object, &runtime).unwrap(), b"one\ntwo\n");
    // the next listing has it all
    let again = runtime.block_on(place.list()).unwrap().remove(0);
    assert_ne!(again.etag, object.etag);
    assert_eq!(read(&place, &again, &runtime).unwrap(), b"one\ntwo\nthree\n");
}

#[test]
fn a_file_that_was_replaced_is_refused() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let (place, object) = listed(folder.path(), b"one\ntwo\n", &runtime);
    std::fs::write(folder.path().join("new"), b"another and longer\n").unwrap();
    std::fs::rename(folder.path().join("new"), folder.path().join("a.jsonl")).unwrap();
    let error = read(&place, &object, &runtime).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
    // nor is one that became shorter
    let (place, object) = listed(folder.path(), b"one\ntwo\n", &runtime);
    std::fs::write(folder.path().join("a.jsonl"), b"one\n").unwrap();
    assert_eq!(read(&place, &object, &runtime).unwrap_err().kind(), ErrorKind::Conflict);
}

#[test]
fn a_packed_file_is_read_at_any_place_from_a_copy() {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), tokio::runtime::Runtime::new().unwrap());
    let content: Vec<u8> = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&content).unwrap();
    let packed = packed.finish().unwrap();
    for stored in [content.as_slice(), &packed] {
        let (place, object) = listed(folder.path(), stored, &runtime);
        let mut whole = place.whole(&object, runtime.handle(), || true).unwrap().unwrap();
        assert_eq!((whole.given, whole.damage), (12_000_000, None));
        for at in [11_999_996_u64, 0, 4_000_000] {
            let mut word = [0; 4];
            whole.file.seek(SeekFrom::Start(at)).unwrap();
            whole.file.read_exact(&mut word).unwrap();
            assert_eq!(u64::from(u32::from_le_bytes(word)), at / 4);
        }
    }
    // what can be unpacked of a file that was cut off
    let (place, object) = listed(folder.path(), &packed[..packed.len() / 2], &runtime);
    let whole = place.whole(&object, runtime.handle(), || true).unwrap().unwrap();
    assert!(whole.damage.is_some() && whole.given > 0 && whole.given < 12_000_000);
    // whoever asks for it may give up
    assert!(place.whole(&object, runtime.handle(), || false).unwrap().is_none());
}
