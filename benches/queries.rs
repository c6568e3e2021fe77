//! Measures every saved query over one lake. It includes new queries without a change.
//!
//! `TRACELAKE_BENCH_LAKE` names the lake. Without it, the bundled profile is used.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a bench takes its input from outside")]

use std::sync::OnceLock;

use divan::Bencher;
use tracelake::{OpenOptions, Session};

fn main() {
    divan::main();
}

fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/first_look/profiler-output");
        let url = std::env::var("TRACELAKE_BENCH_LAKE").unwrap_or_else(|_| bundled.to_owned());
        tracelake::open_with(&url, OpenOptions { ephemeral: true, ..OpenOptions::default() })
            .expect("the lake can be opened")
    })
}

fn query_names() -> impl Iterator<Item = &'static str> {
    let queries = tracelake::catalog::queries().iter();
    queries.filter(|query| query.family().is_some()).map(|query| query.name.as_str())
}

#[divan::bench(args = query_names(), sample_count = 5, sample_size = 1)]
fn query(bencher: Bencher<'_, '_>, name: &str) {
    let session = session();
    bencher.bench(|| {
        let frame = session.query_runs(name, (), ()).expect("it is in the catalog");
        frame.batch().expect("it can be answered").num_rows()
    });
}
