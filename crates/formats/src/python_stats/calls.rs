//! The rows of one profile, as both profilers give them.

use std::sync::Arc;

use super::scope::{self, Covered};
use crate::sagemaker_framework::rank_of;
use crate::table::{Call, Function, Rows};
use crate::{ObjectInfo, lightning};

/// Where a function is defined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: Option<i64>,
    pub(super) name: &'a str,
}

impl Place<'_> {
    /// Writes `file:line(function)`, as Python names it, in the place of what `out` held.
    fn label(&self, out: &mut String) {
        use std::fmt::Write as _;
        out.clear();
        let _ = write!(out, "{}:{}({})", self.file, self.line.unwrap_or(0), self.name);
    }
}

/// What was counted; what a profiler does not know is none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) primitive_calls: Option<i64>,
    pub(super) calls: Option<i64>,
    pub(super) own_s: Option<f64>,
    pub(super) cumulative_s: Option<f64>,
}

/// Puts functions and calls of one profile into rows.
#[derive(Debug, Default)]
pub(super) struct Writer {
    profiler: &'static str,
    path: Arc<str>,
    scope: Option<String>,
    node: Option<String>,
    rank: Option<i64>,
    functions: i64,
    calls: i64,
    caller: String,
    callee: String,
}

impl Writer {
    /// For the profile in this file.
    pub(super) fn new(
        profiler: &'static str,
        object: &ObjectInfo,
        covered: Option<Covered<'_>>,
        rows: &mut Rows,
    ) -> Self {
        if let Some(framework) = covered.as_ref().and_then(|_| scope::framework(&object.path)) {
            rows.framework(framework);
        }
        let (node, number) = super::process(&object.path).unwrap_or_default();
        let rank = rank_of(node.as_deref(), number, &object.siblings);
        let dumped = lightning::dumped(&object.path, &object.siblings);
        let rank = rank.or(dumped.as_ref().and_then(|dumped| dumped.rank));
        let scope = covered.map(|covered| covered.scope).or(dumped.map(|dumped| dumped.scope));
        Self { profiler, path: Arc::clone(&object.path), scope, node, rank, ..Self::default() }
    }

    /// How many functions were written.
    pub(super) fn functions(&self) -> i64 {
        self.functions
    }

    pub(super) fn function(&mut self, place: Place<'_>, counts: Counts, rows: &mut Rows) {
        rows.function(&Function {
            node: self.node.as_deref(),
            rank: self.rank,
            profile: Some(&self.path),
            profiler: Some(self.profiler),
            scope: self.scope.as_deref(),
            file: Some(place.file).filter(|file| !file.is_empty()),
            line: place.line,
            function: Some(place.name),
            primitive_calls: counts.primitive_calls,
            calls: counts.calls,
            own_s: counts.own_s,
            cumulative_s: counts.cumulative_s,
            report: None,
            row: self.functions,
        });
        self.functions += 1;
    }

    pub(super) fn call(&mut self, caller: Place<'_>, callee: Place<'_>, counts: Counts, rows: &mut Rows) {
        caller.label(&mut self.caller);
        callee.label(&mut self.callee);
        rows.call(&Call {
            node: self.node.as_deref(),
            rank: self.rank,
            profile: Some(&self.path),
            caller: Some(&self.caller),
            callee: Some(&self.callee),
            calls: counts.calls,
            own_s: counts.own_s,
            cumulative_s: counts.cumulative_s,
            primitive_calls: counts.primitive_calls,
            row: self.calls,
        });
        self.calls += 1;
    }
}
