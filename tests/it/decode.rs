//! Decodes files as an ingest does, but without a lake. The tests of formats use this.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test reads its own input and may fail loudly")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{Float64Type, Int64Type};
use tracelake::ErrorKind;
use tracelake::format::{FORMATS, Format, FormatDecoder, ObjectInfo, Probe, Siblings};
use tracelake::table::Rows;

/// A file as a store would list it: path below the profile, and decompressed bytes.
pub(crate) type InputFile = (String, Vec<u8>);

/// A format and the files that one of its decoders reads.
type FileGroup<'a> = (&'static dyn Format, Vec<(ObjectInfo, &'a [u8])>);

/// The result of decoding a profile.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Decoded {
    /// One batch for each table that has rows.
    pub(crate) tables: BTreeMap<&'static str, RecordBatch>,
    /// Files that could not be read at all.
    pub(crate) errors: Vec<(String, ErrorKind)>,
    /// Files that are known to have no rows, with the reason.
    pub(crate) ignored: Vec<(String, &'static str)>,
    /// The format and the path of each file that was read.
    pub(crate) read: Vec<(&'static str, String)>,
    /// Number of skipped entries, summed over all files.
    pub(crate) skipped: i64,
}

impl Decoded {
    /// Returns the number of rows of a table.
    pub(crate) fn count(&self, table: &str) -> usize {
        self.tables.get(table).map_or(0, RecordBatch::num_rows)
    }

    /// A column of integers.
    pub(crate) fn ints(&self, table: &str, column: &str) -> Vec<Option<i64>> {
        let Some(array) = self.column(table, column) else { return Vec::new() };
        array.as_primitive::<Int64Type>().iter().collect()
    }

    /// A column of floating point numbers.
    pub(crate) fn floats(&self, table: &str, column: &str) -> Vec<Option<f64>> {
        let Some(array) = self.column(table, column) else { return Vec::new() };
        array.as_primitive::<Float64Type>().iter().collect()
    }

    /// A column of texts; null is `-`.
    pub(crate) fn texts(&self, table: &str, column: &str) -> Vec<String> {
        let Some(array) = self.column(table, column) else { return Vec::new() };
        array.as_string::<i32>().iter().map(|text| text.unwrap_or("-").to_owned()).collect()
    }

    /// A column of booleans.
    pub(crate) fn flags(&self, table: &str, column: &str) -> Vec<Option<bool>> {
        let Some(array) = self.column(table, column) else { return Vec::new() };
        array.as_boolean().iter().collect()
    }

    fn column(&self, table: &str, column: &str) -> Option<&dyn Array> {
        Some(self.tables.get(table)?.column_by_name(column).expect("the column exists").as_ref())
    }

    /// Kinds of `problem` with their counts over all files.
    pub(crate) fn problems(&self) -> BTreeMap<String, usize> {
        let mut problems = BTreeMap::new();
        let kinds = self.texts("problem", "kind").into_iter();
        for (kind, count) in kinds.zip(self.ints("problem", "count")) {
            let count = count.expect("problems are counted");
            *problems.entry(kind).or_default() += usize::try_from(count).expect("a count");
        }
        problems
    }

    /// The first message of a kind of problem.
    pub(crate) fn message(&self, kind: &str) -> String {
        let kinds = self.texts("problem", "kind");
        let position = kinds.iter().position(|other| other == kind).expect("there is such a problem");
        self.texts("problem", "message")[position].clone()
    }
}

/// The folder of shared profiles, from `TRACELAKE_SHARED`. If that is not set, logs that the test is skipped.
pub(crate) fn shared(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("TRACELAKE_SHARED").map(PathBuf::from);
    if folder.is_none() {
        use std::io::Write as _;
        let mut stderr = std::io::stderr();
        let _ = writeln!(stderr, "SKIPPED {test}: set TRACELAKE_SHARED to the folder with data/ and oracle/");
    }
    folder
}

/// All files below a folder, decompressed, sorted by path.
pub(crate) fn files(root: &Path) -> Vec<InputFile> {
    let mut files = Vec::new();
    walk(root, "", &mut files);
    files.sort();
    files
}

fn walk(folder: &Path, below: &str, files: &mut Vec<InputFile>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), files);
            continue;
        }
        let mut bytes = fs::read(entry.path()).expect("the file can be read");
        if entry.path().extension().is_some_and(|end| end == "gz") {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).expect("gzip");
            bytes = plain;
        }
        files.push((path, bytes));
    }
}

/// Decodes the files of a profile in chunks of `chunk` bytes.
pub(crate) fn decode(files: &[InputFile], chunk: usize) -> Decoded {
    let siblings: Arc<Siblings> = Arc::new(files.iter().map(|(path, _)| path.as_str()).collect());
    let mut decoded = Decoded::default();
    let mut groups: BTreeMap<(&str, Arc<str>), FileGroup<'_>> = BTreeMap::new();
    for (id, (path, bytes)) in (0..).zip(files) {
        let siblings = Arc::clone(&siblings);
        let info =
            ObjectInfo { id, path: path.as_str().into(), size: bytes.len() as u64, siblings, ..ObjectInfo::default() };
        if let Some(reason) = FORMATS.iter().find_map(|format| format.ignore_reason(&info)) {
            decoded.ignored.push((path.clone(), reason));
            continue;
        }
        let by_name = FORMATS.iter().find_map(|format| Some((*format, format.group(&info)?)));
        let recognized = by_name.or_else(|| {
            let head = &bytes[..bytes.len().min(64 << 10)];
            let probe = Probe { info: &info, head, tail: b"" };
            let format = FORMATS.iter().find(|format| format.sniff(&probe))?;
            Some((*format, path.as_str().into()))
        });
        if let Some((format, group)) = recognized {
            decoded.read.push((format.descriptor().name, path.clone()));
            let key = (format.descriptor().name, group);
            groups.entry(key).or_insert_with(|| (format, Vec::new())).1.push((info, bytes));
        }
    }
    for format in FORMATS {
        let mut infos: Vec<&mut ObjectInfo> = groups
            .values_mut()
            .filter(|(other, _)| other.descriptor().name == format.descriptor().name)
            .flat_map(|(_, objects)| objects.iter_mut().map(|(info, _)| info))
            .collect();
        let heads: BTreeMap<&str, &[u8]> =
            files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..bytes.len().min(64 << 10)])).collect();
        let ranks = infos.iter().map(|info| format.rank(info, heads[&*info.path]));
        let paths: Vec<_> = infos.iter().map(|info| Arc::clone(&info.path)).zip(ranks).collect();
        let paths: Vec<_> = paths.iter().map(|(path, rank)| (path.as_ref(), *rank)).collect();
        for (info, recording) in infos.iter_mut().zip(format.number_recordings(&paths, &[])) {
            info.recording = recording;
        }
    }
    let mut rows = Rows::new("test");
    for (format, objects) in groups.into_values() {
        decode_group(format, &objects, chunk, &mut rows, &mut decoded);
    }
    for (table, batch) in rows.take() {
        let all = match decoded.tables.remove(table.name) {
            Some(before) => concat_batches(&before.schema(), [&before, &batch]).expect("one schema"),
            None => batch,
        };
        decoded.tables.insert(table.name, all);
    }
    decoded
}

fn decode_group(
    format: &dyn Format,
    objects: &[(ObjectInfo, &[u8])],
    chunk: usize,
    rows: &mut Rows,
    decoded: &mut Decoded,
) {
    let mut decoder = format.decoder();
    if let FormatDecoder::RandomAccess(decoder) = &mut decoder {
        objects.iter().for_each(|(info, bytes)| decoder.open(info, Box::new(Cursor::new(bytes.to_vec()))));
    }
    for (i, (info, bytes)) in objects.iter().enumerate() {
        rows.begin(info.id);
        let result = decoder
            .begin(info, rows)
            .and_then(|()| {
                if let FormatDecoder::RandomAccess(decoder) = &mut decoder {
                    while decoder.advance(rows)?.is_some() {}
                }
                let Some(decoder) = decoder.stream() else { return Ok(()) };
                if decoder.needs_tail(&bytes[..bytes.len().min(64 << 10)]) {
                    decoder.tail(&bytes[bytes.len().saturating_sub(64 << 10)..]);
                }
                bytes.chunks(chunk.max(1)).try_for_each(|chunk| decoder.push(chunk, rows))
            })
            .and_then(|()| decoder.end(rows));
        if let Err(error) = result {
            decoded.errors.push((info.path.to_string(), error.kind()));
        }
        if i + 1 == objects.len() {
            decoder.finish(rows).expect("finish");
        }
        decoded.skipped += rows.end().skipped;
    }
}
