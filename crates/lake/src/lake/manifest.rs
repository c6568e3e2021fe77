//! The manifest of a run: the parts with its rows, and the objects that they came from.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::MAX_MANIFEST;
use super::entry::{self, Entry};
use crate::error::{Error, ErrorKind, Result};

/// The lake format of this version. Older formats are read, newer ones are rejected.
pub const FORMAT: u32 = 5;

/// One generation of a run. Immutable once written; the highest generation is valid.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct Manifest {
    /// Format of the lake.
    pub format: u32,
    /// Name of the run.
    pub run: String,
    /// Generation, from 1; each commit adds 1.
    pub generation: u64,
    /// Time of the commit, ns since the Unix epoch.
    pub committed: i64,
    /// Addresses of the ingested sources.
    pub sources: Vec<String>,
    /// Whether this generation deletes the run; all other fields are empty then. Older versions
    /// that do not know this field see a run without rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// The run that was renamed to this one, and its generation at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<(String, u64)>,
    /// The new name of the run. If that run was renamed from this generation, this one is deleted: the process was killed
    /// before it deleted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
    /// Tags that the user set.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// Data files with the rows.
    pub parts: Vec<DataFile>,
    /// Objects in the sources. The next generation shares most of them.
    #[serde(deserialize_with = "entry::deserialize_entries")]
    pub objects: Vec<Arc<Entry>>,
    /// Cached key metrics, so that queries over many runs read no rows; null after a change of
    /// rows.
    #[serde(rename = "figures")]
    pub figures: Option<KeyMetrics>,
}

/// One immutable Parquet data file, or a slice of one.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct DataFile {
    /// Table of the rows.
    pub table: String,
    /// Path below the lake.
    pub path: String,
    /// Number of rows.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Its row groups in a file that also has rows of other runs; none if the whole file belongs to
    /// this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<Slice>,
    /// Minimum and maximum `ts`, if the table has this column and any row has a value.
    pub ts: Option<(i64, i64)>,
    /// Objects of the rows.
    pub objects: Vec<i64>,
    /// CRC-32 of the file, or of its slice; none from older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc32: Option<u32>,
    /// `check` found that the file is corrupt, so that the next ingest reads its objects again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_corrupt: bool,
}

/// The row groups of one run in a shared file.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
pub struct Slice {
    /// Offset of the first byte.
    #[serde(rename = "from")]
    pub start: u64,
    /// Offset after the last byte.
    #[serde(rename = "to")]
    pub end: u64,
    /// Size of the file in bytes.
    #[serde(rename = "of")]
    pub file_bytes: u64,
    /// Offset of the first byte of the first slice of the file, and after the last byte of the last one; none from older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slices: Option<(u64, u64)>,
    /// CRC-32 of the bytes that are in no slice: those of the footer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_crc32: Option<u32>,
}

/// The first format with a checksum in each manifest.
const CHECKSUM_FORMAT: u32 = 3;

const CHECKSUM_KEY: &[u8] = b",\"crc32\":";

/// Splits the text of a manifest into the content and its checksum; none if it has no checksum.
fn split_checksum(text: &[u8]) -> Option<(&[u8], u32)> {
    let start = memchr::memmem::rfind(text, CHECKSUM_KEY)?;
    let digits = text[start + CHECKSUM_KEY.len()..].trim_ascii_end().strip_suffix(b"}")?;
    Some((&text[..start], std::str::from_utf8(digits).ok()?.parse().ok()?))
}

const NAME_KEY: &[u8] = b",\"name\":";

/// Returns the run of a corrupt manifest. Its name is at the start and at the end of the text: corrupt bytes in one of
/// them do not make it that of another run. None if the name is lost, or if the names differ.
pub(super) fn parse_run(text: &[u8]) -> Option<String> {
    let last = memchr::memmem::rfind(text, NAME_KEY).and_then(|start| parse_field(&text[start..], "name"));
    match (parse_field::<String>(text, "run"), last) {
        (Some(first), Some(last)) => Some(first).filter(|first| *first == last),
        (first, last) => first.or(last),
    }
}

/// Parses a field of a corrupt manifest, if it comes before the corrupt bytes.
pub(super) fn parse_field<T: DeserializeOwned>(text: &[u8], name: &str) -> Option<T> {
    let key = format!("\"{name}\":");
    let start = memchr::memmem::find(text, key.as_bytes())? + key.len();
    serde_json::Deserializer::from_slice(&text[start..]).into_iter().next()?.ok()
}

impl DataFile {
    /// Size of the whole file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.slice.map_or(self.bytes, |slice| slice.file_bytes)
    }
}

/// Key metrics of a run, and the version of the catalog that computed them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct KeyMetrics {
    /// Version of the catalog.
    pub catalog: String,
    /// Distinct steps over all modes.
    pub steps: Option<i64>,
    /// Median step of the main mode, ns.
    pub step_p50: Option<f64>,
    /// 95th percentile of the steps of the main mode, ns.
    pub step_p95: Option<f64>,
    /// Time waiting for data / (time waiting for data + time in steps).
    pub loader_ratio: Option<f64>,
    /// Mean GPU utilization.
    pub gpu_utilization: Option<f64>,
    /// What the run was bound by.
    pub verdict: Option<String>,
    /// Hash of the queries that computed them: when it changes, the metrics are computed again.
    #[serde(default, rename = "made_by")]
    pub made_by: String,
    /// Origin of the following metrics: samples or kernels.
    #[serde(default)]
    pub gpu_source: Option<String>,
    /// Number of devices with recorded work or measurements.
    pub gpus: Option<i64>,
    /// Time that the recordings cover, in seconds.
    pub recorded_s: Option<f64>,
    /// `recorded_s` summed over the devices, in GPU-seconds, like all following metrics.
    pub gpu_s: Option<f64>,
    /// Part of `gpu_s` without compute or copies.
    pub idle_s: Option<f64>,
    /// Upper bound of the part of `idle_s` while the process waited for data.
    pub idle_loader_s: Option<f64>,
    /// Part of `idle_s` in communication alone.
    pub idle_communication_s: Option<f64>,
    /// Rest of `idle_s`.
    pub idle_other_s: Option<f64>,
    /// Shares of the time of each rank. None from older versions; a run about which nothing is known has one row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time_shares: Vec<TimeShare>,
    /// Attributes of the whole run from the profile, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

/// What a rank spent its time on: a row of table `time_share`, which describes the fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[expect(missing_docs, reason = "the table describes its columns")]
pub struct TimeShare {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dur: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_utilization: Option<f64>,
}

impl KeyMetrics {
    /// What the run was bound by. None if an older version computed it, by another rule.
    pub fn verdict(&self) -> Option<&str> {
        self.verdict.as_deref().filter(|_| !self.time_shares.is_empty())
    }
}

impl Manifest {
    /// Creates the manifest of a run without rows; its first commit has generation 1.
    pub fn empty(run: &str) -> Self {
        Self { format: FORMAT, run: run.to_owned(), ..Self::default() }
    }

    /// Whether both have the same rows from the same sources; generation and key metrics may
    /// differ.
    pub fn has_same_rows(&self, other: &Self) -> bool {
        (&self.parts, &self.objects, &self.sources, &self.tags)
            == (&other.parts, &other.objects, &other.sources, &other.tags)
    }

    /// Whether it has events without their nesting, as those of older versions.
    #[doc(hidden)]
    pub fn lacks_nesting(&self) -> bool {
        self.objects.iter().any(|entry| entry.lacks_nesting())
    }

    /// Parses a manifest; `name` is its name in errors.
    ///
    /// # Errors
    /// Malformed for a corrupt manifest, Unrecognized for one of a newer version.
    pub fn parse(name: &str, text: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct FormatVersion {
            format: u32,
        }
        let corrupt = |error: serde_json::Error| {
            Error::new(ErrorKind::Malformed, format!("cannot read {name}: it is not a manifest")).with_source(error)
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::new(ErrorKind::Malformed, format!("cannot read {name}: it is empty")));
        }
        // A newer version may have other fields: then only its format number is parsed.
        let read = serde_json::from_slice::<Self>(text);
        let format = match &read {
            Ok(manifest) => manifest.format,
            Err(_) => serde_json::from_slice::<FormatVersion>(text).map_err(corrupt)?.format,
        };
        if format > FORMAT {
            let message = format!("cannot read {name}: it has lake format {format}, this version reads {FORMAT}");
            return Err(Error::new(ErrorKind::Unrecognized, message).with_hint("install a newer tracelake"));
        }
        let manifest = read.map_err(corrupt)?;
        let is_intact = match split_checksum(text) {
            Some((content, checksum)) => crc32fast::hash(content) == checksum,
            None => format < CHECKSUM_FORMAT,
        };
        if !is_intact {
            let message = format!("cannot read {name}: its bytes have changed since it was written");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        Ok(manifest)
    }

    /// Serializes the manifest. Its last members are the name of the run again, for `parse_run`, and a checksum of the bytes
    /// before.
    ///
    /// # Errors
    /// Exhausted for a run with millions of files. Internal cannot happen, because plain data can always be serialized.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let internal = |error| Error::new(ErrorKind::Internal, "cannot write a manifest").with_source(error);
        let mut text = serde_json::to_vec(self).map_err(internal)?;
        text.pop();
        text.extend_from_slice(NAME_KEY);
        serde_json::to_writer(&mut text, &self.run).map_err(internal)?;
        let checksum = crc32fast::hash(&text);
        text.extend_from_slice(CHECKSUM_KEY);
        text.extend_from_slice(checksum.to_string().as_bytes());
        text.push(b'}');
        if text.len() as u64 > MAX_MANIFEST {
            let why = format!("cannot write run `{}`: it has too many files, {}", self.run, self.objects.len());
            return Err(
                Error::new(ErrorKind::Exhausted, why).with_hint("ingest the folders of the profile as several runs")
            );
        }
        Ok(text)
    }
}
