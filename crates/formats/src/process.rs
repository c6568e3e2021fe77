//! Ids that are unique only in a process, made unique in a file that has several processes.

/// The ordinal of a process starts at this bit of such an id.
const SHIFT: u32 = 32;

/// Adds the ordinal of its process, in the order of the file, to an id. The ids of the first process stay as they are.
pub(super) fn unique_id(id: i64, ordinal: usize) -> i64 {
    id | i64::try_from(ordinal).unwrap_or(0) << SHIFT
}

/// Returns the `span` of a process in a file with this number of a recording and this `object` id. Recordings are numbered by the
/// rank of the file, which only its first process has. So the others have the id of the file.
pub(super) fn span(recording: i64, object: i64, ordinal: usize) -> i64 {
    unique_id(if ordinal == 0 { recording } else { object }, ordinal)
}

/// Returns an id without the sign that a conversion from 32 unsigned bits gave it.
pub(super) fn unsigned(id: i64) -> i64 {
    match i32::try_from(id) {
        Ok(id) => i64::from(id.cast_unsigned()),
        Err(_) => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_two_processes_differ() {
        assert_eq!(unique_id(7, 0), 7);
        assert_eq!(unique_id(7, 2), 0x2_0000_0007);
        assert_eq!([0, 2].map(|ordinal| span(1, 3, ordinal)), [1, 0x2_0000_0003]);
    }

    #[test]
    fn ids_have_no_sign() {
        assert_eq!([7, -1, -1_234, 1 << 40].map(unsigned), [7, 0xffff_ffff, 4_294_966_062, 1 << 40]);
    }
}
