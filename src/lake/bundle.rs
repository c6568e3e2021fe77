//! Manifests of many runs in one file, whose parts were brought together.

use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;

use super::{Lake, Manifest, PARALLEL};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Object;

/// The folder of bundles, below `_manifest`.
const FOLDER: &str = "bundle";

impl Lake {
    /// The bundles among these files below `_manifest`, in their order, each with its manifests.
    pub(super) async fn bundles_of<'a>(&self, listed: &'a [Object]) -> Result<Vec<(&'a Object, Vec<Manifest>)>> {
        self.read_bundles(listed.iter().filter(|object| is_bundle(&object.path)).collect()).await
    }

    /// What bundles say about one run, in their order.
    pub(super) async fn bundled(&self, run: &str) -> Result<Vec<Manifest>> {
        // There are few bundles, and most lakes have none.
        let listed = self.listed_bundles().await?;
        let bundles = self.read_bundles(listed.iter().collect()).await?;
        Ok(bundles.into_iter().flat_map(|(_, manifests)| manifests).filter(|manifest| manifest.run == run).collect())
    }

    /// Commits these manifests, which have the generations that they had.
    pub(super) async fn put_bundle(&self, manifests: &[Manifest]) -> Result<()> {
        let listed = self.listed_bundles().await?;
        let number = |object: &Object| object.path.strip_suffix(".json")?.parse::<u64>().ok();
        let next = listed.iter().filter_map(number).max().map_or(1, |last| last + 1);
        let text = serde_json::to_vec(manifests).map_err(|error| {
            Error::new(ErrorKind::Internal, "cannot write a bundle of manifests").with_source(error)
        })?;
        self.put_new(&self.place.at(&format!("_manifest/{FOLDER}/{next:010}.json")), text).await
    }

    async fn listed_bundles(&self) -> Result<Vec<Object>> {
        self.place.join("_manifest").join(FOLDER).list_if_any().await
    }

    async fn read_bundles<'a>(&self, bundles: Vec<&'a Object>) -> Result<Vec<(&'a Object, Vec<Manifest>)>> {
        let read: Vec<_> = bundles.iter().map(|object| self.read_bundle(&object.location)).collect();
        let read: Vec<Vec<Manifest>> = futures::stream::iter(read).buffered(PARALLEL).try_collect().await?;
        Ok(bundles.into_iter().zip(read).collect())
    }

    async fn read_bundle(&self, location: &Path) -> Result<Vec<Manifest>> {
        let name = self.place.url_of(location);
        let bytes = self.bytes(location).await?;
        let texts: Vec<&serde_json::value::RawValue> = serde_json::from_slice(&bytes).map_err(|error| {
            Error::new(ErrorKind::Malformed, format!("cannot read {name}: it is no bundle of manifests"))
                .with_source(error)
        })?;
        texts.iter().map(|text| Manifest::parse(&name, text.get().as_bytes())).collect()
    }
}

/// Whether this is a bundle, from its path below `_manifest/`.
fn is_bundle(path: &str) -> bool {
    path.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('/') && rest.ends_with(".json"))
}
