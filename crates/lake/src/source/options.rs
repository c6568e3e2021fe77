//! Options of stores, and the error of invalid addresses.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind};

/// Options of a store by name, as `object_store` spells them (`aws_region`, `endpoint`,
/// `skip_signature`, ...), and `profile`, the name of one in `~/.aws`. They override the
/// environment.
pub type Options = BTreeMap<String, String>;

/// The error for an address that cannot be used.
pub(super) fn invalid_address(address: &str, why: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot use `{address}` as an address: {why}"))
        .with_hint("write s3://bucket/prefix, file:///path or a local path")
}
