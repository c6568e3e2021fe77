//! One binary for all integration tests: each one links the query engine.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests read and make files, and fail loudly"
)]

// Rules between modules, read from their `use` lines, and the table of crates in docs/design.md.
mod architecture;
// Every query against its contract: golden, columns, tables read, pushdown, order.
mod catalog;
// The command: exit codes, formats, pipes.
mod cli;
// Small parts of many runs in few files.
mod compact;
// One name means one thing, in all columns.
mod columns;
// Documents that must say what the code says.
mod docs;
// A driver that feeds folders to decoders without a lake.
mod decode;
// The same in sections, by several decoders.
mod decode_sections;
// What is told about how a question was answered.
mod explain;
// A job that is followed while it writes.
mod follow;
// Laws of every decoder: any chunking, any truncation.
mod format_laws;
// What must hold for any bytes: the targets of fuzz/, here over files that once broke something.
mod fuzz;
// Input that is meant to break a reader.
mod hostile;
// Runs deleted and tagged, and a lake checked and vacuumed.
mod housekeeping;
// Traces of the PyTorch profiler against exact numbers.
mod kineto;
// Files that several workers read in sections.
mod sections;
// Files of data loaders, the damaged ones too.
mod loader_files;
// What a place gives of files that change, or that are packed.
mod source;
// What an ingest promises: atomic, idempotent, one winner.
mod lake;
// Blocks of Rust on the pages of the docs.
mod pages;
// Generated files that are committed.
mod products;
// What the stub of the Rust notebook declares.
mod shim;
// Reports of Lightning, by hand.
mod lightning;
mod python_profile;
// The page of a report: its sections, its links, names from strangers.
mod report;
// Reports of rules, those of old jobs and our own.
mod rule_report;
// Scalars of loggers: metrics.csv and event files.
mod scalars;
// Recordings of tracelake.record, line by line.
mod recorder;
// The odd profiles, one by one.
mod sagemaker_edge;
// The contract of a session: threads, foreign runtimes, errors, limits.
mod session;
// The golden profiles, in a lake that all tests share.
mod golden;
