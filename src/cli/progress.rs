//! The progress bar of an ingest, on stderr.

use std::sync::{Arc, OnceLock};

use indicatif::{ProgressBar, ProgressStyle};

use crate::ingest::{Progress, ProgressCallback};

/// Returns a progress bar that appears with the first progress and disappears with the last. Shows nothing if stderr is not a
/// terminal.
pub(super) fn progress_bar() -> ProgressCallback {
    let bar: OnceLock<ProgressBar> = OnceLock::new();
    Arc::new(move |progress: Progress| {
        let bar = bar.get_or_init(|| {
            let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {msg} {eta}");
            ProgressBar::new(progress.bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(progress.bytes_done);
        bar.set_message(format!("{}/{} files", progress.objects_done, progress.objects));
        if progress.objects_done == progress.objects {
            bar.finish_and_clear();
        }
        true
    })
}
