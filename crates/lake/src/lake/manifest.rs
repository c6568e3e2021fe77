//! The truth about one run: which parts hold its rows, and which objects they came from.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::entry::{self, Entry};
use crate::error::{Error, ErrorKind, Result};

/// The format of lakes that this version writes. Older ones are read, newer ones refused.
pub const FORMAT: u32 = 1;

/// One generation of a run. Immutable once written; the highest generation wins.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Manifest {
    /// Format of the lake.
    pub format: u32,
    /// Name of the run.
    pub run: String,
    /// From 1, one more at each commit.
    pub generation: u64,
    /// When it was committed, ns since the Unix epoch.
    pub committed: i64,
    /// Addresses that were ingested.
    pub sources: Vec<String>,
    /// Whether the run was deleted with this generation: it then has nothing else. Versions that do not know it see a run without rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// The run whose rows it took over under another name, and the generation of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<(String, u64)>,
    /// What the user said about the run.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// Files of rows.
    pub parts: Vec<Part>,
    /// Objects found in the sources. The next generation has most of them in common with this one.
    #[serde(deserialize_with = "entry::read")]
    pub objects: Vec<Arc<Entry>>,
    /// Answers kept so that questions over many runs read no rows; null after a change of rows.
    pub figures: Option<Figures>,
}

/// One immutable Parquet file.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Part {
    /// Table whose rows it holds.
    pub table: String,
    /// Path below the lake.
    pub path: String,
    /// Number of rows.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Where it is in a file that holds rows of other runs, too; none if the file is all its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<Slice>,
    /// Smallest and largest `ts`, where the table has one and any row has a value.
    pub ts: Option<(i64, i64)>,
    /// Objects whose rows it holds.
    pub objects: Vec<i64>,
}

/// Whole row groups of a file.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
pub struct Slice {
    /// The byte at which they begin.
    pub from: u64,
    /// The byte behind them.
    pub to: u64,
    /// Size of the file in bytes.
    pub of: u64,
}

/// Reads a field of a corrupt manifest, if it comes before the corrupt bytes.
pub(super) fn parse_field<T: DeserializeOwned>(text: &[u8], name: &str) -> Option<T> {
    let key = format!("\"{name}\":");
    let at = memchr::memmem::find(text, key.as_bytes())? + key.len();
    serde_json::Deserializer::from_slice(&text[at..]).into_iter().next()?.ok()
}

impl Part {
    /// Size of the file that holds it, in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.slice.map_or(self.bytes, |slice| slice.of)
    }
}

/// Key metrics of a run, with the catalog that made them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct Figures {
    /// Version of the catalog.
    pub catalog: String,
    /// Distinct steps over all modes.
    pub steps: Option<i64>,
    /// Median step of the main mode, ns.
    pub step_p50: Option<f64>,
    /// 95th percentile of that, ns.
    pub step_p95: Option<f64>,
    /// Waiting for data over step time.
    pub loader_ratio: Option<f64>,
    /// Mean GPU utilization.
    pub gpu_utilization: Option<f64>,
    /// What the run was bound by.
    pub verdict: Option<String>,
    /// A mark of the queries that made them: when these change, so does it, and the figures are computed anew.
    #[serde(default)]
    pub made_by: String,
    /// Devices that worked or were measured.
    #[serde(default)]
    pub gpus: Option<i64>,
    /// Time that recordings cover, in seconds.
    #[serde(default)]
    pub recorded_s: Option<f64>,
    /// The same summed over the devices, in GPU-seconds, as all that follow.
    #[serde(default)]
    pub gpu_s: Option<f64>,
    /// Of that, without computing and copying.
    #[serde(default)]
    pub idle_s: Option<f64>,
    /// Of that, while the process waited for data; at most.
    #[serde(default)]
    pub idle_loader_s: Option<f64>,
    /// Of that, in communication alone.
    #[serde(default)]
    pub idle_communication_s: Option<f64>,
    /// The rest.
    #[serde(default)]
    pub idle_other_s: Option<f64>,
    /// What the profile says about the whole run, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

impl Manifest {
    /// A run without rows; its first commit has generation 1.
    pub fn empty(run: &str) -> Self {
        Self {
            format: FORMAT,
            run: run.to_owned(),
            generation: 0,
            committed: 0,
            sources: Vec::new(),
            deleted: false,
            renamed: None,
            tags: BTreeMap::new(),
            parts: Vec::new(),
            objects: Vec::new(),
            figures: None,
        }
    }

    /// Whether both say the same about rows and where they came from; generation and key metrics may differ.
    pub fn has_rows_of(&self, other: &Self) -> bool {
        (&self.parts, &self.objects, &self.sources, &self.tags)
            == (&other.parts, &other.objects, &other.sources, &other.tags)
    }

    /// Reads a manifest; `name` is said in errors.
    ///
    /// # Errors
    /// Malformed for a damaged manifest, Unrecognized for one that a newer version wrote.
    pub fn parse(name: &str, text: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let damaged = |error: serde_json::Error| {
            Error::new(ErrorKind::Malformed, format!("cannot read {name}: it is not a manifest")).with_source(error)
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::new(ErrorKind::Malformed, format!("cannot read {name}: it is empty")));
        }
        // A newer version may say other things: then its number is all that is read.
        let read = serde_json::from_slice::<Self>(text);
        let format = match &read {
            Ok(manifest) => manifest.format,
            Err(_) => serde_json::from_slice::<Version>(text).map_err(damaged)?.format,
        };
        if format > FORMAT {
            let message = format!("cannot read {name}: it has lake format {format}, this version reads {FORMAT}");
            return Err(Error::new(ErrorKind::Unrecognized, message).with_hint("install a newer tracelake"));
        }
        read.map_err(damaged)
    }

    /// The manifest as it is stored.
    ///
    /// # Errors
    /// Internal: plain data can always be written.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self)
            .map_err(|error| Error::new(ErrorKind::Internal, "cannot write a manifest").with_source(error))
    }
}
