//! Writes the rows of one profile, for both profilers.

use std::sync::Arc;

use super::scope::{self, ProfileScope};
use crate::sagemaker_framework::find_rank;
use crate::table::{Call, Function, Rows};
use crate::{ObjectInfo, lightning};

/// Where a function is defined.
#[derive(Debug, Clone, Copy)]
pub(super) struct FunctionLocation<'a> {
    pub(super) file: &'a str,
    pub(super) line: Option<i64>,
    pub(super) name: &'a str,
}

impl FunctionLocation<'_> {
    /// Replaces the content of `out` with `file:line(function)`, the form that Python prints.
    fn format_label(&self, out: &mut String) {
        use std::fmt::Write as _;
        out.clear();
        let _ = write!(out, "{}:{}({})", self.file, self.line.unwrap_or(0), self.name);
    }
}

/// Counts and times of a function or a call. Values that a profiler does not measure are missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CallCounts {
    pub(super) primitive_calls: Option<i64>,
    pub(super) calls: Option<i64>,
    pub(super) own_s: Option<f64>,
    pub(super) cumulative_s: Option<f64>,
}

/// Writes the functions and calls of one profile.
#[derive(Debug, Default)]
pub(super) struct ProfileWriter {
    profiler: &'static str,
    path: Arc<str>,
    scope: Option<String>,
    node: Option<String>,
    rank: Option<i64>,
    /// Number of functions and calls written so far.
    pub(super) functions: i64,
    calls: i64,
    /// Buffers for labels.
    caller: String,
    callee: String,
}

impl ProfileWriter {
    /// A writer for the profile in this file.
    pub(super) fn new(
        profiler: &'static str,
        object: &ObjectInfo,
        scope: Option<ProfileScope<'_>>,
        rows: &mut Rows,
    ) -> Self {
        if scope.is_some()
            && let Some(framework) = scope::parse_framework(&object.path)
        {
            rows.framework(framework);
        }
        let (node, number) = super::process(&object.path).unwrap_or_default();
        let dump = lightning::parse_dump_name(&object.path, &object.siblings);
        let rank = find_rank(node.as_deref(), number, &object.siblings);
        let rank = rank.or(dump.as_ref().and_then(|dump| dump.rank));
        let scope = scope.map(|scope| scope.json).or(dump.map(|dump| dump.scope));
        Self { profiler, path: Arc::clone(&object.path), scope, node, rank, ..Self::default() }
    }

    pub(super) fn write_function(&mut self, location: FunctionLocation<'_>, counts: CallCounts, rows: &mut Rows) {
        rows.function(&Function {
            node: self.node.as_deref(),
            rank: self.rank,
            profile: Some(&self.path),
            profiler: Some(self.profiler),
            scope: self.scope.as_deref(),
            file: Some(location.file).filter(|file| !file.is_empty()),
            line: location.line,
            function: Some(location.name),
            primitive_calls: counts.primitive_calls,
            calls: counts.calls,
            own_s: counts.own_s,
            cumulative_s: counts.cumulative_s,
            report: None,
            row: self.functions,
        });
        self.functions += 1;
    }

    pub(super) fn write_call(
        &mut self,
        caller: FunctionLocation<'_>,
        callee: FunctionLocation<'_>,
        counts: CallCounts,
        rows: &mut Rows,
    ) {
        caller.format_label(&mut self.caller);
        callee.format_label(&mut self.callee);
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
