//! What the path of a profile of SageMaker Debugger says: process, and which stretch of the job it covers.
//!
//! `<number>-<host>/<mode>-<step>-<phase>-<us>_<mode>-<step>-<phase>-<us>/python_stats`, the first four for the start, the
//! others for the end; `*` stands for a step that there is not, before the first and after the last. Before smdebug 1.0
//! the folder was `<start_us>_<end_us>_<number>-<host>_<step>`, with step -1 before step 0.

use std::fmt::Write as _;

use crate::json::add_string;
use crate::sagemaker_framework::split_node;

/// File of cProfile.
pub(super) const CPROFILE: &str = "python_stats";
/// File of pyinstrument.
pub(super) const PYINSTRUMENT: &str = "python_stats.json";
/// Page of pyinstrument.
pub(super) const PAGE: &str = "python_stats.html";

const MODES: [&str; 6] = ["train", "eval", "predict", "global", "prestepzero", "posthookclose"];
const PHASES: [&str; 5] = ["start", "stepstart", "forwardpassend", "stepend", "end"];

/// What the folders around a profile say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Covered<'a> {
    /// `<number>-<host>`.
    process: &'a str,
    /// Column `scope`.
    pub(super) scope: String,
}

/// The framework whose folder a profile at `path` lies in: `framework/<framework>/<profiler>/<process>/<stretch>/<file>`.
pub(super) fn framework(path: &str) -> Option<&str> {
    let mut folders = path.rsplit('/').skip(4);
    let framework = folders.next()?;
    (folders.next() == Some("framework")).then_some(framework)
}

/// What the path of a file called `name` says; none if it does not lie in these folders.
pub(super) fn covered<'a>(path: &'a str, name: &str) -> Option<Covered<'a>> {
    let mut parts = path.rsplit('/');
    if parts.next() != Some(name) {
        return None;
    }
    let folder = parts.next()?;
    match folder.split('_').collect::<Vec<_>>().as_slice() {
        [start, end] => {
            let mut scope = "{".to_owned();
            edge(&mut scope, "start", start)?;
            edge(&mut scope, "end", end)?;
            scope.push('}');
            Some(Covered { process: parts.next()?, scope })
        }
        [start_us, end_us, process, step] if name == CPROFILE => {
            let step: i64 = step.parse().ok().filter(|step| *step >= -1)?;
            let (start_us, end_us) = (time(start_us)?, time(end_us)?);
            let mut scope = "{".to_owned();
            if step < 0 {
                scope.push_str("\"start_mode\":\"prestepzero\",\"start_phase\":\"start\",\"end_step\":0,\"end_phase\":\"stepstart\",");
            } else {
                let _ = write!(scope, "\"start_step\":{step},\"end_step\":{step},");
            }
            let _ = write!(scope, "\"start_us\":{start_us},\"end_us\":{end_us}}}");
            Some(Covered { process, scope })
        }
        _ => None,
    }
}

/// Adds the members of one edge: `<mode>-<step>-<phase>-<us>`.
fn edge(scope: &mut String, side: &str, text: &str) -> Option<()> {
    let parts: Vec<&str> = text.split('-').collect();
    let [mode, step, phase, us] = parts.as_slice() else { return None };
    if !MODES.contains(mode) || !PHASES.contains(phase) {
        return None;
    }
    let us = time(us)?;
    let step = match *step {
        "*" => "null".to_owned(),
        step => step.parse::<i64>().ok()?.to_string(),
    };
    let comma = if side == "start" { "" } else { "," };
    let _ = write!(scope, "{comma}\"{side}_mode\":");
    add_string(scope, mode);
    let _ = write!(scope, ",\"{side}_step\":{step},\"{side}_phase\":");
    add_string(scope, phase);
    let _ = write!(scope, ",\"{side}_us\":{us}");
    Some(())
}

/// A time in us, a decimal number, as it is written.
fn time(text: &str) -> Option<&str> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let leading = whole.len() > 1 && whole.starts_with('0');
    (digits(whole) && digits(part) && !leading).then_some(text)
}

/// The machine and the number of the process that a profile of any of these writers at `path` belongs to.
pub(crate) fn process(path: &str) -> Option<(Option<String>, Option<i64>)> {
    let name = path.rsplit('/').next().filter(|name| [CPROFILE, PYINSTRUMENT].contains(name))?;
    covered(path, name).map(|covered| split_node(covered.process))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_say_what_is_covered() {
        let path =
            "framework/pytorch/cprofile/0-algo-1/train-9-stepstart-16.0_train-10-forwardpassend-17.5/python_stats";
        let found = covered(path, CPROFILE).unwrap();
        assert_eq!(
            found.scope,
            r#"{"start_mode":"train","start_step":9,"start_phase":"stepstart","start_us":16.0,"end_mode":"train","end_step":10,"end_phase":"forwardpassend","end_us":17.5}"#
        );
        assert_eq!(process(path), Some((Some("algo-1".to_owned()), Some(0))));
        assert_eq!((framework(path), framework("0-algo-1/a/python_stats")), (Some("pytorch"), None));
        let path = "7-h/prestepzero-*-start-1_posthookclose-*-end-2/python_stats.json";
        assert_eq!(
            covered(path, PYINSTRUMENT).unwrap().scope,
            r#"{"start_mode":"prestepzero","start_step":null,"start_phase":"start","start_us":1,"end_mode":"posthookclose","end_step":null,"end_phase":"end","end_us":2}"#
        );
        let path = "framework/tensorflow/cProfile/15.0_16.0_151-algo-1_-1/python_stats";
        assert_eq!(
            covered(path, CPROFILE).unwrap().scope,
            r#"{"start_mode":"prestepzero","start_phase":"start","end_step":0,"end_phase":"stepstart","start_us":15.0,"end_us":16.0}"#
        );
        assert_eq!(process(path), Some((Some("algo-1".to_owned()), Some(151))));
        let path = "15.0_16.0_151-algo-1_3/python_stats";
        assert_eq!(
            covered(path, CPROFILE).unwrap().scope,
            r#"{"start_step":3,"end_step":3,"start_us":15.0,"end_us":16.0}"#
        );
    }

    #[test]
    fn other_folders_say_nothing() {
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
            assert_eq!(covered(path, CPROFILE), None, "{path}");
        }
    }
}
