//! `call`: callers and callees in Python profiles.

use super::data_table;

data_table! {
    "call",
    "One row per caller and callee in a Python profile.",
    Call, Builder {
        profile: Text Id "profile within the run: path of its file",
        caller: Text Name "calling function, as file:line(function)",
        callee: Text Name "called function, as file:line(function)",
        calls: Bigint Count "calls; null from a sampler",
        own_s: Double S "time in the callee itself",
        cumulative_s: Double S "time in the callee and in all functions that it called",
        primitive_calls: Bigint Count "calls that were not recursive; null from a sampler",
    }
}
