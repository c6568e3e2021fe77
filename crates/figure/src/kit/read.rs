//! Reads the columns of a figure's frames, and limits the number of items drawn.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;

/// The result of the query at this index of a figure's list.
///
/// # Errors
/// Internal if the caller passed fewer frames.
pub(crate) fn answer(frames: &[Frame], index: usize) -> Result<&Frame> {
    frames.get(index).ok_or_else(|| {
        Error::new(ErrorKind::Internal, format!("draw a figure from {} frames: no frame {index}", frames.len()))
    })
}

/// A text column. Null becomes an empty string.
pub(crate) fn texts(frame: &Frame, name: &str) -> Result<Vec<String>> {
    Ok(frame.column::<String>(name)?.into_iter().map(Option::unwrap_or_default).collect())
}

/// An integer column. `None` means unknown.
pub(crate) fn integers(frame: &Frame, name: &str) -> Result<Vec<Option<i64>>> {
    frame.column::<i64>(name)
}

/// A number column. Unknown values become NaN, which plotly.js does not draw.
pub(crate) fn floats(frame: &Frame, name: &str) -> Result<Vec<f64>> {
    Ok(frame.column::<f64>(name)?.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

/// The rows of each key, in the order of the first row of each key.
pub(crate) fn groups<K: Ord + Clone>(keys: impl Iterator<Item = K>) -> Vec<(K, Vec<usize>)> {
    let mut known: BTreeMap<K, usize> = BTreeMap::new();
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (row, key) in keys.enumerate() {
        let place = *known.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(row);
    }
    groups
}

/// Keeps the first `most` items. Adds a note if it removes any.
pub(crate) fn cap<T>(items: &mut Vec<T>, most: usize, what: &str, notes: &mut Vec<String>) {
    if items.len() > most {
        notes.push(format!("{most} of {} {what} shown", items.len()));
        items.truncate(most);
    }
}

/// A key for natural sort order: `cpu2` before `cpu10`.
pub(crate) fn natural(name: &str) -> (String, u64, String) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.to_owned(), name[stem.len()..].parse().unwrap_or(0), name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_the_order() {
        let found = groups(["b", "a", "b"].into_iter());
        assert_eq!(found, [("b", vec![0, 2]), ("a", vec![1])]);
    }

    #[test]
    fn what_is_left_out_is_said() {
        let mut notes = Vec::new();
        let mut items = vec![1, 2, 3];
        cap(&mut items, 2, "runs", &mut notes);
        cap(&mut items, 2, "ranks", &mut notes);
        assert_eq!((items, notes), (vec![1, 2], vec!["2 of 3 runs shown".to_owned()]));
    }

    #[test]
    fn devices_sort_as_people_count() {
        let mut names = ["cpu10", "gpu0", "cpu2", "cpu"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["cpu", "cpu2", "cpu10", "gpu0"]);
    }
}
