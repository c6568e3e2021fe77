use super::*;

/// All items as text, and the root.
fn read(text: &[u8], chunk: usize) -> (Vec<String>, RootKind) {
    let mut reader = EventReader::default();
    let mut items = Vec::new();
    let mut each = |item: TraceItem<'_>| {
        items.push(match item {
            TraceItem::Event(text, _, place) => format!("{}:{} {text}", place.line, place.offset),
            TraceItem::Entry(key, value, _) => format!("{key} = {value}"),
            TraceItem::Problem(damage, place) => format!("{}:{} {damage:?}", place.line, place.offset),
        });
    };
    for chunk in text.chunks(chunk.max(1)) {
        reader.push(chunk, &mut each).unwrap();
    }
    let root = reader.end(&mut each);
    (items, root)
}

fn check(text: &str, expected: &[&str], root: RootKind) {
    let expected: Vec<String> = expected.iter().map(|item| (*item).to_owned()).collect();
    for chunk in [1, 2, 3, 7, text.len().max(1)] {
        assert_eq!(read(text.as_bytes(), chunk), (expected.clone(), root), "in chunks of {chunk}");
    }
}

#[test]
fn a_list_of_events() {
    check(
        "[\n{\"a\": \"}\\\"]\"},\n{\"b\": {\"c\": [1, {}]}}\n]\n",
        &["2:2 {\"a\": \"}\\\"]\"}", "3:17 {\"b\": {\"c\": [1, {}]}}"],
        RootKind::Events,
    );
}

#[test]
fn an_object_with_events_and_other_members() {
    check(
        r#"{"unit":"ns","metadata":{"a":[1]},"n":12 ,"traceEvents":[{"x":1},{}],"last":null}"#,
        &["unit = \"ns\"", "metadata = {\"a\":[1]}", "n = 12", "1:57 {\"x\":1}", "1:65 {}", "last = null"],
        RootKind::Events,
    );
    check(r#"{"a":1}"#, &["a = 1"], RootKind::OtherObject);
}

#[test]
fn a_file_can_end_anywhere() {
    check("", &[], RootKind::Empty);
    check(" \n ", &[], RootKind::Empty);
    check("[", &["1:1 Truncated"], RootKind::Events);
    check("[\n{\"a\":1},\n", &["2:2 {\"a\":1}", "3:11 Truncated"], RootKind::Events);
    check("[\n{\"a\":1},\n{\"b", &["2:2 {\"a\":1}", "3:11 TruncatedEvent"], RootKind::Events);
    check(r#"{"trace"#, &["1:7 Truncated"], RootKind::OtherObject);
}

#[test]
fn only_a_truncated_line_is_lost() {
    // Truncated inside a string.
    check(
        "[\n{\"a\":1},\n{\"na\n{\"b\":2}\n]",
        &["2:2 {\"a\":1}", "3:11 Event(\"the line ends inside a string\")", "4:16 {\"b\":2}"],
        RootKind::Events,
    );
    // Truncated after a colon: the next line can be its value, the one after it cannot.
    check(
        "[\n{\"a\":\n{\"b\":2},\n{\"c\":3}\n]",
        &["2:2 Event(\"an opening bracket where no value is allowed\")", "3:8 {\"b\":2}", "4:17 {\"c\":3}"],
        RootKind::Events,
    );
    // The last event is truncated before the closing bracket.
    check(
        "[\n{\"a\":1},\n{\"b\":2\n]\n",
        &["2:2 {\"a\":1}", "3:11 Event(\"brackets do not match\")"],
        RootKind::Events,
    );
    // All on one line.
    check(
        r#"[{"a":1},{"b":[1},{"c":3}]"#,
        &["1:1 {\"a\":1}", "1:9 Event(\"brackets do not match\")", "1:18 {\"c\":3}"],
        RootKind::Events,
    );
}

#[test]
fn elements_that_are_not_events_are_skipped() {
    check(
        "[1,\n{\"a\":1}]x",
        &["1:1 Event(\"expected an object\")", "2:4 {\"a\":1}", "2:12 Structure(\"text follows the closing bracket\")"],
        RootKind::Events,
    );
    let error = EventReader::default().push(b"  <html>", &mut |_| ()).unwrap_err();
    assert_eq!(error, "byte 2 is `<`, expected `[` or `{`");
}

#[test]
fn lists_of_a_corrupt_event_are_not_event_lists() {
    let good: Vec<String> = (0..9).map(|i| format!("{{\"ph\":\"X\",\"ts\":{i}}}")).collect();
    let bad = r#"{"ph":"X","name":"bad" {"args":{"l":[{},{}],"m":[{}],"n":1}}"#;
    let count_events = |text: &str, size: usize| -> (usize, Vec<String>) {
        let (items, _) = read(text.as_bytes(), size);
        let (events, rest): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.contains("{\"ph"));
        (events.len(), rest)
    };
    for root in ["{\"B\":1,\"traceEvents\":[\n", "[\n"] {
        let end = if root.starts_with('{') { "\n],\"last\":[{\"id\":0},{}]}\n" } else { "\n]\n" };
        for index in [0, 1, 8] {
            let mut lines = good.clone();
            lines.insert(index, bad.to_owned());
            let text = format!("{root}{}{end}", lines.join(",\n"));
            for size in [1, 7, text.len()] {
                let (events, rest) = count_events(&text, size);
                assert_eq!(events, 9, "{text}");
                let corrupt: Vec<_> = rest.iter().filter(|item| item.contains("Event(")).collect();
                assert_eq!(corrupt.len(), 1, "{rest:?}");
                let last = rest.last().is_some_and(|item| item.starts_with("last = "));
                assert_eq!(last, root.starts_with('{'), "{rest:?}");
            }
        }
    }
    // At the end of the list, and on one line.
    let mut lines = good;
    lines.push(bad.to_owned());
    for (between, end) in [(",\n", "\n]"), (",\n", "]"), (",", "]")] {
        let text = format!("{{\"traceEvents\":[{}{end}, \"last\": 5}}", lines.join(between));
        for size in [1, text.len()] {
            let (events, rest) = count_events(&text, size);
            assert_eq!((events, rest.last().map(String::as_str)), (9, Some("last = 5")), "{text}");
        }
    }
    lines.swap(3, 9);
    let (events, _) = count_events(&format!("{{\"traceEvents\":[{}]}}", lines.join(",")), 5);
    assert_eq!(events, 9);
}

#[test]
fn each_element_that_is_not_an_object_is_reported_once() {
    check(
        r#"[{"a":1},[1,{"x":2}],"s{",null,5,{"b":1},-7{"c":1}]"#,
        &[
            "1:1 {\"a\":1}",
            "1:9 Event(\"expected an object\")",
            "1:21 Event(\"expected an object\")",
            "1:26 Event(\"expected an object\")",
            "1:31 Event(\"expected an object\")",
            "1:33 {\"b\":1}",
            "1:41 Event(\"expected an object\")",
            "1:43 {\"c\":1}",
        ],
        RootKind::Events,
    );
}

#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    let (items, _) = read(b"\xEF\xBB\xBF[{\"a\":\"\xFF\"}]", 1);
    assert_eq!(items, ["1:4 NotUtf8", "1:4 {\"a\":\"\u{fffd}\"}"]);
}

#[test]
fn nesting_and_size_are_limited() {
    let deep = format!("[{{\"a\":{}1{}}},\n{{\"b\":2}}]", "[".repeat(70), "]".repeat(70));
    let (items, _) = read(deep.as_bytes(), deep.len());
    assert_eq!(items[0], "1:1 Event(\"nested too deeply\")");
    assert_eq!(items[1][items[1].len() - 7..], *"{\"b\":2}");
    let mut large = b"[{\"a\":\"".to_vec();
    large.resize(MAX_ITEM + (2 << 20), b'x');
    large.extend_from_slice(b"\"},\n{\"b\":2}]");
    for chunk in [1 << 16, large.len()] {
        let (items, _) = read(&large, chunk);
        assert_eq!(items[0], "1:1 Event(\"larger than 16 MiB\")");
        assert!(items[1].ends_with("{\"b\":2}"), "{}", items[1]);
    }
}
