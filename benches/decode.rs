//! Measures how fast formats decode bytes into rows, without reading files and without writing Parquet.
//!
//! `TRACELAKE_BENCH` names the folder of a SageMaker profile or of traces. Without it, a small one of each is generated. One
//! decoder on one thread decodes each group in chunks of 1 MiB. Rows become Arrow batches of about 64 Ki rows, as in an
//! ingest.
//!
//! A profile of 200 MB:
//! `gen_sagemaker.py --out p200 --minutes 60 --nodes 2 --ranks 2 --steps 7500 --epochs 4 --submodules 12
//! --modes 1 --cores 16 --gpus 4`; a trace of 200 MB: `tests/gen/large_trace.py --out k200 --megabytes 200`

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a bench reads its own input and may fail loudly")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::BytesCount;
use tracelake::format::{ObjectInfo, Siblings, format};
use tracelake::table::Rows;

fn main() {
    divan::main();
}

/// The files of a format by group. One decoder decodes one group.
type FileGroups = BTreeMap<Arc<str>, Vec<(ObjectInfo, Vec<u8>)>>;

#[divan::bench(args = ["sagemaker_system", "sagemaker_framework", "kineto"], sample_count = 5, sample_size = 1)]
fn decode(bencher: Bencher, name: &str) {
    let groups = load(name);
    let bytes: usize = groups.values().flatten().map(|(_, bytes)| bytes.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| count_rows(name, &groups));
}

/// Decodes all groups and returns the number of rows.
fn count_rows(name: &str, groups: &FileGroups) -> usize {
    let format = format(name).expect("the format is registered");
    let mut rows = Rows::new("bench");
    let mut total = 0;
    let mut take = |rows: &mut Rows| {
        total += rows.take_dictionaries().iter().map(|(_, batch)| batch.num_rows()).sum::<usize>();
    };
    for files in groups.values() {
        let mut decoder = format.decoder();
        for (info, bytes) in files {
            rows.begin(info.id);
            decoder.begin(info, &mut rows).expect("begin");
            for chunk in bytes.chunks(1 << 20) {
                decoder.stream().expect("a stream").push(chunk, &mut rows).expect("push");
                if rows.len() > 1 << 16 {
                    take(&mut rows);
                }
            }
            decoder.end(&mut rows).expect("end");
            rows.end();
        }
        decoder.finish(&mut rows).expect("finish");
    }
    take(&mut rows);
    total
}

/// The files of the format, from the named folder or generated.
fn load(name: &str) -> FileGroups {
    let files = match std::env::var_os("TRACELAKE_BENCH") {
        Some(root) => {
            let mut files = Vec::new();
            read_folder(Path::new(&root), "", &mut files);
            files.sort();
            files
        }
        None => generate(),
    };
    let siblings: Arc<Siblings> = Arc::new(files.iter().map(|(path, _)| path.as_str()).collect());
    let format = format(name).expect("the format is registered");
    let mut groups = FileGroups::new();
    for (id, (path, bytes)) in (0..).zip(files) {
        let info = ObjectInfo {
            id,
            path: path.into(),
            size: bytes.len() as u64,
            siblings: Arc::clone(&siblings),
            ..ObjectInfo::default()
        };
        if let Some(group) = format.group(&info) {
            groups.entry(group).or_default().push((info, bytes));
        }
    }
    groups
}

/// Adds the files below a folder, with their paths relative to the root.
fn read_folder(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_folder(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push((name, fs::read(entry.path()).expect("the file can be read")));
        }
    }
}

/// Generates a profile and a trace of a few megabytes, with lines of the usual shape.
fn generate() -> Vec<(String, Vec<u8>)> {
    let (mut system, mut framework) = (String::new(), String::from("[\n"));
    framework.push_str(
        "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"start_time_since_epoch_in_micros\": 1600000200000000}},\n\
         {\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": \"Forward-SubModuleInternal\"}}",
    );
    for i in 0..30_000 {
        let (core, tick) = (i % 16, i / 16);
        writeln!(
            system,
            "{{\"Type\":\"cpu\",\"Name\":\"cpu{core}\",\"Dimension\":\"CPUUtilization\",\"Value\":{}.{:02},\"NodeId\":\"algo-1\",\"Timestamp\":{}.{:06}}}",
            i % 100,
            i % 89,
            1_600_000_200 + tick / 2,
            i % 999_983,
        )
        .expect("writing to a string");
        write!(
            framework,
            ",\n{{\"name\": \"ResNet_layer{core}_Conv2d\", \"pid\": 1, \"ph\": \"X\", \"ts\": {}, \"dur\": {}, \"args\": {{\"pid\": 80, \"step_num\": \"{tick}\"}}}}",
            i * 131,
            i % 4099,
        )
        .expect("writing to a string");
    }
    framework.push_str("\n]\n");
    let mut trace = String::from("{\"baseTimeNanoseconds\": 1790857026000000000,\n\"traceEvents\": [");
    for i in 0..30_000 {
        write!(
            trace,
            "{}\n  {{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op_{}\", \"pid\": 4000, \"tid\": 4000,\n    \"ts\": {}.{:03}, \"dur\": {}.250\n    ,\n    \"args\": {{\n      \"External id\": {i}, \"Sequence number\": {i}, \"Input Dims\": [[32, 128], []], \"Ev Idx\": {i}\n    }}\n  }}",
            if i > 0 { "," } else { "" },
            i % 97,
            i * 31,
            i % 1000,
            i % 4099,
        )
        .expect("writing to a string");
    }
    trace.push_str("\n]}\n");
    vec![
        ("framework/pevents/2020091312/1600000250000000_0-algo-1_pythontimeline.json".into(), framework.into()),
        ("rank0.1795225480000000000.pt.trace.json".into(), trace.into()),
        ("system/incremental/2020091312/1600000200.algo-1.json".into(), system.into()),
    ]
}
