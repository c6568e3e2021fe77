//! One binary for all integration tests: each one links the query engine.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests read and make files, and fail loudly"
)]

// Rules on `use` between modules, and the table of crates in docs/design.md.
mod architecture;
// Every query compared with its header: golden test, columns, tables read, pushdown, order.
mod catalog;
// The command line program: exit codes, formats, pipes.
mod cli;
// Small data files of many runs, merged into few files.
mod compact;
// Columns with the same name have the same meaning in all relations.
mod columns;
// Pages of the docs that must agree with the code.
mod docs;
// Decodes folders without a lake.
mod decode;
// Decodes a trace in sections, with several decoders.
mod decode_sections;
// `Frame::explain`: how a query was run.
mod explain;
// Following a job while it writes.
mod follow;
// Properties of every decoder: any chunking, any truncation.
mod format_laws;
// Properties that hold for any bytes: the targets of fuzz/, run on inputs that once broke one.
mod fuzz;
// Input that is meant to break a reader.
mod hostile;
// Deleting, renaming and tagging runs; checking, upgrading and vacuuming a lake.
mod housekeeping;
// Traces of the PyTorch profiler, compared with exact numbers.
mod kineto;
// Files that several workers decode in sections.
mod sections;
// Files of data loaders, including malformed ones.
mod loader_files;
// Reading files that change, or that are compressed.
mod source;
// Guarantees of an ingest: atomic, idempotent, one winner.
mod lake;
// Blocks of Rust on the pages of the docs.
mod pages;
// Generated files that are committed.
mod products;
// Declarations of the stub for the Rust notebook.
mod shim;
// Text reports of Lightning's profilers.
mod lightning;
// Profiles of cProfile and pyinstrument.
mod python_profile;
// The page of a report: its sections, its links, untrusted names.
mod report;
// Reports of SageMaker rules: those of smdebug and our own.
mod rule_report;
// Scalars of loggers: metrics.csv and event files.
mod scalars;
// Recordings of tracelake.record, line by line.
mod recorder;
// SageMaker profiles of every edge case.
mod sagemaker_edge;
// Guarantees of a session: threads, foreign runtimes, errors, limits.
mod session;
// The golden profiles, in a lake that all tests share.
mod golden;
