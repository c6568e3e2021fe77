//! The progress of an ingest, on stderr: a bar on a terminal, else a line every 30 s.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::ingest::{Progress, ProgressCallback};

/// Time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Returns a callback that shows the progress.
pub(super) fn progress() -> ProgressCallback {
    if std::io::stderr().is_terminal() { progress_bar() } else { progress_lines(LINE_INTERVAL, std::io::stderr()) }
}

/// Returns a progress bar that appears with the first progress and disappears with the last.
fn progress_bar() -> ProgressCallback {
    let bar: OnceLock<ProgressBar> = OnceLock::new();
    Arc::new(move |progress: Progress| {
        let bar = bar.get_or_init(|| {
            let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {msg} {eta}");
            ProgressBar::new(progress.bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        // The next profile of several.
        if progress.objects_done == 0 && progress.bytes_done == 0 {
            bar.reset();
            bar.set_length(progress.bytes);
        }
        bar.set_position(progress.bytes_done);
        bar.set_message(format!("{}/{} files", progress.objects_done, progress.objects));
        if progress.objects_done == progress.objects {
            bar.finish_and_clear();
        }
        true
    })
}

/// Returns a callback that writes a line after each interval.
fn progress_lines(interval: Duration, out: impl Write + Send + 'static) -> ProgressCallback {
    let state = Mutex::new((Instant::now(), out));
    Arc::new(move |progress: Progress| {
        // Another thread writes a line.
        let Ok(mut state) = state.try_lock() else { return true };
        let (last, out) = &mut *state;
        if last.elapsed() >= interval && progress.objects_done < progress.objects {
            *last = Instant::now();
            let mb = |bytes: u64| bytes.div_ceil(1_000_000);
            let Progress { objects, bytes, objects_done, bytes_done } = progress;
            // A closed stderr is not an error.
            let _ =
                writeln!(out, "progress: {objects_done} of {objects} files, {} of {} MB", mb(bytes_done), mb(bytes));
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_shows_files_and_bytes() {
        let (often, never) = (Output::default(), Output::default());
        for (interval, output) in [(Duration::ZERO, &often), (Duration::from_hours(1), &never)] {
            let watch = progress_lines(interval, output.clone());
            for (objects_done, bytes_done) in [(0, 1), (1, 5_000_000), (2, 9_000_000)] {
                assert!(watch(Progress { objects: 2, bytes: 9_000_000, objects_done, bytes_done }));
            }
        }
        let lines = "progress: 0 of 2 files, 1 of 9 MB\nprogress: 1 of 2 files, 5 of 9 MB\n";
        assert_eq!(String::from_utf8(often.0.lock().unwrap().clone()).unwrap(), lines);
        assert!(never.0.lock().unwrap().is_empty());
    }
}
