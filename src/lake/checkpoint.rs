//! A cache of all manifests in one file, so that a lake of 10,000 runs opens with one read.
//!
//! Never the truth: whatever is wrong with it, it counts as absent.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use object_store::ObjectStoreExt;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::Manifest;
use crate::source::{Object, Place};

const FILE: &str = "_manifest/checkpoint.parquet";

/// The manifests in the checkpoint, by where they are in the store. One that was written anew since does not count:
/// somebody may have removed a run by hand and ingested it again.
pub(super) async fn read(lake: &Place, listed: &[Object]) -> BTreeMap<String, Arc<Manifest>> {
    let marks: HashMap<&str, &str> =
        listed.iter().map(|object| (object.location.as_ref(), object.etag.as_str())).collect();
    let there = listed.iter().any(|object| object.path == "checkpoint.parquet");
    let read = async {
        let bytes = lake.store().get(&lake.at(FILE)).await.ok()?.bytes().await.ok()?;
        let mut known = BTreeMap::new();
        for batch in ParquetRecordBatchReaderBuilder::try_new(bytes).ok()?.build().ok()? {
            let batch = batch.ok()?;
            let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
            let (paths, etags, texts) = (text("path")?, text("etag")?, text("manifest")?);
            for row in 0..batch.num_rows() {
                let path = paths.value(row);
                if marks.get(path) == Some(&etags.value(row)) {
                    let manifest = Manifest::parse(FILE, texts.value(row).as_bytes()).ok()?;
                    known.insert(path.to_owned(), Arc::new(manifest));
                }
            }
        }
        Some(known)
    };
    if there { read.await.unwrap_or_default() } else { BTreeMap::new() }
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
