//! `call`: who called whom in Python profiles.

use super::data_table;

data_table! {
    "call",
    "One row per caller and callee in a Python profile.",
    Call, Builder {
        profile: Text Id "profile within the run",
        caller: Text Name "calling function",
        callee: Text Name "called function",
        calls: Bigint Count "calls",
        own_s: Double S "time in the callee itself",
        cumulative_s: Double S "time in the callee and all it called",
    }
}
