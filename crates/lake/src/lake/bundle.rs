//! Bundles: manifests of many compacted runs in one file.

use std::collections::HashMap;
use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use serde_json::value::RawValue;

use super::manifest::parse_run;
use super::{Lake, LakeFault, Manifest, PARALLEL, generation_of};
use crate::error::{Error, ErrorKind, Result};
use crate::source::StoredObject;

/// The folder of bundles, below `_manifest`.
const FOLDER: &str = "bundle";

/// A bundle with its valid manifests.
#[derive(Debug)]
pub(super) struct Bundle<'a> {
    pub(super) object: &'a StoredObject,
    pub(super) manifests: Vec<Arc<Manifest>>,
    /// One fault for each corrupt manifest in the file.
    pub(super) faults: Vec<LakeFault>,
}

/// Manifests and faults of the bundles that this process has read, by path and version mark. An ingest of many profiles
/// needs them for each run.
pub(super) type BundleCache = HashMap<(Path, String), (Vec<Arc<Manifest>>, Vec<LakeFault>)>;

impl Lake {
    /// Reads the bundles in a listing of `_manifest`, in their order.
    pub(super) async fn read_bundles<'a>(&self, listed: &'a [StoredObject]) -> Result<Vec<Bundle<'a>>> {
        let bundles = listed.iter().filter(|object| is_bundle(&object.path));
        let is_listed = |(path, _): &(Path, String)| listed.iter().any(|object| object.location == *path);
        self.bundles.lock().retain(|key, _| is_listed(key));
        let read: Vec<_> = bundles.map(|object| self.cached_bundle(object)).collect();
        futures::stream::iter(read).buffered(PARALLEL).try_collect().await
    }

    /// Returns the manifests of one run in all bundles, in their order, and a fault if the last of them is corrupt.
    pub(super) async fn bundled_manifests(&self, run: &str) -> Result<(Vec<Arc<Manifest>>, Option<LakeFault>)> {
        // There are few bundles, and most lakes have none.
        let listed = self.list_bundles().await?;
        let bundles = self.read_bundles(&listed).await?;
        let fault = find_lost_manifest(&bundles, run).map(|(_, fault)| fault);
        let manifests = bundles.into_iter().flat_map(|bundle| bundle.manifests);
        Ok((manifests.filter(|manifest| manifest.run == run).collect(), fault))
    }

    /// Commits these manifests; they keep their generations.
    pub(super) async fn put_bundle(&self, manifests: &[Arc<Manifest>]) -> Result<()> {
        let parts = manifests.iter().flat_map(|manifest| &manifest.parts);
        self.sync(parts.map(|part| part.path.as_str())).await?;
        let listed = self.list_bundles().await?;
        let next = listed.iter().filter_map(generation_of).max().map_or(1, |last| last + 1);
        let texts = manifests.iter().map(|manifest| manifest.to_json()).collect::<Result<Vec<_>>>()?;
        let text = [b"[".as_slice(), &texts.join(&b','), b"]"].concat();
        self.put_new(&self.location.resolve(&format!("_manifest/{FOLDER}/{next:010}.json")), text).await
    }

    /// Lists the bundles, with paths below `_manifest/`.
    async fn list_bundles(&self) -> Result<Vec<StoredObject>> {
        let listed = self.location.join("_manifest").join(FOLDER).list_or_empty().await?;
        let path = |object: &StoredObject| format!("{FOLDER}/{}", object.path).into();
        Ok(listed.into_iter().map(|object| StoredObject { path: path(&object), ..object }).collect())
    }

    async fn cached_bundle<'a>(&self, object: &'a StoredObject) -> Result<Bundle<'a>> {
        let key = (object.location.clone(), object.etag.clone());
        // Another future may read it while this one waits.
        let _turn = self.wait_for_turn(object).await;
        if let Some((manifests, faults)) = self.bundles.lock().get(&key) {
            return Ok(Bundle { object, manifests: manifests.clone(), faults: faults.clone() });
        }
        let bundle = self.read_bundle(object).await?;
        self.bundles.lock().insert(key, (bundle.manifests.clone(), bundle.faults.clone()));
        Ok(bundle)
    }

    async fn read_bundle<'a>(&self, object: &'a StoredObject) -> Result<Bundle<'a>> {
        let name = self.location.url_of(&object.location);
        let bytes = self.read_bytes(&object.location).await?;
        let mut bundle = Bundle { object, manifests: Vec::new(), faults: Vec::new() };
        let list = serde_json::from_slice::<Vec<&RawValue>>(&bytes);
        let texts: Vec<&[u8]> = match &list {
            Ok(texts) => texts.iter().map(|text| text.get().as_bytes()).collect(),
            // Manifests before and after the corrupt bytes are valid.
            Err(_) => split_manifests(&bytes),
        };
        for text in texts {
            match Manifest::parse(&name, text) {
                Ok(manifest) => bundle.manifests.push(Arc::new(manifest)),
                Err(error) => bundle.faults.push(LakeFault::for_manifest(parse_run(text), object, error)?),
            }
        }
        if let Some(error) = list.err().filter(|_| bundle.faults.is_empty()) {
            // The list may have had more manifests.
            let text = format!("cannot read {name}: it is not a list of manifests");
            let error = Error::new(ErrorKind::Malformed, text).with_source(error);
            bundle.faults.push(LakeFault::for_manifest(None, object, error)?);
        }
        Ok(bundle)
    }
}

/// Returns the fault of a run if a bundle after its last valid manifest has a corrupt manifest of this run, or of a run that
/// is unknown and may be this one; also the generation of its last valid manifest, 0 if there is none.
pub(super) fn find_lost_manifest(bundles: &[Bundle<'_>], run: &str) -> Option<(u64, LakeFault)> {
    let find = |bundle: &Bundle<'_>| bundle.manifests.iter().find(|manifest| manifest.run == run).cloned();
    let last = bundles.iter().enumerate().rev().find_map(|(nth, bundle)| Some((nth, find(bundle)?)));
    let mut later = bundles.iter().skip(last.as_ref().map_or(0, |(nth, _)| nth + 1)).flat_map(|bundle| &bundle.faults);
    let fault = later.find(|fault| fault.run.as_deref().map_or(last.is_some(), |name| name == run))?;
    let generation = last.as_ref().map_or(0, |(_, manifest)| manifest.generation);
    let message = match &fault.run {
        Some(_) => fault.message.clone(),
        None => format!("its newest rows may be lost: {}", fault.message),
    };
    Some((generation, LakeFault { run: Some(run.to_owned()), message, ..fault.clone() }))
}

/// Returns the manifests in a list that is not valid JSON, each from its first byte to the start of
/// the next one.
fn split_manifests(list: &[u8]) -> Vec<&[u8]> {
    const START: &[u8] = b"{\"format\":";
    let starts: Vec<usize> = memchr::memmem::find_iter(list, START).collect();
    if starts.is_empty() {
        return vec![list];
    }
    let ends = starts.iter().skip(1).copied().chain([list.len()]);
    let pieces = starts.iter().zip(ends).map(|(start, end)| &list[*start..end]);
    pieces.map(|piece| piece.strip_suffix(b",").or(piece.strip_suffix(b"]")).unwrap_or(piece)).collect()
}

/// Whether this is a bundle, from its path below `_manifest/`.
fn is_bundle(path: &str) -> bool {
    path.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('/') && rest.ends_with(".json"))
}
