//! Runs the targets of fuzz.rs on hostile input: deep nesting, odd bytes, numbers at the limits of their types.
//!
//! What belongs in here: inputs that a fuzzer is unlikely to find. tests/python/test_hostile_files.py has the large ones.

use crate::fuzz::TARGETS;

/// Ten times as deep as a recursive reader can go: threads of tests have a stack of 2 MB.
const DEEP: usize = 100_000;

/// Text before the nesting: empty, or the beginning of an entry of some format.
const PREFIXES: [&str; 6] = [
    "",
    "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1, \"args\": ",
    "[\n{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"args\": ",
    "{\"recorder\":\"tracelake\",\"version\":1,\"host\":\"n\",\"rank\":0,\"pid\":7,\"attributes\":",
    "{\"Type\":\"cpu\",\"Value\":",
    "{\"RuleTriggered\": 1, \"Details\": ",
];

/// Numbers at a limit of a type, and texts that are not numbers.
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

/// Entries of formats, with `N` wherever a number is allowed.
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
fn deep_nesting_does_not_overflow_the_stack() {
    for prefix in PREFIXES {
        for (opens, closes) in [("[", "]"), ("{\"a\":", "}")] {
            let open = format!("{prefix}{}", opens.repeat(DEEP));
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
fn odd_bytes_do_not_panic() {
    for byte in [0_u8, 0x80, 0xc0, 0xff, b'"', b'\\', b'\n', b'\r', b'{', b','] {
        try_all(&[byte; 10_000]);
    }
    for entry in ENTRIES {
        let entry = entry.replace('N', "1");
        // At every fifth position, insert the bytes, then replace one byte by them.
        for odd in [b"\0".as_slice(), b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\"", b"\xef\xbb\xbf"] {
            for position in (0..entry.len()).step_by(5) {
                let (before, rest) = entry.as_bytes().split_at(position);
                try_text_targets(&[before, odd, rest].concat());
                try_text_targets(&[before, odd, &rest[1..]].concat());
            }
        }
    }
}

/// Runs the targets that read text. The others are slow, or reject the input at once.
fn try_text_targets(input: &[u8]) {
    let slow = ["parameter", "group", "any_name", "cprofile", "tensorboard_events", "loader_timings_parquet"];
    for (_, target) in TARGETS.iter().filter(|(name, _)| !slow.contains(name)) {
        target(input);
    }
}

#[test]
fn numbers_at_the_limits_of_their_types_do_not_panic() {
    for entry in ENTRIES {
        for number in NUMBERS {
            try_text_targets(entry.replace('N', number).as_bytes());
        }
        // Each number at each position, with valid numbers at the others.
        for target_index in 0..entry.matches('N').count() {
            for number in NUMBERS {
                let mut nth = 0;
                let mut text = String::new();
                for part in entry.split_inclusive('N') {
                    let Some(part) = part.strip_suffix('N') else {
                        text.push_str(part);
                        continue;
                    };
                    text.push_str(part);
                    text.push_str(if nth == target_index { number } else { "7" });
                    nth += 1;
                }
                try_text_targets(text.as_bytes());
            }
        }
    }
}
