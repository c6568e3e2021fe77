//! Input that is meant to break a reader, by the targets of fuzz.rs: deep nesting, odd bytes, numbers at the borders of their types.
//!
//! What belongs in here: inputs that a fuzzer hardly finds. tests/python/test_hostile_files.py has the large ones.

use crate::fuzz::TARGETS;

/// Ten times as deep as a reader that calls itself can go: threads of tests have a stack of 2 MB.
const DEEP: usize = 100_000;

/// Where nesting may begin: at once, or inside of what a reader takes for an entry of its own.
const PLACES: [&str; 6] = [
    "",
    "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1, \"args\": ",
    "[\n{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"args\": ",
    "{\"recorder\":\"tracelake\",\"version\":1,\"host\":\"n\",\"rank\":0,\"pid\":7,\"attributes\":",
    "{\"Type\":\"cpu\",\"Value\":",
    "{\"RuleTriggered\": 1, \"Details\": ",
];

/// A number at a border, or no number.
const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "-0.0",
    "1e308",
    "-1e308",
    "1e309",
    "5e-324",
    "1e-400",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775.807",
    "9223372036854776",
    "0.0000000000000000000000000000000000000000000001",
    "NaN",
    "-Infinity",
    "1e999999999999999999999",
    "00",
    "0x10",
];

/// Entries of formats, with a number wherever one may stand.
const ENTRIES: [&str; 8] = [
    "{\"baseTimeNanoseconds\": N, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": N, \"dur\": N, \"pid\": N, \
     \"tid\": N, \"id\": N, \"args\": {\"correlation\": N, \"External id\": N, \"stream\": N, \"Bytes\": N, \"Addr\": N}}]}",
    "[\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"start_time_since_epoch_in_micros\": N}},\n\
     {\"name\": \"a\", \"ph\": \"B\", \"pid\": N, \"tid\": N, \"ts\": N},\n{\"name\": \"a\", \"ph\": \"E\", \"pid\": N, \"tid\": N, \"ts\": N},\n\
     {\"name\": \"c\", \"ph\": \"C\", \"ts\": N, \"args\": {\"x\": N}},\n{\"name\": \"a\", \"ph\": \"X\", \"ts\": N, \"dur\": N, \"args\": {\"step_num\": \"N\"}}\n]",
    "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\",\"Value\":N,\"NodeId\":\"algo-1\",\"Timestamp\":N}\n",
    "load_s,compute_s,step\nN,N,N\n",
    "[{\"load_s\": N, \"compute_s\": N, \"step\": N}]",
    "{\"recorder\":\"tracelake\",\"version\":1,\"host\":\"n\",\"rank\":N,\"pid\":N,\"attributes\":{\"a\":N}}\n\
     {\"kind\":\"next\",\"ts\":N,\"dur\":N,\"loader\":N,\"num_workers\":N}\n",
    "{\"mode\": \"log\", \"total_batches\": N, \"total_time\": N, \"batch_times\": [N, N]}",
    "{\"RuleTriggered\": N, \"Violations\": N, \"Datapoints\": N, \"Details\": {\"p95\": N}}",
];

fn try_all(input: &[u8]) {
    for (_, target) in TARGETS {
        target(input);
    }
}

#[test]
fn nothing_is_nested_too_deeply() {
    for place in PLACES {
        for (opens, closes) in [("[", "]"), ("{\"a\":", "}")] {
            let open = format!("{place}{}", opens.repeat(DEEP));
            try_all(open.as_bytes());
            try_all(format!("{open}1{}", closes.repeat(DEEP)).as_bytes());
        }
    }
    // Words of SQL, TOML and Python's marshal.
    for word in ["(", "not ", "-", "a.", "[[a]]\n", "a = [", "i", "s\u{1}", "["] {
        try_all(word.repeat(DEEP / 10).as_bytes());
    }
    for kind in [b"(\x01\0\0\0".as_slice(), b"[\x01\0\0\0", b"{", b")\x01", b"\xa8\x01\0\0\0"] {
        try_all(&kind.repeat(DEEP / 10));
    }
}

#[test]
#[ignore = "slow: make test-slow"]
fn odd_bytes_are_no_reason_to_fail() {
    for byte in [0_u8, 0x80, 0xc0, 0xff, b'"', b'\\', b'\n', b'\r', b'{', b','] {
        try_all(&[byte; 10_000]);
    }
    for entry in ENTRIES {
        let entry = entry.replace('N', "1");
        // A byte is put in, and one is replaced: at every fifth place.
        for odd in [b"\0".as_slice(), b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\"", b"\xef\xbb\xbf"] {
            for at in (0..entry.len()).step_by(5) {
                let (before, rest) = entry.as_bytes().split_at(at);
                try_json(&[before, odd, rest].concat());
                try_json(&[before, odd, &rest[1..]].concat());
            }
        }
    }
}

/// Those targets that read text; the others are told at once that it is none of theirs.
fn try_json(input: &[u8]) {
    let slow = ["parameter", "group", "any_name", "cprofile", "tensorboard_events", "loader_timings_parquet"];
    for (_, target) in TARGETS.iter().filter(|(name, _)| !slow.contains(name)) {
        target(input);
    }
}

#[test]
fn numbers_may_stand_at_the_borders_of_their_types() {
    for entry in ENTRIES {
        for number in NUMBERS {
            try_json(entry.replace('N', number).as_bytes());
        }
        // One after the other, beside numbers that are well.
        for place in 0..entry.matches('N').count() {
            for number in NUMBERS {
                let mut nth = 0;
                let mut text = String::new();
                for part in entry.split_inclusive('N') {
                    let Some(part) = part.strip_suffix('N') else {
                        text.push_str(part);
                        continue;
                    };
                    text.push_str(part);
                    text.push_str(if nth == place { number } else { "7" });
                    nth += 1;
                }
                try_json(text.as_bytes());
            }
        }
    }
}
