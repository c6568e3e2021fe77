//! Recognizes from the files of a profile that its training job has ended.

/// Name of the empty file that SageMaker writes to `system/` and `framework/` when a job has ended.
const END_MARKER: &str = "training_job_end.ts";

/// Returns true if the paths below a root have the marker of a job that has ended. If there are system
/// metrics, only their marker counts: they are written until the job ends, even if the training script has
/// failed.
///
/// # Source
/// `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/profiler_constants.py` and the readers of
/// `smdebug/profiler`.
#[doc(hidden)]
pub fn has_job_ended<'a>(paths: impl Iterator<Item = &'a str> + Clone) -> bool {
    let mut folders = paths.clone().flat_map(|path| path.rsplit('/').skip(1));
    let folder = if folders.any(|name| name == "system") { "system" } else { "framework" };
    let mut markers = paths.filter(|path| path.rsplit('/').next() == Some(END_MARKER));
    markers.any(|path| path.rsplit('/').nth(1) == Some(folder))
}

#[cfg(test)]
mod tests {
    use super::has_job_ended;

    #[test]
    fn the_marker_of_system_metrics_counts_if_there_are_any() {
        let ended = |paths: &[&str]| has_job_ended(paths.iter().copied());
        assert!(!ended(&[]));
        assert!(!ended(&["system/incremental/2020091312/1600000200.algo-1.json"]));
        assert!(ended(&["framework/pevents/a.json", "framework/training_job_end.ts"]));
        assert!(!ended(&["framework/training_job_end.ts", "system/incremental/1600000200.algo-1.json"]));
        assert!(ended(&["system/incremental/1600000200.algo-1.json", "system/training_job_end.ts"]));
        assert!(ended(&["profiler-output/system/training_job_end.ts"]));
        assert!(!ended(&["training_job_end.ts", "notes/training_job_end.ts"]));
    }
}
