use super::calls::Writer;
use super::marshal::{Cursor, References, Stop, Value};
use super::tree::{self, Frame};
use crate::ObjectInfo;
use crate::table::Rows;

fn value(bytes: &[u8]) -> Result<Value, Stop> {
    Cursor::new(bytes).value(&mut References::default())
}

#[test]
fn objects_of_all_versions() {
    let text = |text: &str| Ok(Value::Text(text.into()));
    assert_eq!(value(b"z\x02ab"), text("ab"));
    assert_eq!(value(b"\xda\x02ab"), text("ab"));
    assert_eq!(value(b"u\x03\0\0\0\xe2\x82\xac"), text("€"));
    assert_eq!(value(b"a\x01\0\0\0x"), text("x"));
    assert_eq!(value(b"i\xff\xff\xff\xff"), Ok(Value::Int(-1)));
    assert_eq!(value(b"l\x03\0\0\0\x01\0\0\0\x04\0"), Ok(Value::Int((4 << 30) + 1)));
    assert_eq!(value(b"l\xfe\xff\xff\xff\x01\0\x02\0"), Ok(Value::Int(-((2 << 15) + 1))));
    assert_eq!(value(&[&b"l\x06\0\0\0"[..], &[0xff, 0x7f].repeat(6)].concat()), Ok(Value::Other));
    assert_eq!(value(b"g\0\0\0\0\0\0\xf8\x3f"), Ok(Value::Float(1.5)));
    assert_eq!(value(b"f\x031.5"), Ok(Value::Float(1.5)));
    // the second element is the first one again
    let pair = Value::Tuple([Value::Text("x".into()), Value::Text("x".into())].into());
    assert_eq!(value(b"\xa9\x02\xda\x01xr\x01\0\0\0"), Ok(pair));
}

#[test]
fn damage_is_told_from_an_end_that_comes_too_early() {
    for early in [&b""[..], b"z\x02a", b"i\0", b"(\xff\xff\xff\x7fN", b"{NN"] {
        assert_eq!(value(early), Err(Stop::More), "{early:?}");
    }
    for bad in [
        &b"c"[..],
        b"a\xff\xff\xff\xff",
        b"r\0\0\0\0",
        b"f\x01x",
        // a tuple within itself
        b"\xa9\x01r\0\0\0\0",
        // a dictionary is not referred to
        b")\x02\xfb0r\0\0\0\0",
        &b")\x01".repeat(20),
    ] {
        assert!(matches!(value(bad), Err(Stop::Bad(..))), "{bad:?}");
    }
}

#[test]
fn recursion_counts_once_and_own_time_is_what_is_left() {
    let frame = |parent, function: &str, time| Frame {
        parent,
        file: if function == "[self]" { String::new() } else { "f.py".to_owned() },
        line: Some(1),
        function: function.to_owned(),
        time: Some(time),
        closed: true,
    };
    // main 10: f 6 (itself 1, f 5: g 2), [self] 1, g 3
    let frames = [
        frame(None, "main", 10.0),
        frame(Some(0), "f", 6.0),
        frame(Some(1), "[self]", 1.0),
        frame(Some(1), "f", 5.0),
        frame(Some(3), "g", 2.0),
        frame(Some(0), "[self]", 1.0),
        frame(Some(0), "g", 3.0),
    ];
    let mut rows = Rows::new("r");
    rows.begin(0);
    let mut writer = Writer::new("pyinstrument", &ObjectInfo::default(), None, &mut rows);
    tree::write(&frames, &mut writer, &mut rows);
    let tables = rows.take();
    let column = |table: &str, column: &str| {
        use arrow::array::AsArray as _;
        let (_, batch) = tables.iter().find(|(found, _)| found.name == table).unwrap();
        batch[column].as_primitive::<arrow::datatypes::Float64Type>().values().to_vec()
    };
    // main, f, g
    assert_eq!(column("function", "own_s"), [1.0, 4.0, 5.0]);
    assert_eq!(column("function", "cumulative_s"), [10.0, 6.0, 5.0]);
    // main -> f, f -> f, f -> g, main -> g
    assert_eq!(column("call", "own_s"), [1.0, 3.0, 2.0, 3.0]);
    assert_eq!(column("call", "cumulative_s"), [6.0, 5.0, 2.0, 3.0]);
}
