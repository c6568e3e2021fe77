//! Files that people have, and that no format reads: each is refused with what it is and what to give instead.
//!
//! The marks are those that the tools write: the magic numbers of archives, names of members of a JSON root, header lines of
//! tables.

/// A kind of file that is not read.
struct UnreadKind {
    /// Ends of names, in lower case.
    names: &'static [&'static str],
    /// Texts that the first bytes must all have. Without any, the name decides.
    marks: &'static [&'static str],
    what: &'static str,
    instead: &'static str,
}

const fn kind(
    names: &'static [&'static str],
    marks: &'static [&'static str],
    what: &'static str,
    instead: &'static str,
) -> UnreadKind {
    UnreadKind { names, marks, what, instead }
}

/// By name first, and then by content. The first one applies.
const KINDS: &[UnreadKind] = &[
    kind(
        &[".xplane.pb"],
        &[],
        "a profile of JAX or TensorFlow in protobuf",
        "give the `*.trace.json.gz` in the same folder",
    ),
    kind(
        &[".lprof"],
        &[],
        "a profile of line_profiler",
        "it has no calls; give a profile of functions from cProfile or pyinstrument",
    ),
    kind(
        &[".cpuprofile"],
        &[],
        "a CPU profile for Chrome or VS Code",
        "give a profile of cProfile or pyinstrument as JSON",
    ),
    kind(&[".pyisession"], &[], "a session of pyinstrument", "give it as JSON: `pyinstrument --load FILE -r json`"),
    kind(
        &[],
        &["speedscope.app/file-format-schema"],
        "a profile for speedscope",
        "give a profile of cProfile, or of pyinstrument as JSON",
    ),
    kind(
        &[],
        &["\"timeDeltas\"", "\"nodes\""],
        "a CPU profile for Chrome or VS Code",
        "give a profile of cProfile or pyinstrument as JSON",
    ),
    kind(
        &[],
        &["\"alloc_samples\"", "\"elapsed_time_sec\""],
        "a profile of scalene",
        "give a profile of cProfile, or of pyinstrument as JSON",
    ),
    kind(
        &[],
        &["device_traces", "segments"],
        "a snapshot of CUDA memory",
        "its viewer is pytorch.org/memory_viz; for tables, record a trace with `profile_memory=True`",
    ),
    kind(
        &[],
        &["DeepSpeed Flops Profiler"],
        "a report of DeepSpeed's flops profiler",
        "give a trace of `torch.profiler`, recorded with `with_flops=True`",
    ),
    kind(
        &[],
        &["Self CPU %", "CPU total %"],
        "a table of `key_averages()`",
        "it has sums only; give the trace that `export_chrome_trace` or `tensorboard_trace_handler` writes",
    ),
    kind(
        &[],
        &["Time (%),Total Time (ns)"],
        "a table of `nsys stats`",
        "it has sums only; give the report as `nsys export --type sqlite` writes it",
    ),
    kind(
        &[],
        &["utilization.gpu [%]"],
        "a log of nvidia-smi",
        "record samples with `tracelake record`, which the other tables can be joined with",
    ),
    kind(&[], &["\"_wandb\""], "events of Weights & Biases", "record samples with `tracelake record`"),
    kind(&[], &["\"system.gpu."], "events of Weights & Biases", "record samples with `tracelake record`"),
    kind(
        &[],
        &["epoch", "train/box_loss"],
        "results of a training by Ultralytics",
        "they have no steps; give a trace of `torch.profiler`, or metrics of Lightning or TensorBoard",
    ),
    kind(
        &[],
        &["epoch,train_loss,eval_loss"],
        "a summary of a training by timm",
        "it has no steps; give a trace of `torch.profiler`, or metrics of Lightning or TensorBoard",
    ),
    kind(
        &[],
        &["Profiler Report", "Total time"],
        "a log with a report of Lightning's profiler inside",
        "give the report alone, as `SimpleProfiler(dirpath=..., filename=...)` writes it",
    ),
];

/// Marks at the first byte.
const STARTS: &[(&[u8], &str, &str)] = &[
    (b"PK\x03\x04", "a ZIP archive", "unpack it, and give its folder"),
    (b"\xfd7zXZ\0", "a file compressed with xz", "decompress it with `xz -d`"),
    (b"BZh", "a file compressed with bzip2", "decompress it with `bzip2 -d`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and give its folder"),
    (b"\xff\xfe", "a text in UTF-16", "convert it: `iconv -f UTF-16 -t UTF-8`"),
    (b"\xfe\xff", "a text in UTF-16", "convert it: `iconv -f UTF-16 -t UTF-8`"),
    (
        b"memray",
        "a recording of memray",
        "its times are those of allocations only; record with cProfile or pyinstrument",
    ),
    (b"{(\x03\0\0\0", "a dump of cProfile by Python 2", "record it with Python 3"),
];

/// Returns what a file is that no format reads, and what to give instead. None if it is unknown.
pub fn refusal(name: &str, head: &[u8]) -> Option<String> {
    let sentence = |what: &str, instead: &str| Some(format!("{what}, which is not read; {instead}"));
    let lower_name = name.to_lowercase();
    if let Some((_, what, instead)) = STARTS.iter().find(|(start, ..)| head.starts_with(start)) {
        return sentence(what, instead);
    }
    if head.get(257..262) == Some(b"ustar") {
        return sentence("a tar archive", "unpack it, and give its folder");
    }
    let text = String::from_utf8_lossy(head);
    let has_marks = |kind: &&UnreadKind| {
        let is_named = kind.names.iter().any(|end| lower_name.ends_with(end));
        is_named || !kind.marks.is_empty() && kind.marks.iter().all(|mark| text.contains(mark))
    };
    if let Some(kind) = KINDS.iter().find(has_marks) {
        return sentence(kind.what, kind.instead);
    }
    let start = text.trim_start().get(..15).unwrap_or(text.trim_start()).to_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        return sentence("a web page", "give the data that it was made from");
    }
    match text.trim() {
        "[]" | "{}" => return Some("an empty list: nothing was recorded".to_owned()),
        _ => {}
    }
    if is_collapsed(&text) {
        return sentence("a list of collapsed stacks", "give a profile of cProfile, or of pyinstrument as JSON");
    }
    None
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
            ("notes.txt", b"to do: buy milk\n", ""),
        ] {
            let refusal = refusal(name, head).unwrap_or_default();
            assert!(refusal.starts_with(expected) && refusal.is_empty() == expected.is_empty(), "{name}: {refusal}");
        }
    }
}
