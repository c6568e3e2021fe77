//! `call_path`: which calls ran inside which others, as a tree of names for each file.

use super::data_table;

data_table! {
    "call_path",
    "One row per file and path of calls, from the outermost call to one inside it. `row` counts depth first, so the paths inside a path are its next `paths_inside` rows.",
    CallPath, Builder {
        parent_row: Bigint Id "`row` of the path without its last call; null for an outermost call",
        depth: Bigint Count "calls around the last one",
        paths_inside: Bigint Count "longer paths that begin with this one",
        category: Text Name "category of the last call: operator, annotation, communication, loader, python or module",
        name: Text Name "name of the last call",
        outermost: Boolean Flag "false when a call around it has the same name",
        operator: Text Name "innermost operator or collective of the path; null when there is none",
        module: Text Name "innermost module of the path; null when there is none",
    }
}
