//! `rule_report`: reports of the rules of SageMaker Debugger about a job.

use super::data_table;

data_table! {
    "rule_report",
    "One row per rule report of a job.",
    RuleReport, Builder {
        rule: Text Name "name of the rule, from the name of its file",
        times_triggered: Bigint Count "number of times the rule triggered, once for each window that it evaluated",
        violations: Bigint Count "number of violations, as the rule counts them",
        datapoints: Bigint Count "number of datapoints that the rule evaluated",
        parameters: Text Json "limits that the rule used: names and numbers",
        details: Text Json "other values that the rule reported, as recorded",
    }
}
