//! Decoders of data loader files: DALI's Loader Evaluator, and timings that users write themselves.
//!
//! What belongs in here: intact, unusual and malformed files, each with its expected rows and problems.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use tracelake::ErrorKind;

use crate::decode::{Decoded, decode, files, shared};

/// Decodes a file with this name and content.
fn read(name: &str, bytes: impl AsRef<[u8]>) -> Decoded {
    decode(&[(name.to_owned(), bytes.as_ref().to_vec())], 1000)
}

/// The columns of table `loader` that these formats fill, a line for each row; `-` is null.
fn rows(decoded: &Decoded) -> Vec<String> {
    let int = |column: &str| decoded.ints("loader", column);
    let columns = ["dur", "compute_dur", "epoch", "step", "batch"].map(int);
    let kinds = decoded.texts("loader", "kind").into_iter().zip(decoded.texts("loader", "variant"));
    let cell = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    let line = |(row, (kind, variant)): (usize, (String, String))| {
        let cells: Vec<String> = columns.iter().map(|column| cell(column[row])).collect();
        format!("{kind} {variant} {}", cells.join(" "))
    };
    kinds.enumerate().map(line).collect()
}

/// The durations of `next` rows, in us.
fn waits(decoded: &Decoded) -> Vec<i64> {
    let kinds = decoded.texts("loader", "kind").into_iter();
    let durations = kinds.zip(decoded.ints("loader", "dur"));
    durations.filter(|(kind, _)| kind == "next").map(|(_, dur)| dur.unwrap() / 1000).collect()
}

/// Kinds of problems with their counts.
fn problems(decoded: &Decoded) -> Vec<(String, usize)> {
    decoded.problems().into_iter().collect()
}

fn pass_dur(decoded: &Decoded) -> Option<i64> {
    assert_eq!(decoded.texts("loader", "kind").last().map(String::as_str), Some("pass"));
    decoded.ints("loader", "dur").last().copied().flatten()
}

/// Metrics, as DALI's Loader Evaluator writes them.
fn metrics(total_time: &str, batch_times: &str) -> String {
    format!(
        "{{\n  \"mode\": \"log\",\n  \"total_batches\": 2,\n  \"total_time\": {total_time},\n  \"avg_batch_time\": 0.25,\n  \
         \"min_batch_time\": 0.125,\n  \"max_batch_time\": 0.375,\n  \"batch_times\": [\n    {batch_times}\n  ],\n  \
         \"cached_batches\": 5,\n  \"cache_ready\": false\n}}"
    )
}

#[test]
fn metrics_give_a_row_for_each_batch_and_one_for_the_pass() {
    let decoded = read("runs/log_nw0.json", metrics("1.5", "0.125,\n    0.3750000004"));
    assert_eq!(
        rows(&decoded),
        ["next real 125000000 - - - 0", "next real 375000000 - - - 1", "pass real 1500000000 - - - -"]
    );
    assert_eq!(decoded.read, [("dali_loader_evaluator", "runs/log_nw0.json".to_owned())]);
    assert_eq!(decoded.texts("loader", "loader"), ["log_nw0"; 3]);
    assert_eq!(decoded.ints("loader", "batches"), [None, None, Some(2)]);
    assert_eq!(decoded.ints("loader", "cached_batches"), [None, None, Some(5)]);
    assert_eq!(decoded.ints("loader", "row"), [Some(0), Some(1), Some(2)]);
    assert_eq!(problems(&decoded), []);
    // a mode at the end of the file applies to all rows, and the name of a compressed file has no `.gz`
    let late = read("x.json.gz", "{\"batch_times\": [1.0], \"total_time\": 2, \"mode\": \"replay\"}");
    assert_eq!(rows(&late), ["next ideal 1000000000 - - - 0", "pass ideal 2000000000 - - - -"]);
    assert_eq!(late.texts("loader", "loader"), ["x", "x"]);
}

#[test]
fn a_pass_that_did_not_end_has_no_duration() {
    let times = "0.125, 0.375";
    // the sum is 0.5; a millionth less may be rounding
    for (total, dur) in [("0.5", Some(500_000_000)), ("0.4999996", Some(499_999_600)), ("1e1", Some(10_000_000_000))] {
        let decoded = read("a.json", metrics(total, times));
        assert_eq!((pass_dur(&decoded), problems(&decoded)), (dur, vec![]), "{total}");
    }
    for total in
        ["0", "0.0", "-0.75", "0.499", "NaN", "Infinity", "-Infinity", "null", "\"1.5\"", "1e300", "[]", "true"]
    {
        let decoded = read("a.json", metrics(total, times));
        assert_eq!(pass_dur(&decoded), None, "{total}");
        assert_eq!(waits(&decoded), [125_000, 375_000], "{total}");
        assert_eq!(problems(&decoded), [("bad_total_time".to_owned(), 1)], "{total}");
    }
    let decoded = read("a.json", metrics("0", times));
    assert_eq!(decoded.message("bad_total_time"), "total_time is 0, so the pass did not end");
}

#[test]
fn entries_that_are_not_times_are_skipped_and_counted() {
    let decoded = read("a.json", metrics("9", "0.125, NaN, -0.5, Infinity, null, \"0.1\", , {}, -0.0, 1e300, 0.375"));
    assert_eq!(waits(&decoded), [125_000, 0, 375_000]);
    assert_eq!(decoded.ints("loader", "batch"), [Some(0), Some(8), Some(10), None]);
    let counted = [("bad_value".to_owned(), 8), ("total_batches".to_owned(), 1)];
    assert_eq!((problems(&decoded), decoded.skipped), (counted.to_vec(), 8));
    let expected = "line 9 (byte 170): entry 1 of batch_times is NaN, expected a time that is not negative";
    assert_eq!(decoded.message("bad_value"), expected);
}

#[test]
fn totals_are_checked_against_the_entries() {
    let decoded = read("a.json", metrics("9", "0.125, 0.5, 0.375"));
    let kinds: Vec<String> = decoded.problems().into_keys().collect();
    assert_eq!(kinds, ["avg_batch_time", "max_batch_time", "total_batches"]);
    assert_eq!(decoded.message("total_batches"), "total_batches is 2, batch_times has 3 entries");
    assert_eq!(decoded.message("max_batch_time"), "max_batch_time is 0.375, by batch_times it is 0.5");
    let other = read("a.json", "{\"mode\": \"warm\", \"batch_times\": [1], \"total_time\": 1}");
    assert_eq!(other.message("unknown_mode"), "mode is warm, expected log or replay");
    assert_eq!(other.texts("loader", "variant"), ["real", "real"]);
}

#[test]
fn an_empty_object_is_recognized_by_its_name() {
    for name in ["log_never_iterated.json", "x/DALI-1.json", "replay.json", "train.loader.json"] {
        let decoded = read(name, "{}");
        assert_eq!((decoded.read.len(), decoded.count("loader")), (1, 0), "{name}");
        assert_eq!(problems(&decoded), [("no_batch".to_owned(), 1)], "{name}");
    }
    for name in ["config.json", "catalog.json", "logits.json"] {
        assert_eq!(read(name, "{}").read, [], "{name}");
    }
    // an object with other members, or an incomplete one
    for text in ["{\"a\": 1}", "{", "[]", "[{}]", "{} {}"] {
        assert_eq!(read("log.json", text).read, [], "{text}");
    }
}

#[test]
fn a_truncated_or_malformed_file_keeps_the_rows_before() {
    let text = metrics("1.5", "0.125, 0.375");
    let cut = |end: &str| read("a.json", &text[..text.find(end).unwrap()]);
    for (end, batches) in [("0.375,\n", 0), ("0.125, 0.375", 0), (" 0.375\n", 1), ("cached", 2), ("\n}", 2)] {
        let decoded = cut(end);
        assert_eq!((waits(&decoded).len(), pass_dur(&decoded)), (batches, None), "{end}");
        assert!(decoded.problems().contains_key("truncated"), "{end}");
    }
    let broken = read("a.json", text.replace("0.375\n", "0.375}\n"));
    assert_eq!((waits(&broken).len(), pass_dur(&broken)), (1, None));
    assert_eq!(problems(&broken), [("bad_structure".to_owned(), 1)]);
    let twice = read("a.json", format!("{text}{text}"));
    assert_eq!((waits(&twice).len(), pass_dur(&twice)), (2, Some(1_500_000_000)));
    assert_eq!(problems(&twice), [("bad_structure".to_owned(), 1)]);
}

const TABLE: &str = "step,epoch,load_s,compute_s\n7,0,0.000954,0.25\n8,1,0.0000000015,0\n";

#[test]
fn a_table_gives_the_same_rows_in_every_format() {
    let expected = ["next - 954000 250000000 0 7 -", "next - 2 0 1 8 -"];
    let objects = "{\"step\": 7, \"epoch\": 0, \"load_s\": 9.54e-4, \"compute_s\": 0.25}\n\
                   {\"epoch\": 1.0, \"step\": \"8\", \"load_s\": 0.0000000015, \"compute_s\": 0, \"note\": [1, {}]}\n";
    let list = format!("[{}]", objects.trim().replace('\n', ",\n"));
    for (name, text) in [
        ("t.csv", TABLE.to_owned()),
        ("t.csv", TABLE.replace('\n', "\r\n")),
        ("t.csv", format!("\u{feff}{TABLE}")),
        ("t.csv", TABLE.replace(',', ";")),
        ("t.csv", TABLE.replace(',', "\t").replace('.', ",")),
        ("t.csv", TABLE.replace(',', " ; ").replace('.', ",")),
        ("t.csv", TABLE.replace("0.000954", "\"0,000954\"").replace("load_s", "\"load_s\"")),
        ("t.csv", TABLE.replace('\n', "\n\n")),
        ("t.jsonl", objects.to_owned()),
        ("t.jsonl", format!("\u{feff}\n{}", objects.trim())),
        ("t.json", list.clone()),
        ("t.json", format!(" \n{}", list.replace("}]", "},]"))),
    ] {
        let decoded = read(name, &text);
        assert_eq!(rows(&decoded), expected, "{text}");
        assert_eq!(problems(&decoded), [], "{text}");
        assert_eq!(decoded.texts("loader", "loader"), ["t", "t"]);
    }
    let steps: ArrayRef = Arc::new(Int64Array::from(vec![7, 8]));
    let epochs: ArrayRef = Arc::new(Float64Array::from(vec![0.0, 1.0]));
    let loads: ArrayRef = Arc::new(Float64Array::from(vec![0.000_954, 0.000_000_001_5]));
    let computes: ArrayRef = Arc::new(StringArray::from(vec!["0.25", "0"]));
    let decoded =
        read("t.parquet", parquet([("step", steps), ("compute_s", computes), ("epoch", epochs), ("load_s", loads)]));
    assert_eq!((rows(&decoded), problems(&decoded)), (expected.map(str::to_owned).to_vec(), vec![]));
}

fn parquet<const N: usize>(columns: [(&str, ArrayRef); N]) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn missing_columns_have_defaults() {
    let decoded = read("a.csv", "load_s\n0.5\n0.25\n");
    assert_eq!(rows(&decoded), ["next - 500000000 - 0 0 -", "next - 250000000 - 0 1 -"]);
    let all = "rank,worker,batch_size,load_s,step_s\n3,1,64,0.5,0.75\n";
    let decoded = read("a.csv", all);
    assert_eq!(rows(&decoded), ["next - 500000000 250000000 0 0 -"]);
    let int = |column: &str| decoded.ints("loader", column)[0];
    assert_eq!(["rank", "worker", "batch_size"].map(int), [Some(3), Some(1), Some(64)]);
    // if both columns exist, compute_s wins over step_s
    let both = read("a.csv", "load_s,compute_s,step_s\n0.5,0.125,0.75\n");
    assert_eq!(rows(&both), ["next - 500000000 125000000 0 0 -"]);
    // a skipped row keeps its number
    let gap = read("a.csv", "load_s\n0.5\nx\n0.25\n");
    assert_eq!(gap.ints("loader", "step"), [Some(0), Some(2)]);
}

#[test]
fn malformed_cells_and_rows_are_counted_and_lose_no_other() {
    let row = |text: &str| read("a.csv", format!("step,load_s,compute_s,epoch\n0,0.5,1,0\n{text}\n2,0.25,1,0\n"));
    for (text, kind) in [
        ("1,,1,0", "bad_value"),
        ("1,NaN,1,0", "bad_value"),
        ("1,nan,1,0", "bad_value"),
        ("1,-0.5,1,0", "bad_value"),
        ("1,inf,1,0", "bad_value"),
        ("1,1e300,1,0", "bad_value"),
        ("1,0.5s,1,0", "bad_value"),
        ("1,\"1,000.5\",1,0", "bad_value"),
        ("1,0,5,1,0", "wrong_cells"),
        ("1,0.5", "wrong_cells"),
        ("1,\"0.5,1,0", "wrong_cells"),
        (",,,", "bad_value"),
        ("step,load_s,compute_s,epoch", "bad_value"),
        ("\u{0}\u{1}", "wrong_cells"),
    ] {
        let decoded = row(text);
        assert_eq!(waits(&decoded), [500_000, 250_000], "{text:?}");
        assert_eq!((problems(&decoded), decoded.skipped), (vec![(kind.to_owned(), 1)], 1), "{text:?}");
    }
    for (text, line) in [
        ("1,0.5,NaN,0", "next - 500000000 - 0 1 -"),
        ("1,0.5,-1,0", "next - 500000000 - 0 1 -"),
        ("x,0.5,1,0", "next - 500000000 1000000000 0 - -"),
        ("1.5,0.5,1,0", "next - 500000000 1000000000 0 - -"),
        ("1,0.5,1,-1", "next - 500000000 1000000000 - 1 -"),
    ] {
        let decoded = row(text);
        assert_eq!(
            (rows(&decoded)[1].as_str(), problems(&decoded)),
            (line, vec![("bad_value".to_owned(), 1)]),
            "{text}"
        );
    }
    // a blank cell is unknown, not malformed
    assert_eq!((rows(&row("1,0.5,,"))[1].as_str(), row("1,0.5,,").problems().len()), ("next - 500000000 - - 1 -", 0));
    let message = row("1,-0.5,1,0").message("bad_value");
    assert_eq!(message, "line 3 (byte 38): load_s is -0.5, expected a time that is not negative");
}

#[test]
fn a_truncated_last_row_is_skipped() {
    let whole = "step,load_s,compute_s\n0,0.500000000,0.100000000\n1,0.250000000,0.200000000\n";
    for end in 1..whole.len() {
        let decoded = read("a.csv", &whole[..end]);
        let problems_found = decoded.problems();
        match whole.len() - end {
            1 => {
                assert_eq!(
                    (waits(&decoded).len(), problems_found.keys().next().unwrap().as_str()),
                    (2, "no_line_feed")
                );
            }
            2..26 => {
                assert_eq!(
                    (waits(&decoded).len(), problems_found.keys().next().unwrap().as_str()),
                    (1, "truncated"),
                    "{end}"
                );
            }
            _ => assert!(waits(&decoded).len() <= 1, "{end}"),
        }
    }
    // a file may end without a line feed
    assert_eq!(waits(&read("a.csv", "load_s\n0.5\n0.25")), [500_000, 250_000]);
    for text in ["{\"load_s\": 1}\n{\"load_s\": 2", "[{\"load_s\": 1}, {\"load_s\": 2"] {
        let decoded = read("a.json", text);
        assert_eq!(
            (waits(&decoded), problems(&decoded)),
            (vec![1_000_000], vec![("truncated".to_owned(), 1)]),
            "{text}"
        );
    }
}

#[test]
fn malformed_json_loses_no_other_row() {
    for element in
        ["{\"load_s\": NaN}", "{\"load_s\": -1}", "{}", "3", "null", "[1]", "\"x\"", "{\"load_s\": [1]}", "{\"a\" 1}"]
    {
        let list = read("a.json", format!("[{{\"load_s\": 1}}, {element}, {{\"load_s\": 2}}]"));
        assert_eq!((waits(&list), list.skipped), (vec![1_000_000, 2_000_000], 1), "{element}");
        let lines = read("a.json", format!("{{\"load_s\": 1}}\n{element}\n{{\"load_s\": 2}}\n"));
        assert_eq!((waits(&lines), lines.skipped), (vec![1_000_000, 2_000_000], 1), "{element}");
    }
    let nan = read("a.json", "[{\"load_s\": 1, \"compute_s\": NaN}]");
    assert_eq!(rows(&nan), ["next - 1000000000 - 0 0 -"]);
}

#[test]
fn an_unreadable_file_is_an_error() {
    for (name, bytes) in [
        ("a.csv", b"load_s\nx\n".to_vec()),
        ("a.json", b"[{\"load_s\": \"x\"}]".to_vec()),
        ("a.json", b"{\"load_s\": [1, 2], \"step\": [0, 1]}".to_vec()),
        ("a.parquet", b"PAR1".to_vec()),
        ("a.parquet", b"PAR1\x01\x02\x03\x04\xFF\xFF\xFF\xFFPAR1".to_vec()),
        ("a.parquet", parquet([("loss", Arc::new(Float32Array::from(vec![0.5])) as ArrayRef)])),
    ] {
        let decoded = read(name, &bytes);
        assert_eq!(decoded.errors, [(name.to_owned(), ErrorKind::Malformed)], "{name} {bytes:?}");
        assert_eq!(decoded.count("loader"), 0);
    }
    let empty = read("a.csv", "step,load_s\n");
    assert_eq!((empty.errors.len(), problems(&empty)), (0, vec![("empty_file".to_owned(), 1)]));
}

#[test]
fn a_corrupt_parquet_file_never_panics() {
    let loads: ArrayRef = Arc::new(Float64Array::from_iter_values((0..500).map(|n| f64::from(n) / 1000.0)));
    let steps: ArrayRef = Arc::new(Int64Array::from_iter_values(0..500));
    let whole = parquet([("step", steps), ("load_s", loads)]);
    assert_eq!(waits(&read("a.parquet", &whole)).len(), 500);
    for end in (0..whole.len()).step_by(7) {
        assert!(waits(&read("a.parquet", &whole[..end])).is_empty(), "{end}");
    }
    let mut state = 1_u64;
    for _ in 0..500 {
        let mut bytes = whole.clone();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let position = usize::try_from(state >> 33).unwrap() % bytes.len();
        bytes[position] = u8::try_from(state >> 20 & 255).unwrap();
        read("a.parquet", &bytes);
    }
}

#[test]
fn tables_of_a_hundred_thousand_columns_are_read() {
    let names: Vec<String> = (0..100_000).map(|n| format!("c{n}")).collect();
    let header = format!("load_s,{}\n", names.join(","));
    let row = format!("0.5{}\n", ",1".repeat(100_000));
    let decoded = read("a.csv", format!("{header}{row}{row}{}\n", &row[..row.len() - 3]));
    assert_eq!((waits(&decoded), decoded.skipped), (vec![500_000, 500_000], 1));
    let members: Vec<String> = names.iter().map(|name| format!("\"{name}\": 1")).collect();
    let object = format!("{{\"load_s\": 0.5, {}}}", members.join(", "));
    assert_eq!(waits(&read("a.json", format!("[{object}, {object}]"))), [500_000, 500_000]);
    assert_eq!(waits(&read("a.json", format!("{object}\n{object}\n"))), [500_000, 500_000]);
}

#[test]
fn the_profiles_of_this_repository_are_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for format in ["dali_loader_evaluator", "loader_timings"] {
        let inputs = files(&root.join(format)).into_iter().filter(|(path, _)| path != "README.md").collect::<Vec<_>>();
        let decoded = decode(&inputs, 100);
        assert_eq!(decoded.read.len(), inputs.len(), "{format}");
        assert!(decoded.errors.is_empty(), "{:?}", decoded.errors);
        assert!(decoded.read.iter().all(|(read, _)| *read == format));
        assert!(decoded.count("loader") > 20, "{format}");
    }
}

/// Waits in s, read independently of the decoder: the numbers of `batch_times`, or of `load_s`.
fn expected_waits(path: &str, text: &str) -> Vec<f64> {
    if path.ends_with(".csv") {
        let column = text.lines().next().unwrap().split(',').position(|name| name == "load_s").unwrap();
        return text.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
    }
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let list = json.get("batch_times").unwrap_or(&json).as_array().cloned().unwrap_or_default();
    list.iter().map(|entry| entry.get("load_s").unwrap_or(entry).as_f64().unwrap()).collect()
}

#[test]
fn files_of_the_real_packages_are_read_exactly() {
    let Some(root) = shared("loader files") else { return };
    let mut compared = 0;
    for folder in ["dali", "timings"] {
        for (path, bytes) in files(&root.join("data/loader").join(folder)) {
            if path.starts_with('_') {
                continue;
            }
            let decoded = read(&path, &bytes);
            let expected = expected_waits(&path, str::from_utf8(&bytes).unwrap());
            let kinds = decoded.texts("loader", "kind").into_iter();
            let actual: Vec<f64> = kinds
                .zip(decoded.ints("loader", "dur"))
                .filter(|(kind, _)| kind == "next")
                .map(|(_, dur)| dur.unwrap() as f64 / 1e9)
                .collect();
            assert_eq!(actual.len(), expected.len(), "{path}");
            for (actual, expected) in actual.iter().zip(&expected) {
                assert!((actual - expected).abs() <= 0.5e-9 + 1e-15, "{path}: {actual} {expected}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 45 + 20 + 160);
}
