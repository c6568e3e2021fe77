//! A cache of all manifests in one file, so that a lake of 10,000 runs opens with one read.
//!
//! Never the truth: whatever is wrong with it, it counts as absent.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::task::Poll;

use arrow::array::{AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use object_store::ObjectStoreExt;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::Manifest;
use crate::error::caught;
use crate::parquet_pages::{Pages, footer};
use crate::source::{Object, Place};

const FILE: &str = "_manifest/checkpoint.parquet";

/// Manifests that are read before others may go on: whoever reads them lists the folder at the same time.
const AT_ONCE: usize = 256;

/// A manifest as it was when the checkpoint was written.
#[derive(Debug)]
pub(super) struct Cached {
    /// Where it is in the store.
    location: String,
    etag: String,
    manifest: Arc<Manifest>,
}

/// The manifests in the checkpoint; none where there is none.
pub(super) async fn read(lake: &Place) -> Vec<Cached> {
    let read = async {
        let bytes = lake.store().get(&lake.at(FILE)).await.ok()?.bytes().await.ok()?;
        let mut cached = Vec::new();
        let open = || {
            let footer = footer(&bytes)?;
            ParquetRecordBatchReaderBuilder::new_with_metadata(Pages(bytes), footer).with_batch_size(AT_ONCE).build()
        };
        let mut batches = caught(open).ok()?.ok()?;
        while let Some(batch) = caught(|| batches.next()).ok()? {
            let batch = batch.ok()?;
            let text = |name| batch.column_by_name(name)?.as_string_view_opt();
            let (paths, etags, texts) = (text("path")?, text("etag")?, text("manifest")?);
            for row in 0..batch.num_rows() {
                let manifest = Arc::new(Manifest::parse(FILE, texts.value(row).as_bytes()).ok()?);
                let (location, etag) = (paths.value(row).to_owned(), etags.value(row).to_owned());
                cached.push(Cached { location, etag, manifest });
            }
            let_others_go_on().await;
        }
        Some(cached)
    };
    read.await.unwrap_or_default()
}

/// Those that are still as they were, by where they are in the store: somebody may have removed a run by hand and ingested it
/// again.
pub(super) fn known(cached: Vec<Cached>, listed: &[Object]) -> BTreeMap<String, Arc<Manifest>> {
    let marks: HashMap<&str, &str> =
        listed.iter().map(|object| (object.location.as_ref(), object.etag.as_str())).collect();
    let still = |cached: &Cached| marks.get(cached.location.as_str()) == Some(&cached.etag.as_str());
    cached.into_iter().filter(still).map(|cached| (cached.location, cached.manifest)).collect()
}

/// Cached manifests of a run, even if the files have changed since.
pub(super) fn of_run(cached: Vec<Cached>, run: &str) -> Vec<Arc<Manifest>> {
    cached.into_iter().map(|cached| cached.manifest).filter(|manifest| manifest.run == run).collect()
}

/// Waits until the others of this task have been asked once.
async fn let_others_go_on() {
    let mut asked = false;
    futures::future::poll_fn(|context| {
        if std::mem::replace(&mut asked, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Writes these manifests, each with the object that holds it, as the new checkpoint.
pub(super) async fn write(lake: &Place, manifests: &[(Object, Arc<Manifest>)]) {
    let encode = || {
        let mut texts = Vec::new();
        for (_, manifest) in manifests {
            texts.push(serde_json::to_string(manifest.as_ref()).ok()?);
        }
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
        let _ = lake.store().put(&lake.at(FILE), bytes.into()).await;
    }
}
