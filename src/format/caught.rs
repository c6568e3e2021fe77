//! Readers of other crates that may panic on damaged bytes, as that of Parquet does.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a reader gives, or what is said of the bytes that it panicked on: it is not to be asked again.
pub(super) fn caught<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| "its reader stopped at damaged bytes")
}
