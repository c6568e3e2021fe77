//! Blocks of Rust on the pages of the docs, each with a session `s`.
//!
//! generated from the pages by `make update`; do not edit

use tracelake::*;

fn readme_0(s: Session) -> Result<()> {
use tracelake::*;

let s = open("tests/data/first_look")?;
s.step().duration().fetch()?;
s.sql("select count(*) from event")?;
s.figure("step_timeline", [("run", "first_look")])?;
    Ok(())
}

fn docs_export_0(s: Session) -> Result<()> {
tracelake::cli::export_file(&s, "job-7", "chrome", "job-7.json.gz".as_ref())?;   // a file
let mut bytes = Vec::new();
s.export("job-7", "chrome", &mut bytes)?;                                        // whatever can be written to
    Ok(())
}

fn docs_notebooks_0(s: Session) -> Result<()> {
s.help("loader")?;      // at the end of a cell, without the `;`, a value is shown
let steps = s.table("step", None, None)?.in_zone(tracelake::frame::Zone::Local);
s.save_query("slow_steps", "select run, step, dur from step where dur > $min_dur", [("min_dur", 450_000_000)])?;
s.query("saved.slow_steps", [("min_dur", 500_000_000)])?;
s.diagnose((), "")?;
    Ok(())
}

fn docs_rust_notebooks_0(s: Session) -> Result<()> {
let s: Session = open("s3://bucket/lake")?;
s.step().duration().run("job-7").fetch()?
;
    Ok(())
}

fn docs_rust_notebooks_1(s: Session) -> Result<()> {
let s: Session = open("s3://bucket/lake")?;
let dur: Vec<Option<i64>> = s.step().over_time().fetch()?.column("dur")?;
    Ok(())
}

pub(crate) fn all() -> Vec<fn(Session) -> Result<()>> {
    vec![readme_0, docs_export_0, docs_notebooks_0, docs_rust_notebooks_0, docs_rust_notebooks_1]
}
