//! Decodes the output of profilers into rows of tables, with one module for each kind of output.
//!
//! A format gets bytes and names, not a store. It opens no files, so tests and the fuzzer can run it on
//! a slice. [`Format::sniff`] and [`Format::group`] recognize the files of the format. A push decoder
//! turns chunks into [`Rows`]. A chunk may end anywhere, also inside a UTF-8 character. Corrupt entries
//! become rows of table `problem`, and decoding continues. Decoding a file fails only if nothing in it
//! can be read.

mod cells;
pub mod chrome_trace;
pub mod dali_loader_evaluator;
mod elements;
mod job_end;
mod json;
pub mod kineto;
pub mod lightning;
pub mod lightning_metrics;
mod lines;
pub mod loader_timings;
mod malformed;
pub mod nsys;
mod number;
#[doc(hidden)]
pub mod parquet_pages;
mod place;
pub mod python_stats;
pub mod recorder;
pub mod sagemaker_framework;
pub mod sagemaker_rule_report;
pub mod sagemaker_system;
mod scalar;
mod scanner;
mod secret;
mod siblings;
mod template;
pub mod tensorboard_events;
mod trace_event;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Seek};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use tracelake_model::{error, table};

use crate::error::Result;
use crate::table::Rows;

#[doc(hidden)]
pub use job_end::job_ended;
#[doc(hidden)]
pub use json::{add_string, member, members, unquote};
#[doc(hidden)]
pub use nsys::logs_beside;
pub use siblings::Siblings;

/// All formats, in the order they are asked. Order = order of sniffing.
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
    // reads whatever has trace events, so it comes last
    &chrome_trace::ChromeTrace,
];

/// The name of a file without its endings: what its writer called it.
fn stem(name: &str) -> &str {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A time as it was written, decimal us, in ns.
#[doc(hidden)]
pub fn microseconds(raw: &str) -> Option<i64> {
    number::scaled(json::number_text(raw), 3).value()
}

/// The format of this name.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.descriptor().name == name)
}

/// What a format is, for `help_formats`, docs/formats.md and messages.
#[derive(Debug)]
pub struct Descriptor {
    /// Name in the `format` column of table `object`.
    pub name: &'static str,
    /// One line: what writes these files.
    pub doc: &'static str,
    /// What the files are called, for people.
    pub files: &'static str,
    /// Tables it fills.
    pub tables: &'static [&'static str],
    /// Field of the input and the column it becomes.
    pub fields: &'static [(&'static str, &'static str)],
    /// What stands in the files and is not read, and why.
    pub not_read: &'static [&'static str],
    /// Where the meaning is defined.
    pub source: &'static str,
    /// Raised when the same bytes give other rows: old objects are then read again.
    pub version: i64,
}

/// One file as the store lists it.
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
    /// Which recording of its process it is, from 0: see [`Format::recordings`]. None where a file is no whole recording.
    pub recording: Option<i64>,
    /// The annotation that the user named as the mark of steps.
    pub step_annotation: Option<Arc<str>>,
    /// What the user called the columns of timings: see [`loader_timings::Columns`].
    pub loader_columns: Arc<BTreeMap<String, String>>,
}

impl ObjectInfo {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// What is known of a file before it is decoded.
#[derive(Debug)]
pub struct Probe<'a> {
    /// Its name and size.
    pub info: &'a ObjectInfo,
    /// Its first bytes, decompressed; up to 64 KiB, empty if it could not be read.
    pub head: &'a [u8],
    /// Its last bytes, where the store can give them and the file is not compressed.
    pub tail: &'a [u8],
}

/// A file that can be read at any place.
pub trait Anywhere: Read + Seek + Send {}

impl<T: Read + Seek + Send> Anywhere for T {}

/// Finds the last place in some bytes where an entry seems to begin.
pub type Cut = fn(&[u8]) -> Option<usize>;

/// One profiler output.
pub trait Format: Sync {
    /// What it is.
    fn descriptor(&self) -> &'static Descriptor;

    /// Whether this file is of the format; content counts before names.
    fn sniff(&self, probe: &Probe<'_>) -> bool;

    /// Tells by name alone whether a file is of the format, and which group it belongs to: files of
    /// one group are fed to one decoder, sorted by path. None: look at the content.
    fn group(&self, _object: &ObjectInfo) -> Option<Arc<str>> {
        None
    }

    /// Whether a changed file can be read again without the others of its group. If an event can begin in one file and end in
    /// another (B and E), it cannot: such a format must return false, or the event is lost.
    fn independent(&self) -> bool {
        true
    }

    /// Whether files of this name are known to belong to the profiler and hold nothing to read
    /// (markers, files still being written); says why.
    fn ignores(&self, _object: &ObjectInfo) -> Option<&'static str> {
        None
    }

    /// Why a file that no format knows is not read though it looks like one of this format, and what the user can do.
    fn declines(&self, _probe: &Probe<'_>) -> Option<String> {
        None
    }

    /// The rank that the first bytes of a file tell, decompressed; none where [`Format::recordings`] needs no more than
    /// names.
    fn rank(&self, _object: &ObjectInfo, _head: &[u8]) -> Option<i64> {
        None
    }

    /// Whether [`Format::recordings`] needs to know what the first bytes of this file tell.
    fn wants_rank(&self, _object: &ObjectInfo) -> bool {
        false
    }

    /// Which recording of its process each of these files is, from 0: all files of the format in a profile, each with
    /// the rank that its first bytes tell. `taken` are ranks and recordings of files that the run has and that are not
    /// among these. None where a file is no whole recording.
    fn recordings(&self, files: &[(&str, Option<i64>)], _taken: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        vec![None; files.len()]
    }

    /// A decoder for one group.
    fn decoder(&self) -> Decoding;
}

/// Decodes the files of a group into rows. Holds bounded memory, never panics.
pub trait Decoder: Any + Send {
    /// A file of the group begins; `rows` already puts its rows under this object.
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()>;

    /// The file ended. An error says that nothing in it could be read.
    fn end(&mut self, rows: &mut Rows) -> Result<()>;

    /// The group ended, after the last file's [`Decoder::end`]; its last file is still the current object.
    fn finish(&mut self, _rows: &mut Rows) -> Result<()> {
        Ok(())
    }

    /// Whether a file that came to the group after its [`Decoder::finish`] may be read from here: whether all its files,
    /// read anew, would give the rows that they gave, and those of this file behind them.
    fn goes_on(&self, _object: &ObjectInfo) -> bool {
        false
    }
}

/// A decoder that reads the bytes of each file in order.
pub trait Stream: Decoder {
    /// Whether it needs the last 64 KiB of a file, decompressed, before the first byte is pushed, because data that all rows
    /// need can be at the end. `head` is the first bytes, decompressed. Costs a request, and a whole pass over a compressed file.
    fn needs_tail(&self, _head: &[u8]) -> bool {
        false
    }

    /// The last bytes of the file, or all of a short one, decompressed: between [`Decoder::begin`] and the
    /// first [`Stream::push`]. They are pushed all the same.
    fn tail(&mut self, _tail: &[u8]) {}

    /// The next bytes of the file.
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()>;
}

/// A decoder of large files: several threads decode sections of one file at once.
pub trait Sections: Stream {
    /// How a file is cut into sections.
    fn cut(&self) -> Cut;

    /// A decoder for bytes further on in this file, from a [`Sections::cut`] on, for another thread: it is pushed one section,
    /// and then handed to [`Sections::join`]. Its rows are numbered from 0. None if the bytes must be pushed in their order.
    fn ahead(&self) -> Option<Box<dyn Sections>>;

    /// Takes over what `ahead` decoded, instead of the bytes that it was pushed, and says what its rows have to be numbered
    /// from. None if it is not certain that pushing the bytes gives the same rows: then they have to be pushed. Nothing
    /// may have been wrong with the section.
    fn join(&mut self, ahead: Box<dyn Sections>) -> Option<i64>;
}

/// A decoder that reads decompressed files at any position. Costs a copy of a file that is compressed or in a bucket.
pub trait RandomAccess: Decoder {
    /// Takes a file of the group. Called for all files, in order, before the first one begins. A file that cannot be opened is
    /// skipped, and does not begin.
    fn open(&mut self, object: &ObjectInfo, file: Box<dyn Anywhere>);

    /// Reads the next part of the current file: some MB or some thousand rows. Returns the approximate number of bytes, or
    /// `None` at the end of the file.
    fn advance(&mut self, rows: &mut Rows) -> Result<Option<usize>>;
}

/// A decoder, by how it reads files.
pub enum Decoding {
    /// From the start to the end.
    Stream(Box<dyn Stream>),
    /// From the start to the end; large files by several threads.
    Sections(Box<dyn Sections>),
    /// At any position.
    RandomAccess(Box<dyn RandomAccess>),
}

impl fmt::Debug for Decoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stream(_) => "Stream",
            Self::Sections(_) => "Sections",
            Self::RandomAccess(_) => "RandomAccess",
        })
    }
}

impl Decoding {
    /// The decoder, if it reads the bytes in order.
    pub fn stream(&mut self) -> Option<&mut dyn Stream> {
        match self {
            Self::Stream(decoder) => Some(decoder.as_mut()),
            Self::Sections(decoder) => Some(decoder.as_mut()),
            Self::RandomAccess(_) => None,
        }
    }
}

impl Deref for Decoding {
    type Target = dyn Decoder;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Stream(decoder) => decoder.as_ref(),
            Self::Sections(decoder) => decoder.as_ref(),
            Self::RandomAccess(decoder) => decoder.as_ref(),
        }
    }
}

impl DerefMut for Decoding {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Stream(decoder) => decoder.as_mut(),
            Self::Sections(decoder) => decoder.as_mut(),
            Self::RandomAccess(decoder) => decoder.as_mut(),
        }
    }
}
