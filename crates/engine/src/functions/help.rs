//! What the help says about our own functions.

/// A function of SQL that other engines do not have.
#[derive(Debug)]
pub struct FunctionHelp {
    /// Name in SQL.
    pub name: &'static str,
    /// The call, with the types of the arguments.
    pub usage: &'static str,
    /// One line of description.
    pub doc: &'static str,
}

macro_rules! functions {
    ($($name:literal $arguments:literal $doc:literal)*) => {
        &[$(FunctionHelp { name: $name, usage: concat!($name, $arguments), doc: $doc }),*]
    };
}

/// Our own functions, in alphabetical order.
pub const FUNCTIONS: &[FunctionHelp] = functions! {
    "bound_by" "(steps bigint, input double, communication double, host double, compute double, idle double, busy double, high double, near double, idle_above double, busy_above double)"
        "Scalar function: what limits a run, by shares of its time; see query job.verdict"
    "call_chain" "(value, is_frame boolean, ts bigint, dur bigint) over (partition by thread order by ts, dur desc)"
        "Window function: values of all frames that enclose an interval, as a list, the innermost first"
    "call_frame" "(name text, ts bigint, dur bigint, work bigint) over (partition by thread order by ts, dur desc)"
        "Window function: position of an interval in the call tree of its thread, with own and total time in ns"
    "call_parent" "(value, is_frame boolean, ts bigint, dur bigint) over (partition by thread order by ts, dur desc)"
        "Window function: value of the innermost frame that encloses an interval"
    "call_stack" "(name text, ts bigint, dur bigint) over (partition by thread order by ts, dur desc)"
        "Window function: names of the frames that enclose an interval, as text, the innermost first, separated by `;`"
    "change_point" "(value double, max_p double, min_len bigint) over (order by ...)"
        "Window function: where a series of values changes its level, by a test of ranks; a struct of segment and p"
    "collective_work" "(name text, args text, ranks bigint)"
        "Scalar function: operation, data type, size and bus factor of a collective, as a struct; see query collective.bandwidth"
    "covered" "(intervals list, windows list)"
        "Scalar function: length in ns of the part of each window that the intervals of union_intervals cover, as a list"
    "critical_path" "(role text, row bigint, ts bigint, dur bigint, ...)"
        "Aggregate function: longest path through the windows of a recording; see query trace.critical_path"
    "dictionary_encode" "(text)"
        "Scalar function: a column of texts as an Arrow dictionary array, for long columns with few distinct texts"
    "enclosed_work" "(launches list, ranges list)"
        "Scalar function: device work that was launched within each range of a thread, as a list of structs"
    "extract_arg" "(args text, name text)"
        "Scalar function: a member of the JSON object in `args` or `attributes`, as text; null without one"
    "format_amount" "(value, unit text)"
        "Scalar function: a number as text in the unit that fits: format_amount(1500000, 'ns') is 1.5 ms"
    "histogram_distance" "(a double[], b double[])"
        "Scalar function: Jensen-Shannon distance of two histograms, each a list with the shares of its bins"
    "is_collective" "(name text)"
        "Scalar function: whether a kernel of this name moves data between devices, such as those of NCCL"
    "operator_bytes" "(name text, args text)"
        "Scalar function: minimum memory traffic of a call of an operator in bytes, from the shapes of its inputs; see query operator.flops"
    "operator_data_type" "(name text, args text)"
        "Scalar function: data type of the inputs of a call of an operator for which operator_flops has a number"
    "operator_flops" "(name text, args text)"
        "Scalar function: floating-point operations of a call of an operator, from the shapes of its inputs; see query operator.flops"
    "priority_covered" "(intervals list, windows list)"
        "Scalar function: for each window, a list of the lengths in ns in which each priority of priority_intervals is the first with a running interval"
    "priority_intervals" "(ts bigint, dur bigint, priority bigint)"
        "Aggregate function: union of the intervals of each priority, as a list of lists of structs of ts and dur"
    "priority_lengths" "(ts bigint, dur bigint, priority bigint)"
        "Aggregate function: time in ns in which each priority is the first with a running interval, as a list"
    "ratio_interval" "(a list, b list, statistic text, noise double, confidence double)"
        "Scalar function: ratio of two groups of runs with its confidence interval, as a struct; see query compare.steps"
    "recent_percentile" "(x, p double, n bigint) over (order by ...)"
        "Window function: percentile p of the last n rows"
    "union_intervals" "(ts bigint, dur bigint)"
        "Aggregate function: union of intervals that may overlap, as a sorted list of structs of ts and dur"
    "union_length" "(ts bigint, dur bigint)"
        "Aggregate function: length in ns of the union of intervals that may overlap, such as the kernels of several streams"
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use datafusion::execution::FunctionRegistry;
    use datafusion::prelude::SessionContext;

    use super::*;

    #[test]
    fn all_our_functions_are_in_the_help() {
        fn names(registry: &dyn FunctionRegistry) -> BTreeSet<String> {
            let names = registry.udfs().into_iter().chain(registry.udafs()).chain(registry.udwfs());
            names.collect()
        }
        let mut context = SessionContext::new();
        let known = names(&context);
        crate::functions::register_functions(&mut context).unwrap();
        let ours: Vec<String> = names(&context).difference(&known).cloned().collect();
        assert_eq!(FUNCTIONS.iter().map(|function| function.name).collect::<Vec<_>>(), ours);
    }
}
