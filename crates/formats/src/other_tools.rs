//! Files that people have, and that no format reads: each is refused with what it is and what to give instead.
//!
//! The marks are those that the tools write: the magic numbers of archives, names of members of a JSON root, header lines of
//! tables.

/// Where the marks of a kind are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkPlace {
    /// The end of the name is the mark.
    Name,
    /// In a JSON object or list.
    Json,
    /// In a pickle.
    Pickle,
    /// In a SQLite database.
    Sqlite,
    /// In the first line.
    FirstLine,
    /// In a text that begins with a line of dashes.
    Dashes,
    /// Anywhere in a text.
    Text,
}

/// A kind of file that is not read: the place of its marks, the marks (it has all of them), what it is, and what to give
/// instead.
type UnreadKind = (MarkPlace, &'static [&'static str], &'static str, &'static str);

/// The first one applies.
const KINDS: &[UnreadKind] = &[
    (
        MarkPlace::Name,
        &[".xplane.pb"],
        "a profile of JAX or TensorFlow in protobuf",
        "give the `*.trace.json.gz` in the same folder",
    ),
    (
        MarkPlace::Name,
        &[".lprof"],
        "a profile of line_profiler",
        "it has no calls; give a profile of functions from cProfile or pyinstrument",
    ),
    (MarkPlace::Name, &[".cpuprofile"], "a CPU profile for Chrome or VS Code", FUNCTIONS),
    (
        MarkPlace::Name,
        &[".pyisession"],
        "a session of pyinstrument",
        "give it as JSON: `pyinstrument --load FILE -r json`",
    ),
    (MarkPlace::Json, &["speedscope.app/file-format-schema"], "a profile for speedscope", FUNCTIONS),
    (MarkPlace::Json, &["\"timeDeltas\"", "\"nodes\""], "a CPU profile for Chrome or VS Code", FUNCTIONS),
    (MarkPlace::Json, &["\"alloc_samples\"", "\"elapsed_time_sec\""], "a profile of scalene", FUNCTIONS),
    (MarkPlace::Json, &["\"_wandb\""], "data of Weights & Biases", "record samples with `tracelake record`"),
    (MarkPlace::Json, &["\"system.gpu."], "data of Weights & Biases", "record samples with `tracelake record`"),
    (
        MarkPlace::Pickle,
        &["device_traces", "segments"],
        "a snapshot of CUDA memory",
        "its viewer is pytorch.org/memory_viz; for tables, record a trace with `profile_memory=True`",
    ),
    (
        MarkPlace::Sqlite,
        &["rocpd_"],
        "a database of ROCm's profilers (rocpd)",
        "give a trace of `torch.profiler`, which has the work of AMD devices, too",
    ),
    (
        MarkPlace::Dashes,
        &["DeepSpeed Flops Profiler"],
        "a report of DeepSpeed's flops profiler",
        "give a trace of `torch.profiler`, recorded with `record_shapes=True`",
    ),
    (
        MarkPlace::Dashes,
        &["Self CPU %", "CPU total %"],
        "a table of `key_averages()`",
        "it has sums only; give the trace that `export_chrome_trace` or `tensorboard_trace_handler` writes",
    ),
    (
        MarkPlace::FirstLine,
        &["Time (%),Total Time (ns)"],
        "a table of `nsys stats`",
        "it has sums only; give the report as `nsys export --type sqlite` writes it",
    ),
    (
        MarkPlace::FirstLine,
        &["utilization.gpu [%]"],
        "a log of nvidia-smi",
        "record samples with `tracelake record`, which the other tables can be joined with",
    ),
    (
        MarkPlace::FirstLine,
        &["epoch", "train/box_loss"],
        "results of a training by Ultralytics",
        "they have no steps; give a trace of `torch.profiler`, or metrics of Lightning or TensorBoard",
    ),
    (
        MarkPlace::FirstLine,
        &["epoch,train_loss,eval_loss"],
        "a summary of a training by timm",
        "it has no steps; give a trace of `torch.profiler`, or metrics of Lightning or TensorBoard",
    ),
    (
        MarkPlace::Text,
        &["Profiler Report", "Total time"],
        "a log with a report of Lightning's profiler inside",
        "give the report alone, as `SimpleProfiler(dirpath=..., filename=...)` writes it",
    ),
];

const FUNCTIONS: &str = "give a profile of cProfile, or of pyinstrument as JSON";

/// Marks at the first byte.
const STARTS: &[(&[u8], &str, &str)] = &[
    (b"\xfd7zXZ\0", "a file compressed with xz", "decompress it with `xz -d`"),
    (b"BZh", "a file compressed with bzip2", "decompress it with `bzip2 -d`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and give its folder"),
    (b"\xff\xfe", "a text in UTF-16", "convert it: `iconv -f UTF-16 -t UTF-8`"),
    (b"\xfe\xff", "a text in UTF-16", "convert it: `iconv -f UTF-16 -t UTF-8`"),
    (
        b"memray\0",
        "a recording of memray",
        "its times are those of allocations only; record with cProfile or pyinstrument",
    ),
    (b"{(\x03\0\0\0", "a dump of cProfile by Python 2", "record it with Python 3"),
];

/// Returns the number of kinds. It changes when a kind is added.
pub fn count() -> usize {
    KINDS.len() + STARTS.len()
}

/// Returns what a file is that no format reads, and what to give instead. None if it is unknown.
pub fn refusal(name: &str, head: &[u8]) -> Option<String> {
    let sentence = |what: &str, instead: &str| Some(format!("{what}, which is not read; {instead}"));
    let lower_name = name.to_lowercase();
    // Checkpoints of models are ZIP archives, too.
    if lower_name.ends_with(".zip") && head.starts_with(b"PK\x03\x04") {
        return sentence("a ZIP archive", "unpack it, and give its folder");
    }
    if let Some((_, what, instead)) = STARTS.iter().find(|(start, ..)| head.starts_with(start)) {
        return sentence(what, instead);
    }
    if head.get(257..262) == Some(b"ustar") {
        return sentence("a tar archive", "unpack it, and give its folder");
    }
    let whole = String::from_utf8_lossy(head);
    let text = whole.trim();
    let start: String = text.chars().take(15).collect::<String>().to_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        return sentence("a web page", "give the data that it was made from");
    }
    let first_line = text.lines().next().unwrap_or_default();
    let applies = |(place, marks, ..): &&UnreadKind| {
        let all_in = |text: &str| marks.iter().all(|mark| text.contains(mark));
        match place {
            MarkPlace::Name => marks.iter().all(|end| lower_name.ends_with(end)),
            MarkPlace::Json => text.starts_with(['{', '[']) && all_in(text),
            MarkPlace::Pickle => head.first() == Some(&0x80) && all_in(text),
            MarkPlace::Sqlite => head.starts_with(b"SQLite format 3\0") && all_in(text),
            MarkPlace::FirstLine => all_in(first_line),
            MarkPlace::Dashes => text.starts_with("---") && all_in(text),
            MarkPlace::Text => all_in(text),
        }
    };
    if let Some((_, _, what, instead)) = KINDS.iter().find(applies) {
        return sentence(what, instead);
    }
    match text {
        "[]" => Some("an empty list: nothing was recorded".to_owned()),
        "{}" => Some("an empty object: nothing was recorded".to_owned()),
        _ if is_collapsed(&whole) => sentence("a list of collapsed stacks", FUNCTIONS),
        _ => None,
    }
}

/// Whether all complete lines, at least one, are stacks with a number: `main;train;step 42`.
fn is_collapsed(text: &str) -> bool {
    let is_stack = |line: &str| {
        let Some((stack, number)) = line.rsplit_once(' ') else { return false };
        stack.contains(';') && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty()
    };
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(is_stack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_tools_have_a_name() {
        for (name, head, expected) in [
            ("a.zip", &b"PK\x03\x04..."[..], "a ZIP archive, which is not read; unpack it, and give its folder"),
            ("t.json", b"\xff\xfe{\0", "a text in UTF-16"),
            ("x.xplane.pb", b"\x0a\x10", "a profile of JAX or TensorFlow in protobuf"),
            (
                "p.json",
                br#"{"$schema": "https://www.speedscope.app/file-format-schema.json"}"#,
                "a profile for speedscope",
            ),
            ("s.folded", b"main;train;step 42\nmain;load 7\n", "a list of collapsed stacks"),
            ("r.html", b"\n<!DOCTYPE html><html>", "a web page"),
            ("e.json", b" [ ]", ""),
            ("e.json", b"[]\n", "an empty list: nothing was recorded"),
            (
                "train.log",
                b"INFO start\nFIT Profiler Report\nAction | Total time (s)\n",
                "a log with a report of Lightning's",
            ),
            ("memory.pickle", b"\x80\x04\x95(\x8c\x08segments\x94]\x8c\x0ddevice_traces", "a snapshot of CUDA memory"),
            (
                "trace.db",
                b"SQLite format 3\0..CREATE TABLE \"rocpd_kernel_dispatch\"",
                "a database of ROCm's profilers",
            ),
            ("notes.txt", b"to do: buy milk\n", ""),
            ("model.pt", b"PK\x03\x04..", ""),
            ("requirements.txt", b"memray==1.0\n", ""),
            ("tool.py", b"print(snapshot['device_traces'], snapshot['segments'])\n", ""),
            ("viz.html", b"<html>device_traces segments</html>", "a web page"),
            ("README.md", b"# Tables\nSelf CPU % and CPU total %\n", ""),
        ] {
            let refusal = refusal(name, head).unwrap_or_default();
            assert!(refusal.starts_with(expected) && refusal.is_empty() == expected.is_empty(), "{name}: {refusal}");
        }
    }
}
