//! Why a task failed, in a form that survives the scheduler, which hands it on as text inside other text.

use ballista_core::error::BallistaError;
use datafusion::common::DataFusionError;
use tracelake::ErrorKind;
use tracelake::session::cluster::{Failure, task_error};

/// How it begins.
const MARK: &str = "tracelake-reason:";

const CREDENTIALS: &str = "a machine of the cluster was refused, not this one: open the session with options (access_key_id, secret_access_key, ...), \
which go with a question, or start the executors with credentials in their environment";

/// The reason as one word.
pub(crate) fn word(error: &DataFusionError) -> String {
    let mut error = task_error(root(error));
    if error.kind() == ErrorKind::Denied {
        error = error.with_hint(CREDENTIALS);
    }
    let failure = serde_json::to_vec(&Failure::from(&error)).unwrap_or_default();
    let hex: String = failure.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{MARK}{hex};")
}

/// How the reason begins when rows of another executor are gone.
const LOSS: &str = "tracelake-loss:";

/// That rows which a task needed are gone.
pub(crate) fn loss(error: &DataFusionError) -> String {
    format!("{LOSS} {}", error.strip_backtrace())
}

/// Whether a job failed because rows were gone.
pub(crate) fn is_loss(text: &str) -> bool {
    text.contains(LOSS)
}

/// What is the matter, below what Ballista and the engine put around it.
fn root(error: &DataFusionError) -> &DataFusionError {
    let root = error.find_root();
    let inner = match root {
        DataFusionError::External(inner) => inner.downcast_ref::<BallistaError>(),
        _ => None,
    };
    match inner {
        Some(BallistaError::DataFusionError(inner)) => self::root(inner),
        _ => root,
    }
}

/// The reason that stands in what the scheduler says.
pub(crate) fn read(text: &str) -> Option<Failure> {
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
    fn a_reason_comes_out_of_other_words() {
        let text = "cannot read s3://lake/Größe.parquet";
        let word = word(&DataFusionError::External(Box::new(Error::new(ErrorKind::Denied, text))));
        let told = Error::from(read(&format!("Job 7 failed: Task failed due to \"{word}\" at 3")).unwrap());
        assert_eq!((told.kind(), told.to_string()), (ErrorKind::Denied, format!("{text}\n  hint:   {CREDENTIALS}")));
        assert_eq!(read("Job 7 failed"), None);
        assert_eq!(read(&format!("{MARK}7b")), None);
    }
}
