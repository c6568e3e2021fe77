//! `action`: rows of Lightning's text reports.

use super::data_table;

data_table! {
    "action",
    "One row per action of a Lightning report. Actions lie within each other, and a later report of a SimpleProfiler repeats earlier ones: their sums mean nothing.",
    Action, Builder {
        report: Bigint Id "report within the file, from 0",
        stage: Text Name "stage of the report: fit, validate, test or predict; null when unknown",
        action: Text Name "name of the action",
        calls: Bigint Count "how often it was done; null from AdvancedProfiler",
        mean_s: Double S "mean duration; null from AdvancedProfiler",
        total_s: Double S "total duration; from AdvancedProfiler that of the functions profiled in it, where inner actions are missing",
        percent: Double Percent "share of report_s, as reported",
        profiler: Text Name "profiler that wrote it: simple or advanced",
        report_calls: Bigint Count "calls of all actions of the report, its row Total; null where it has none",
        report_s: Double S "time since the profiler was made, from the row Total of the report; null where it has none",
        function_calls: Bigint Count "calls of functions in it; null from SimpleProfiler",
        primitive_calls: Bigint Count "those of them that were not recursive; null from SimpleProfiler",
        reduced_from: Bigint Count "functions in it, where the report lists fewer; else null",
        reduced_to: Bigint Count "functions that the report lists, where these are fewer; else null",
        restriction: Text Name "what the list was cut by: a number of functions, or a share of them",
    }
}
