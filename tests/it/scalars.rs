//! Scalars of loggers: `metrics.csv` and event files, including malformed ones, and the properties of their decoders.
//!
//! What belongs in here: rows of `sample` compared with known numbers. tests/python compares with Python's csv and an
//! oracle.

use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;
use tracelake::ErrorKind;

use crate::decode::{Decoded, InputFile, decode, files};

const CSV: &str = "csv/version_0/metrics.csv";
const EVENTS: &str = "events.out.tfevents.1600000000.host.1.0";

fn data(name: &str) -> Vec<InputFile> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name))
}

fn csv(text: &str) -> Decoded {
    csv_at_path(CSV, text)
}

fn csv_at_path(path: &str, text: &str) -> Decoded {
    decode(&[(path.to_owned(), text.as_bytes().to_vec())], 7)
}

/// Entry, step, epoch, name and value of every row.
fn rows(decoded: &Decoded) -> Vec<String> {
    let int = |column| decoded.ints("sample", column);
    let text = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    let names = decoded.texts("sample", "raw_name");
    let values = decoded.floats("sample", "value");
    let keys = int("entry").into_iter().zip(int("step")).zip(int("epoch"));
    keys.zip(names.into_iter().zip(values))
        .map(|(((entry, step), epoch), (name, value))| {
            format!("{} {} {} {name}={}", text(entry), text(step), text(epoch), value.unwrap())
        })
        .collect()
}

/// Kinds of problems with their counts.
fn problems(decoded: &Decoded) -> Vec<String> {
    decoded.problems().into_iter().map(|(kind, count)| format!("{kind} {count}")).collect()
}

#[test]
fn numbers_of_every_kind() {
    let decoded = csv("epoch,loss,step\r\n0,nan,0\r\n1.0,-inf,1.0\r\n,1e-05,2\r\n\r\n,\" .5 \",3\r\n");
    assert_eq!(rows(&decoded), ["0 0 0 loss=NaN", "1 1 1 loss=-inf", "2 2 - loss=0.00001", "3 3 - loss=0.5"]);
    assert_eq!(decoded.ints("sample", "row"), [Some(0), Some(1), Some(2), Some(3)]);
    assert!(decoded.ints("sample", "ts").iter().all(Option::is_none));
    assert_eq!((problems(&decoded).len(), decoded.skipped), (0, 0));
}

#[test]
fn a_malformed_line_loses_only_itself() {
    let decoded = csv("epoch,loss,step\n0,1,0\n0,2\n0,\"3,1\n0,4,1,9\n0,x,2\n0,5,3\n0,6,?\n0,7,\n0.5,8,4\n0,9,5");
    assert_eq!(rows(&decoded), ["0 0 0 loss=1", "5 3 0 loss=5", "6 - 0 loss=6", "7 - 0 loss=7", "8 4 - loss=8"]);
    assert_eq!(problems(&decoded), ["bad_line 3", "bad_step 3", "bad_value 1", "truncated 1"]);
    assert_eq!(decoded.skipped, 5);
    assert_eq!(decoded.message("bad_line"), "line 3 (byte 22): 2 cells, expected 3");
    assert_eq!(decoded.message("bad_value"), "line 6 (byte 41): loss is x, expected a number");
    assert_eq!(decoded.message("truncated"), "line 11 (byte 72): the file ends inside this line");
}

#[test]
fn other_delimiters_and_decimal_commas() {
    let decoded = csv("\u{feff}epoch;loss;step\n0;1,5;0\n0;1.250,5;1\n");
    assert_eq!(rows(&decoded), ["0 0 0 loss=1.5"]);
    assert_eq!(problems(&decoded), ["bad_value 1", "decimal_comma 1"]);
    assert_eq!(rows(&csv("epoch\tloss\tstep\n0\t1.5\t0\n")), ["0 0 0 loss=1.5"]);
    assert_eq!(rows(&csv("epoch,loss,step\n0,\"1,5\",0\n")), ["0 0 0 loss=1.5"]);
}

#[test]
fn column_names() {
    let decoded = csv(
        "epoch,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",x,x,step,key=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n,1,2,3,4,5,0,6\n",
    );
    let names = ["a,b=1", "say \"hi\"=2", "two\nlines=3", "x=4", "x=5", "key=ghp_***=6"];
    assert_eq!(rows(&decoded), names.map(|name| format!("0 0 - {name}")));
    assert_eq!(problems(&decoded), ["duplicate_column 1", "masked 1"]);
    let prefixed = csv("run-epoch,run-loss,step\n3,1,0\n");
    assert_eq!(rows(&prefixed), ["0 0 3 run-loss=1"]);
    // an epoch that is a metric
    assert_eq!(rows(&csv("best-epoch,loss,step\n3,1,0\n")), ["0 0 - best-epoch=3", "0 0 - loss=1"]);
}

#[test]
fn recognized_files() {
    let read = |path: &str, text: &str| csv_at_path(path, text).read.first().map(|(format, _)| *format);
    let expected = Some("lightning_metrics");
    assert_eq!(read("metrics.csv", "loss,step\n"), expected);
    assert_eq!(read("x.csv", "epoch,loss,step\n"), expected);
    assert_eq!(read("x.csv", "p-epoch,p-loss,step\n"), expected);
    assert_eq!(read("x.csv", "lr-SGD,step\n"), expected);
    assert_eq!(read("x.csv", "DeviceStatsMonitor.on_test_batch_end/cpu_percent,step\n"), expected);
    for (path, text) in [
        ("x.csv", "loss,step\n"),
        ("metrics.csv", "loss,epoch\n"),
        ("metrics.csv", "epoch,step,load_s,compute_s\n"),
        ("metrics.csv", ""),
        ("x.json", "{\"step\": 1, \"epoch\": 2}\n"),
        ("x.json", "[\"loss\", \"epoch\", \"step\", \"x\"]\n"),
    ] {
        assert_ne!(read(path, text), expected, "{path} {text}");
    }
}

#[test]
fn files_without_numbers() {
    for text in ["epoch,loss,step\r\n", "epoch,loss,step"] {
        let decoded = csv(text);
        assert_eq!((problems(&decoded), decoded.errors.len()), (vec!["empty_file 1".to_owned()], 0));
    }
    let quoted = csv("metrics,step,\"epoch\n1,2,3\n");
    assert_eq!(quoted.errors.len() + usize::from(quoted.read.is_empty()), 1);
}

#[test]
fn a_hundred_thousand_columns() {
    let mut text = String::from("epoch,step");
    for column in 0..100_000 {
        write!(text, ",DeviceStatsMonitor.on_train_batch_end/allocated_bytes.all.{column}").unwrap();
    }
    text.push('\n');
    for line in 0..3 {
        writeln!(text, "0,{line}{}1{}", ",".repeat(50_000 + line), ",".repeat(50_000 - line)).unwrap();
    }
    let file = ("metrics.csv".to_owned(), text.into_bytes());
    let decoded = decode(&[file], 1 << 20);
    let name = |n| format!("DeviceStatsMonitor.on_train_batch_end/allocated_bytes.all.{n}=1");
    assert_eq!(
        rows(&decoded),
        [format!("0 0 0 {}", name(49_999)), format!("1 1 0 {}", name(50_000)), format!("2 2 0 {}", name(50_001))]
    );
    // the column of the step lies beyond the first bytes, which are sniffed
    let header = format!("{},step\n", "DeviceStatsMonitor.on_train_batch_end/num_ooms,".repeat(2_000));
    assert_eq!(csv_at_path("metrics.csv", &header).read.len(), 1);
}

#[test]
fn scalars_in_every_encoding() {
    let decoded = decode(&data("tensorboard_events"), 11);
    assert_eq!(decoded.read.iter().map(|(format, _)| *format).collect::<Vec<_>>(), ["tensorboard_events"]);
    let single = f64::from(0.1_f32);
    let expected = [
        ("simple", single),
        ("simple_nan", f64::NAN),
        ("simple_inf", f64::NEG_INFINITY),
        ("float32", single),
        ("float64", 0.1),
        ("int32", -3.0),
        ("int64", 1_099_511_627_776.0),
        ("bool", 1.0),
        ("rank_1", 2.5),
        ("rank_3", 2.5),
        ("half", 0.333_251_953_125),
        ("bfloat16", -3.140_625),
        ("uint64", 9_223_372_036_854_775_808.0),
        ("zero_left_out", 0.0),
        ("content_float", single),
        ("content_half", -1.5),
        ("content_int16", -7.0),
        ("content_uint8", 200.0),
    ];
    let actual = rows(&decoded);
    for (step, (name, value)) in expected.iter().enumerate() {
        assert_eq!(actual[step], format!("{} {step} - {name}={value}", step + 1));
    }
    assert_eq!(actual[18..], ["26 -1 - a=1", "26 -1 - b=2"]);
    let ts = decoded.ints("sample", "ts");
    assert_eq!((ts[3], ts[18]), (Some(1_600_000_000_750_000_000), Some(1_600_000_060_000_000_000)));
    assert!(decoded.texts("sample", "node").iter().all(|node| node == "trainer.example.com"));
    let kinds = ["audio 1", "graph 1", "histogram 1", "image 1", "metadata 1", "tensor 2", "text 1"];
    assert_eq!((problems(&decoded), decoded.skipped), (kinds.map(|kind| format!("not_read:{kind}")).to_vec(), 0));
}

/// The start of each record of an event file, and the end of the last one.
fn record_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    while let Some(length) = bytes[starts[starts.len() - 1]..].first_chunk() {
        starts.push(starts[starts.len() - 1] + 16 + usize::try_from(u64::from_le_bytes(*length)).unwrap());
    }
    assert_eq!(*starts.last().unwrap(), bytes.len());
    starts
}

#[test]
fn corrupt_records() {
    let (_, bytes) = data("tensorboard_events").into_iter().find(|(path, _)| path.contains("tfevents")).unwrap();
    let read = |bytes: &[u8]| decode(&[(EVENTS.to_owned(), bytes.to_vec())], 13);
    let whole = rows(&read(&bytes));
    let starts = record_starts(&bytes);
    // a changed payload loses its record
    let mut changed = bytes.clone();
    changed[starts[2] + 14] ^= 1;
    let decoded = read(&changed);
    let remaining: Vec<String> = whole.iter().filter(|row| !row.starts_with("2 ")).cloned().collect();
    assert_eq!(rows(&decoded), remaining);
    assert_eq!((decoded.problems()["bad_checksum"], decoded.skipped), (1, 1));
    // a changed length loses all later records
    for (offset, mask) in [(0, 1), (7, 0x7f), (9, 1)] {
        let mut changed = bytes.clone();
        changed[starts[3] + offset] ^= mask;
        let decoded = read(&changed);
        assert_eq!(rows(&decoded), whole[..2]);
        assert_eq!((decoded.problems()["bad_length"], decoded.problems()["lost"]), (1, 1));
        let lost = bytes.len() - starts[3];
        let message =
            format!("byte {}: {lost} bytes from here on are not read: no record can be found in them", starts[3]);
        assert_eq!(decoded.message("lost"), message);
    }
    // a file of another format is an error
    let decoded = read(b"this is not an event file");
    assert_eq!(decoded.errors, [(EVENTS.to_owned(), ErrorKind::Malformed)]);
    assert_eq!(problems(&read(b"")), ["empty_file 1"]);
}

#[test]
fn an_event_file_with_another_name() {
    let (_, bytes) = data("golden/job-m").into_iter().find(|(path, _)| path.contains("tfevents")).unwrap();
    let decoded = decode(&[("a/b".to_owned(), bytes)], 1 << 20);
    assert_eq!(decoded.read, [("tensorboard_events", "a/b".to_owned())]);
    assert_eq!(decoded.texts("sample", "node")[0], "-");
}

/// A table with usual and malformed lines.
fn table() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec!["", "", "1", "-2.5e3", "nan", "\"3,5\"", "x", "\"", "1,2", " 7 ", "Größe"]);
    let line = (0..30_u32, prop::collection::vec(cell, 3))
        .prop_map(|(step, cells)| format!("{},{step},{},{}", cells[0], cells[1], cells[2]));
    let odd = prop::sample::select(vec!["", ",", "1,2", "epoch,step,loss,\"a\nb\"", "\"\"\""]).prop_map(str::to_owned);
    let lines = prop::collection::vec(prop_oneof![4 => line, 1 => odd], 0..20);
    (lines, prop::sample::select(vec!["\n", "\r\n"]))
        .prop_map(|(lines, end)| format!("epoch,step,loss,\"a\nb\"{end}{}{end}", lines.join(end)))
}

proptest! {
    #[test]
    fn any_chunking_of_a_table(text in table(), chunk in 1_usize..100) {
        let file = [(CSV.to_owned(), text.into_bytes())];
        prop_assert_eq!(decode(&file, chunk), decode(&file, usize::MAX));
    }

    #[test]
    fn any_truncation_of_a_table(text in table(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        let whole = decode(&[(CSV.to_owned(), text.as_bytes().to_vec())], usize::MAX);
        let part = decode(&[(CSV.to_owned(), text.as_bytes()[..cut].to_vec())], usize::MAX);
        let (whole, rows_of_part) = (rows(&whole), rows(&part));
        prop_assert!(whole.starts_with(&rows_of_part), "{:?} {:?}", whole, rows_of_part);
        let is_reported = !part.problems().is_empty() || !part.errors.is_empty() || part.read.is_empty();
        prop_assert!(is_reported || text.as_bytes()[..cut].ends_with(b"\n") || cut == 0);
    }

    #[test]
    fn any_truncation_of_events(cut in any::<prop::sample::Index>(), chunk in 1_usize..60) {
        let (path, bytes) = data("tensorboard_events").into_iter().find(|(path, _)| path.contains("tfevents")).unwrap();
        let cut = cut.index(bytes.len());
        let whole = decode(&[(path.clone(), bytes.clone())], usize::MAX);
        let part = decode(&[(path, bytes[..cut].to_vec())], chunk);
        prop_assert!(rows(&whole).starts_with(&rows(&part)));
        // a file that ends between two records has no problem
        prop_assert_eq!(part.problems().contains_key("truncated"), !record_starts(&bytes).contains(&cut));
    }

    #[test]
    fn bytes_changed_in_events(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        chunk in 1_usize..60,
    ) {
        let (path, mut bytes) = data("tensorboard_events").into_iter().find(|(path, _)| path.contains("tfevents")).unwrap();
        let before = bytes.clone();
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        let decoded = decode(&[(path.clone(), bytes.clone())], chunk);
        prop_assert_eq!(&decoded, &decode(&[(path, bytes.clone())], usize::MAX));
        prop_assert_eq!(decoded.skipped > 0, bytes != before);
    }
}
