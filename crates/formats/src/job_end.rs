//! Whether a training job has ended, as far as the files of its profile say.

/// The name of the empty file that SageMaker puts into `system/` and `framework/` when a job has ended.
const MARK: &str = "training_job_end.ts";

/// Whether the files below a root, by path, say that their job has ended. Where there are system metrics, those count:
/// they are written to the end, whatever became of the training script.
///
/// # Source
/// `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/profiler_constants.py` and the readers of `smdebug/profiler`.
#[doc(hidden)]
pub fn job_ended<'a>(paths: impl Iterator<Item = &'a str> + Clone) -> bool {
    let folder = |path: &'a str, name: &str| path.rsplit('/').skip(1).any(|part| part == name);
    let side = if paths.clone().any(|path| folder(path, "system")) { "system" } else { "framework" };
    let mut marked = paths.filter(|path| path.rsplit('/').next() == Some(MARK));
    marked.any(|path| path.rsplit('/').nth(1) == Some(side))
}

#[cfg(test)]
mod tests {
    use super::job_ended;

    #[test]
    fn the_mark_of_system_metrics_counts_where_there_are_some() {
        let ended = |paths: &[&str]| job_ended(paths.iter().copied());
        assert!(!ended(&[]));
        assert!(!ended(&["system/incremental/2020091312/1600000200.algo-1.json"]));
        assert!(ended(&["framework/pevents/a.json", "framework/training_job_end.ts"]));
        assert!(!ended(&["framework/training_job_end.ts", "system/incremental/1600000200.algo-1.json"]));
        assert!(ended(&["system/incremental/1600000200.algo-1.json", "system/training_job_end.ts"]));
        assert!(ended(&["profiler-output/system/training_job_end.ts"]));
        assert!(!ended(&["training_job_end.ts", "notes/training_job_end.ts"]));
    }
}
