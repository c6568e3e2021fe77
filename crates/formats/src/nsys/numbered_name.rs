//! Names that consist of a prefix and a number: of streams, devices and processes.

use std::sync::Arc;

use super::IdMap;

/// A cache of names that consist of a prefix and a number, by the number.
pub(super) type NumberedNames = IdMap<i64, Arc<str>>;

/// The name of this number.
pub(super) fn numbered_name(names: &mut NumberedNames, prefix: &str, number: i64) -> Arc<str> {
    if let Some(name) = names.get(&number) {
        return Arc::clone(name);
    }
    let name: Arc<str> = format!("{prefix}{number}").into();
    // only a corrupt file has more numbers
    if names.len() < 1 << 16 {
        names.insert(number, Arc::clone(&name));
    }
    name
}
