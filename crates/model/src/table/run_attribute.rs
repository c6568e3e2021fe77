//! `run_attribute`: attributes of a run, from the profile or the user.

use super::data_table;

data_table! {
    "run_attribute",
    "One row per attribute of a run, from the profile or from the user.",
    RunAttribute, Builder {
        key: Text Name "name of the attribute",
        value: Text Text "value of the attribute as text; JSON if the profiler recorded another type",
    }
}
