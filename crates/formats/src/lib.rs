//! Decodes the output of profilers into rows of tables, with one module for each kind of output.
//!
//! A format gets bytes and names, not a store. It opens no files, so tests and the fuzzer can run it on
//! a slice. [`Format::sniff`] and [`Format::group`] recognize the files of the format. A push decoder
//! converts chunks to [`Rows`]. A chunk may end anywhere, even inside a UTF-8 character. Corrupt entries
//! become rows of table `problem`, and decoding continues. Decoding a file fails only if no part of it can
//! be read.

mod cells;
pub mod chrome_trace;
pub mod dali_loader_evaluator;
mod elements;
mod job_end;
mod json;
mod json_string;
pub mod kineto;
pub mod lightning;
pub mod lightning_metrics;
mod line_ends;
mod lines;
pub mod loader_timings;
pub mod nsys;
mod number;
pub mod other_tools;
#[doc(hidden)]
pub mod parquet_pages;
mod position;
mod process;
pub mod python_stats;
pub mod recorder;
mod repair;
pub mod sagemaker_framework;
pub mod sagemaker_rule_report;
pub mod sagemaker_system;
mod scalar;
mod scanner;
mod secret;
mod siblings;
mod template;
pub mod tensorboard_events;
mod time_base;
mod trace_event;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Seek};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use tracelake_model::{error, table};

use crate::error::{Error, ErrorKind, Result};
use crate::table::Rows;

#[doc(hidden)]
pub use job_end::has_job_ended;
#[doc(hidden)]
pub use json::{add_string, member_value, unquote, visit_members};
#[doc(hidden)]
pub use nsys::sqlite_log_paths;
pub use siblings::Siblings;

/// All formats, in the order in which they sniff a file.
pub static FORMATS: &[&dyn Format] = &[
    &sagemaker_system::SagemakerSystem,
    &sagemaker_framework::SagemakerFramework,
    &sagemaker_rule_report::SagemakerRuleReport,
    &python_stats::Cprofile,
    &python_stats::Pyinstrument,
    &dali_loader_evaluator::DaliLoaderEvaluator,
    &loader_timings::LoaderTimings,
    &tensorboard_events::TensorboardEvents,
    &nsys::Nsys,
    &lightning_metrics::LightningMetrics,
    &recorder::Recorder,
    &kineto::Kineto,
    &lightning::LightningSimple,
    &lightning::LightningAdvanced,
    &lightning::LightningPytorch,
    // The last one, because it reads every file with trace events.
    &chrome_trace::ChromeTrace,
];

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without its extensions.
fn file_stem(name: &str) -> &str {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Finds a format by its name.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.descriptor().name == name)
}

/// The description of a format, for `help_formats`, docs/formats.md and messages.
#[derive(Debug)]
pub struct Descriptor {
    /// Name in the `format` column of table `object`.
    pub name: &'static str,
    /// One line: what writes these files.
    pub doc: &'static str,
    /// Names of the files as a pattern, for the user.
    pub files: &'static str,
    /// Tables that get rows.
    pub tables: &'static [&'static str],
    /// Fields of the input, and the columns that they become.
    pub fields: &'static [(&'static str, &'static str)],
    /// Parts of the files that are not read, and why.
    pub not_read: &'static [&'static str],
    /// Where the format is defined.
    pub source: &'static str,
    /// Version of the decoder. It is increased when the same bytes give other rows; old objects are then read
    /// again.
    pub version: i64,
}

impl Descriptor {
    /// The error for a file that cannot be read, with its path and the reason.
    fn error(&self, kind: ErrorKind, path: &str, why: &str) -> Error {
        Error::new(kind, format!("cannot read {path}: {why}")).with_context("format", self.name)
    }

    /// The error for a file that cannot be read at all, because it is malformed.
    fn malformed(&self, path: &str, why: &str) -> Error {
        self.error(ErrorKind::Malformed, path, why)
    }
}

/// A file as listed by the store.
#[derive(Debug, Clone, Default)]
pub struct ObjectInfo {
    /// Number of the file within the run: the value of the `object` column.
    pub id: i64,
    /// Path below the profile's root, `/` between folders.
    pub path: Arc<str>,
    /// Size in the store, compressed if the file is.
    pub size: u64,
    /// All files below the same root.
    pub siblings: Arc<Siblings>,
    /// Number of the recording of its process, from 0: see [`Format::number_recordings`]. None if a file is not a
    /// whole recording.
    pub recording: Option<i64>,
    /// What the user adds to every time, in ns, after decoding; but after 2001 it is the start of a clock without an epoch.
    pub clock_offset: i64,
    /// The rank that the user's pattern finds in the path. It has precedence over that in the file.
    pub rank: Option<i64>,
    /// The rank by [`Format::number_ranks`].
    pub numbered_rank: Option<i64>,
    /// The user's annotation that marks steps.
    pub step_annotation: Option<Arc<str>>,
    /// The user's names for the columns of timings: see [`loader_timings::LoaderColumns`].
    pub loader_columns: Arc<BTreeMap<String, String>>,
}

impl ObjectInfo {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        file_name(&self.path)
    }
}

/// The facts that identify the format of a file, before it is decoded.
#[derive(Debug)]
pub struct Probe<'a> {
    /// Name and size.
    pub info: &'a ObjectInfo,
    /// First bytes, decompressed: up to 64 KiB, empty if the file could not be read.
    pub head: &'a [u8],
    /// Last bytes, if the store provides them and the file is not compressed.
    pub tail: &'a [u8],
}

/// A file that can be read at any position.
pub trait SeekableFile: Read + Seek + Send {}

impl<T: Read + Seek + Send> SeekableFile for T {}

/// Finds the last position in some bytes where an entry probably starts.
pub type FindSectionStart = fn(&[u8]) -> Option<usize>;

/// The format of a profiler's output.
pub trait Format: Sync {
    /// The description of the format.
    fn descriptor(&self) -> &'static Descriptor;

    /// Returns true if this file has the format. Content has precedence over names.
    fn sniff(&self, probe: &Probe<'_>) -> bool;

    /// The group of a file, if its name alone identifies the format. One decoder reads the files of a group,
    /// sorted by path. None if only the content identifies the format.
    fn group(&self, _object: &ObjectInfo) -> Option<Arc<str>> {
        None
    }

    /// Returns true if a changed file can be read again without the others of its group. A format must return
    /// false if an event can start in one file and end in another (B and E), because the event would be lost.
    fn is_file_independent(&self) -> bool {
        true
    }

    /// Why a file of the profiler has no data to read (a marker, or a file that is still being written). The
    /// name alone identifies it. None for all other files.
    fn ignore_reason(&self, _object: &ObjectInfo) -> Option<&'static str> {
        None
    }

    /// Why a file that is similar to this format is not read, and what the user can do. Called only for files
    /// that no format has recognized.
    fn decline_reason(&self, _probe: &Probe<'_>) -> Option<String> {
        None
    }

    /// The rank in the first bytes of a file, decompressed. None if [`Format::number_recordings`] needs only names.
    fn rank(&self, _object: &ObjectInfo, _head: &[u8]) -> Option<i64> {
        None
    }

    /// Returns true if [`Format::number_recordings`] needs [`Format::rank`] of this file.
    fn needs_rank(&self, _object: &ObjectInfo) -> bool {
        false
    }

    /// The ranks of files that show none themselves, from the numbers in all names. `files` are all files of the format in
    /// a profile, each with its [`Format::rank`].
    fn number_ranks(&self, files: &[(&str, Option<i64>)]) -> Vec<Option<i64>> {
        vec![None; files.len()]
    }

    /// Numbers the recordings of each process from 0. `files` are all files of the format in a profile, each
    /// with its [`Format::rank`]. `existing` are the ranks and recordings of other files that the run already
    /// has. Returns the number for each file, none if it is not a whole recording.
    fn number_recordings(&self, files: &[(&str, Option<i64>)], _existing: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        vec![None; files.len()]
    }

    /// A decoder for one group.
    fn decoder(&self) -> FormatDecoder;
}

/// Decodes the files of a group into rows. Its memory is limited, and it never panics.
pub trait Decoder: Any + Send {
    /// Starts a file of the group. The rows in `rows` already belong to this object.
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()>;

    /// Ends the file. Returns an error if no part of it could be read.
    fn end(&mut self, rows: &mut Rows) -> Result<()>;

    /// Ends the group, after [`Decoder::end`] of its last file, which is still the current object.
    fn finish(&mut self, _rows: &mut Rows) -> Result<()> {
        Ok(())
    }

    /// Returns true if this decoder can continue with a file that was added to the group after
    /// [`Decoder::finish`]. Then decoding the whole group again would give the same rows, followed by those
    /// of this file.
    fn can_continue(&self, _object: &ObjectInfo) -> bool {
        false
    }
}

/// A decoder that reads the bytes of each file in order.
pub trait Stream: Decoder {
    /// Returns true if it needs the last 64 KiB of a file, decompressed, before the first push, because data
    /// that all rows need can be at the end. `head` is the first bytes, decompressed. Costs a request, and a
    /// whole pass over a compressed file.
    fn needs_tail(&self, _head: &[u8]) -> bool {
        false
    }

    /// Takes the last bytes of the file, or all of a short one, decompressed. Called between
    /// [`Decoder::begin`] and the first [`Stream::push`]. These bytes are pushed later as well.
    fn tail(&mut self, _tail: &[u8]) {}

    /// Decodes the next bytes of the file.
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()>;

    /// Decodes more rows of a file that was pushed completely. Called until it returns false, before [`Decoder::end`], which
    /// decodes the rest: without these calls, all rows of the file are in memory.
    fn advance(&mut self, _rows: &mut Rows) -> Result<bool> {
        Ok(false)
    }
}

/// A decoder of large files: several threads decode sections of one file at once.
pub trait Sections: Stream {
    /// The function that finds where a file is cut into sections.
    fn section_start_finder(&self) -> FindSectionStart;

    /// A decoder for a later section of this file, for another thread. The section starts at a
    /// [`Sections::section_start_finder`]. Its bytes are pushed to this decoder, which is then passed to [`Sections::join`].
    /// Its rows are numbered from 0. None if the file must be pushed in order.
    fn section_decoder(&self) -> Option<Box<dyn Sections>>;

    /// Takes the result of the next section's decoder instead of the bytes of that section. Returns the
    /// number of the section's first row. None if pushing the bytes may give other rows: then they must be
    /// pushed. The section must not have any problem.
    fn join(&mut self, ahead: Box<dyn Sections>) -> Option<i64>;
}

/// A decoder that reads decompressed files at any position. Costs a copy of a file that is compressed or in a
/// bucket.
pub trait RandomAccess: Decoder {
    /// Takes a file of the group. Called for all files, in order, before [`Decoder::begin`] of the first one.
    /// A file that cannot be opened is skipped.
    fn open(&mut self, object: &ObjectInfo, file: Box<dyn SeekableFile>);

    /// Reads the next part of the current file: some MB or some thousand rows. Returns the approximate number
    /// of bytes, or `None` at the end of the file.
    fn advance(&mut self, rows: &mut Rows) -> Result<Option<usize>>;
}

/// A decoder, by how it reads files.
pub enum FormatDecoder {
    /// From the start to the end.
    Stream(Box<dyn Stream>),
    /// From the start to the end; large files by several threads.
    Sections(Box<dyn Sections>),
    /// At any position.
    RandomAccess(Box<dyn RandomAccess>),
}

impl fmt::Debug for FormatDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stream(_) => "Stream",
            Self::Sections(_) => "Sections",
            Self::RandomAccess(_) => "RandomAccess",
        })
    }
}

impl FormatDecoder {
    /// The decoder, if it reads the bytes in order.
    pub fn stream(&mut self) -> Option<&mut dyn Stream> {
        match self {
            Self::Stream(decoder) => Some(decoder.as_mut()),
            Self::Sections(decoder) => Some(decoder.as_mut()),
            Self::RandomAccess(_) => None,
        }
    }
}

impl Deref for FormatDecoder {
    type Target = dyn Decoder;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Stream(decoder) => decoder.as_ref(),
            Self::Sections(decoder) => decoder.as_ref(),
            Self::RandomAccess(decoder) => decoder.as_ref(),
        }
    }
}

impl DerefMut for FormatDecoder {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Stream(decoder) => decoder.as_mut(),
            Self::Sections(decoder) => decoder.as_mut(),
            Self::RandomAccess(decoder) => decoder.as_mut(),
        }
    }
}
