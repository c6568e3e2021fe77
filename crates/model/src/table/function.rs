//! `function`: functions in Python profiles.

use super::data_table;

data_table! {
    "function",
    "One row per function in a Python profile.",
    Function, Builder {
        profile: Text Id "profile within the run: path of its file",
        profiler: Text Name "profiler that wrote it",
        scope: Text Json "what the profile covers: action and stage, or steps, phases and times",
        file: Text Name "source file; ~ for built-ins",
        line: Bigint Id "line in the source file",
        function: Text Name "name of the function",
        primitive_calls: Bigint Count "calls that were not recursive; null from a sampler",
        calls: Bigint Count "calls; null from a sampler",
        own_s: Double S "time in the function itself",
        cumulative_s: Double S "time in the function and in all functions that it called",
        report: Bigint Id "report within the file, from 0; null if a file is one profile",
    }
}
