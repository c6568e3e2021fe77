//! The checkpoint: a cache of all manifests in one file, so that a lake of 10,000 runs opens with
//! one read.
//!
//! It is only a cache: if anything is wrong with it, it counts as missing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use object_store::ObjectStoreExt;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::{MAX_MANIFEST, Manifest, ManifestsByPath};
use crate::error::catch_panic;
use crate::parquet_pages::{CheckedPages, read_footer};
use crate::source::{Location, StoredObject};

/// Maximum size of all manifests together, in bytes.
const MAX_TEXT: u64 = 4 * MAX_MANIFEST;

const FILE: &str = "_manifest/checkpoint.parquet";

/// Number of manifests that are parsed before other futures of the task run, such as a listing of
/// the folder.
const MANIFESTS_PER_STEP: usize = 256;

/// A manifest in the checkpoint, with the version mark of its file.
#[derive(Debug)]
pub(super) struct CachedManifest {
    /// Path in the store.
    location: String,
    etag: String,
    manifest: Arc<Manifest>,
}

/// Reads the manifests in the checkpoint; empty if there is no checkpoint.
pub(super) async fn read(lake: &Location) -> Vec<CachedManifest> {
    let read = async {
        let bytes = lake.bytes_up_to(MAX_MANIFEST, &lake.resolve(FILE)).await.ok()?;
        let mut cached = Vec::new();
        // A small file may have the same manifest a million times.
        let (mut known, mut bytes_parsed) = (HashSet::new(), 0);
        let open = || {
            let footer = read_footer(&bytes)?;
            ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(bytes), footer)
                .with_batch_size(MANIFESTS_PER_STEP)
                .build()
        };
        let mut batches = catch_panic(open).ok()?.ok()?;
        while let Some(batch) = catch_panic(|| batches.next()).ok()? {
            let batch = batch.ok()?;
            let text = |name| batch.column_by_name(name)?.as_string_view_opt();
            let (paths, etags, texts) = (text("path")?, text("etag")?, text("manifest")?);
            for row in 0..batch.num_rows() {
                let (location, etag) = (paths.value(row).to_owned(), etags.value(row).to_owned());
                bytes_parsed += texts.value(row).len() as u64;
                if bytes_parsed > MAX_TEXT || !known.insert(location.clone()) {
                    return None;
                }
                let manifest = Arc::new(Manifest::parse(FILE, texts.value(row).as_bytes()).ok()?);
                cached.push(CachedManifest { location, etag, manifest });
            }
            // Other futures of this task list the folder at the same time.
            tokio::task::yield_now().await;
        }
        Some(cached)
    };
    read.await.unwrap_or_default()
}

/// Returns the manifests that have not changed, by path in the store. A user may have removed a run
/// by hand and ingested it again.
pub(super) fn unchanged(cached: Vec<CachedManifest>, listed: &[StoredObject]) -> ManifestsByPath {
    let etags: HashMap<&str, &str> =
        listed.iter().map(|object| (object.location.as_ref(), object.etag.as_str())).collect();
    let is_unchanged = |cached: &CachedManifest| etags.get(cached.location.as_str()) == Some(&cached.etag.as_str());
    cached.into_iter().filter(is_unchanged).map(|cached| (cached.location, cached.manifest)).collect()
}

/// Returns the cached manifests of a run, even if their files have changed.
pub(super) fn manifests_of(cached: Vec<CachedManifest>, run: &str) -> Vec<Arc<Manifest>> {
    cached.into_iter().map(|cached| cached.manifest).filter(|manifest| manifest.run == run).collect()
}

/// Writes these manifests as the new checkpoint, each with its file.
pub(super) async fn write(lake: &Location, manifests: &[(StoredObject, Arc<Manifest>)]) {
    let encode = || {
        let texts = manifests.iter().map(|(_, manifest)| String::from_utf8(manifest.to_json().ok()?).ok());
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        let paths: StringArray = manifests.iter().map(|(object, _)| Some(object.location.as_ref())).collect();
        let etags: StringArray = manifests.iter().map(|(object, _)| Some(object.etag.as_str())).collect();
        let field = |name| Field::new(name, DataType::Utf8, false);
        let schema = Arc::new(Schema::new(vec![field("path"), field("etag"), field("manifest")]));
        let columns: Vec<arrow::array::ArrayRef> =
            vec![Arc::new(paths), Arc::new(etags), Arc::new(StringArray::from(texts))];
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).ok()?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).ok()?;
        writer.write(&batch).ok()?;
        writer.into_inner().ok()
    };
    if let Some(bytes) = encode() {
        let _ = lake.store().put(&lake.resolve(FILE), bytes.into()).await;
    }
}
