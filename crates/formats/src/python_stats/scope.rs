//! Parses the paths of SageMaker Debugger's profiles: the process, and the section of the job that a profile covers.
//!
//! The path is `<number>-<host>/<mode>-<step>-<phase>-<us>_<mode>-<step>-<phase>-<us>/python_stats`. The first four values
//! are the start, the others the end. `*` means that there is no step: before the first and after the last one. Before
//! smdebug 1.0 the folder was `<start_us>_<end_us>_<number>-<host>_<step>`, with step -1 before step 0.

use crate::number::is_digits;
use crate::sagemaker_framework::split_node;

/// File name of a cProfile dump.
pub(super) const CPROFILE_FILE: &str = "python_stats";
/// File name of a pyinstrument tree.
pub(super) const PYINSTRUMENT_FILE: &str = "python_stats.json";
/// File name of pyinstrument's HTML page.
pub(super) const PYINSTRUMENT_PAGE: &str = "python_stats.html";

const MODES: [&str; 6] = ["train", "eval", "predict", "global", "prestepzero", "posthookclose"];
const PHASES: [&str; 5] = ["start", "stepstart", "forwardpassend", "stepend", "end"];

/// The process and the section of the job that a profile covers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ProfileScope<'a> {
    /// `<number>-<host>`.
    process: &'a str,
    /// The value of column `scope`, a JSON object.
    pub(super) json: String,
}

/// The framework in the path of a profile: `framework/<framework>/<profiler>/<process>/<stretch>/<file>`.
pub(super) fn parse_framework(path: &str) -> Option<&str> {
    let mut folders = path.rsplit('/').skip(4);
    let framework = folders.next()?;
    (folders.next() == Some("framework")).then_some(framework)
}

/// Parses the path of a file called `name`; none if it is not in such folders.
pub(super) fn parse_scope<'a>(path: &'a str, name: &str) -> Option<ProfileScope<'a>> {
    let mut parts = path.rsplit('/');
    if parts.next() != Some(name) {
        return None;
    }
    let folder = parts.next()?;
    match folder.split('_').collect::<Vec<_>>().as_slice() {
        [start, end] => {
            let (start, end) = (format_boundary("start", start)?, format_boundary("end", end)?);
            Some(ProfileScope { process: parts.next()?, json: format!("{{{start},{end}}}") })
        }
        [start_us, end_us, process, step] if name == CPROFILE_FILE => {
            let step: i64 = step.parse().ok().filter(|step| *step >= -1)?;
            let (start_us, end_us) = (check_time(start_us)?, check_time(end_us)?);
            let section = if step < 0 {
                "\"start_mode\":\"prestepzero\",\"start_phase\":\"start\",\"end_step\":0,\"end_phase\":\"stepstart\""
                    .to_owned()
            } else {
                format!("\"start_step\":{step},\"end_step\":{step}")
            };
            Some(ProfileScope { process, json: format!("{{{section},\"start_us\":{start_us},\"end_us\":{end_us}}}") })
        }
        _ => None,
    }
}

/// The JSON members of one boundary, `start` or `end`, from `<mode>-<step>-<phase>-<us>`.
fn format_boundary(side: &str, text: &str) -> Option<String> {
    let [mode, step, phase, us]: [&str; 4] = text.split('-').collect::<Vec<_>>().try_into().ok()?;
    if !MODES.contains(&mode) || !PHASES.contains(&phase) {
        return None;
    }
    let us = check_time(us)?;
    let step = match step {
        "*" => "null".to_owned(),
        step => step.parse::<i64>().ok()?.to_string(),
    };
    // no mode and no phase has characters that JSON escapes
    Some(format!(r#""{side}_mode":"{mode}","{side}_step":{step},"{side}_phase":"{phase}","{side}_us":{us}"#))
}

/// Returns the text unchanged if it is a decimal number of us that is valid JSON.
fn check_time(text: &str) -> Option<&str> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
    (is_digits(whole) && is_digits(fraction) && !has_leading_zero).then_some(text)
}

/// The machine and the number of the process that wrote the profile at `path`; none for other files.
pub(crate) fn process(path: &str) -> Option<(Option<String>, Option<i64>)> {
    let name = path.rsplit('/').next().filter(|name| [CPROFILE_FILE, PYINSTRUMENT_FILE].contains(name))?;
    parse_scope(path, name).map(|scope| split_node(scope.process))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_process_and_scope() {
        let path =
            "framework/pytorch/cprofile/0-algo-1/train-9-stepstart-16.0_train-10-forwardpassend-17.5/python_stats";
        let scope = parse_scope(path, CPROFILE_FILE).unwrap();
        assert_eq!(
            scope.json,
            r#"{"start_mode":"train","start_step":9,"start_phase":"stepstart","start_us":16.0,"end_mode":"train","end_step":10,"end_phase":"forwardpassend","end_us":17.5}"#
        );
        assert_eq!(process(path), Some((Some("algo-1".to_owned()), Some(0))));
        assert_eq!((parse_framework(path), parse_framework("0-algo-1/a/python_stats")), (Some("pytorch"), None));
        let path = "7-h/prestepzero-*-start-1_posthookclose-*-end-2/python_stats.json";
        assert_eq!(
            parse_scope(path, PYINSTRUMENT_FILE).unwrap().json,
            r#"{"start_mode":"prestepzero","start_step":null,"start_phase":"start","start_us":1,"end_mode":"posthookclose","end_step":null,"end_phase":"end","end_us":2}"#
        );
        let path = "framework/tensorflow/cProfile/15.0_16.0_151-algo-1_-1/python_stats";
        assert_eq!(
            parse_scope(path, CPROFILE_FILE).unwrap().json,
            r#"{"start_mode":"prestepzero","start_phase":"start","end_step":0,"end_phase":"stepstart","start_us":15.0,"end_us":16.0}"#
        );
        assert_eq!(process(path), Some((Some("algo-1".to_owned()), Some(151))));
        let path = "15.0_16.0_151-algo-1_3/python_stats";
        assert_eq!(
            parse_scope(path, CPROFILE_FILE).unwrap().json,
            r#"{"start_step":3,"end_step":3,"start_us":15.0,"end_us":16.0}"#
        );
    }

    #[test]
    fn other_folders_have_no_scope() {
        for path in [
            "python_stats",
            "a/python_stats",
            "0-algo-1/train-9-stepstart-16.0/python_stats",
            "0-algo-1/train-x-stepstart-16_train-9-stepend-17/python_stats",
            "0-algo-1/train-9-stepstart-16e3_train-9-stepend-17/python_stats",
            "0-algo-1/fit-9-stepstart-16_train-9-stepend-17/python_stats",
            "1_2_algo_-2/python_stats",
            "train-9-stepstart-16_train-9-stepend-17/python_stats",
        ] {
            assert_eq!(parse_scope(path, CPROFILE_FILE), None, "{path}");
        }
    }
}
