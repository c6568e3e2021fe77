//! `action`: rows of Lightning's text reports.

use super::data_table;

data_table! {
    "action",
    "One row per action of a Lightning report. Do not sum the rows: actions are nested, and a later report of a SimpleProfiler repeats the earlier ones.",
    Action, Builder {
        report: Bigint Id "report within the file, from 0",
        stage: Text Name "stage of the report: fit, validate, test or predict; null when unknown",
        action: Text Name "name of the action",
        calls: Bigint Count "number of times the action ran; null from AdvancedProfiler",
        mean_s: Double S "mean duration; null from AdvancedProfiler",
        total_s: Double S "total duration; from AdvancedProfiler, the time of the functions profiled in the action, without inner actions",
        percent: Double Percent "share of report_s, as reported",
        profiler: Text Name "profiler that wrote the report: simple or advanced",
        report_calls: Bigint Count "calls of all actions, from the row Total of the report; null if it has no such row",
        report_s: Double S "time since the profiler was created, from the row Total of the report; null if it has no such row",
        function_calls: Bigint Count "function calls in the action; null from SimpleProfiler",
        primitive_calls: Bigint Count "function calls that were not recursive; null from SimpleProfiler",
        reduced_from: Bigint Count "number of functions before the list was shortened (List reduced from ... to ...); null if it is complete",
        reduced_to: Bigint Count "number of functions in the shortened list; null if it is complete",
        restriction: Text Name "restriction that shortened the list, as printed: a number of functions (10), or a share of them (0.1)",
    }
}
