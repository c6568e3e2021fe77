//! `action`: rows of Lightning's text reports.

use super::data_table;

data_table! {
    "action",
    "One row per action of a Lightning report.",
    Action, Builder {
        report: Bigint Id "report within the file, from 0",
        stage: Text Name "stage of the report",
        action: Text Name "name of the action",
        calls: Bigint Count "calls",
        mean_s: Double S "mean duration",
        total_s: Double S "total duration",
        percent: Double Percent "share of the total, as reported",
    }
}
