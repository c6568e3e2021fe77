//! `rule_report`: what the rules of SageMaker Debugger said about a job while it ran.

use super::data_table;

data_table! {
    "rule_report",
    "One row per report of a rule that a job left.",
    RuleReport, Builder {
        rule: Text Name "name of the rule, as its file is called",
        triggered: Bigint Count "how often the rule was triggered, once for each window that was judged",
        violations: Bigint Count "what the rule counted as violations",
        datapoints: Bigint Count "what was judged",
        parameters: Text Json "limits that were used: names and numbers",
        details: Text Json "what else the rule reported, as recorded",
    }
}
