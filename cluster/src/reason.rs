//! Encodes the error of a task as text. The scheduler passes errors on only as text inside other
//! text.

use ballista_core::error::BallistaError;
use datafusion::common::DataFusionError;
use tracelake::ErrorKind;
use tracelake::session::cluster::{ClusterFailure, task_error};

/// The prefix of an encoded error.
const MARK: &str = "tracelake-reason:";

const CREDENTIALS: &str = "a machine of the cluster was refused, not this one: open the session with options (access_key_id, secret_access_key, ...), \
which go with a question, or start the executors with credentials in their environment";

/// Encodes an error as one word.
pub(crate) fn encode(error: &DataFusionError) -> String {
    let mut error = task_error(root_cause(error));
    if error.kind() == ErrorKind::Denied {
        error = error.with_hint(CREDENTIALS);
    }
    let failure = serde_json::to_vec(&ClusterFailure::from(&error)).unwrap_or_default();
    let hex: String = failure.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{MARK}{hex};")
}

/// The prefix of an error for lost rows of another executor.
const LOSS_MARK: &str = "tracelake-loss:";

/// Encodes an error for lost rows that a task needed.
pub(crate) fn encode_loss(error: &DataFusionError) -> String {
    format!("{LOSS_MARK} {}", error.strip_backtrace())
}

/// Whether a job failed because rows were lost.
pub(crate) fn is_loss(text: &str) -> bool {
    text.contains(LOSS_MARK)
}

/// The root cause, without the errors that Ballista and DataFusion wrap around it.
fn root_cause(error: &DataFusionError) -> &DataFusionError {
    let root_cause = error.find_root();
    if let DataFusionError::External(inner) = root_cause
        && let Some(BallistaError::DataFusionError(inner)) = inner.downcast_ref::<BallistaError>()
    {
        return self::root_cause(inner);
    }
    root_cause
}

/// Decodes the error in a message of the scheduler.
pub(crate) fn decode(text: &str) -> Option<ClusterFailure> {
    let hex = text.split_once(MARK)?.1.split(|letter: char| !letter.is_ascii_hexdigit()).next()?;
    let bytes: Option<Vec<u8>> =
        (0..hex.len() / 2).map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).ok()).collect();
    serde_json::from_slice(&bytes?).ok()
}

#[cfg(test)]
mod tests {
    use tracelake::Error;

    use super::*;

    #[test]
    fn an_error_is_decoded_from_other_text() {
        let text = "cannot read s3://lake/Größe.parquet";
        let word = encode(&DataFusionError::External(Box::new(Error::new(ErrorKind::Denied, text))));
        let decoded = Error::from(decode(&format!("Job 7 failed: Task failed due to \"{word}\" at 3")).unwrap());
        let expected = (ErrorKind::Denied, format!("{text}\n  hint:   {CREDENTIALS}"));
        assert_eq!((decoded.kind(), decoded.to_string()), expected);
        assert_eq!(decode("Job 7 failed"), None);
        assert_eq!(decode(&format!("{MARK}7b")), None);
    }
}
