use super::calls::ProfileWriter;
use super::marshal::{MarshalError, MarshalReader, MarshalValue, References};
use super::tree::{self, SampledFrame};
use crate::ObjectInfo;
use crate::table::Rows;

fn read_value(bytes: &[u8]) -> Result<MarshalValue, MarshalError> {
    MarshalReader::new(bytes).read_value(&mut References::default())
}

#[test]
fn objects_of_all_versions_are_read() {
    let text = |text: &str| Ok(MarshalValue::Text(text.into()));
    assert_eq!(read_value(b"z\x02ab"), text("ab"));
    assert_eq!(read_value(b"\xda\x02ab"), text("ab"));
    assert_eq!(read_value(b"u\x03\0\0\0\xe2\x82\xac"), text("€"));
    assert_eq!(read_value(b"a\x01\0\0\0x"), text("x"));
    assert_eq!(read_value(b"i\xff\xff\xff\xff"), Ok(MarshalValue::Int(-1)));
    assert_eq!(read_value(b"l\x03\0\0\0\x01\0\0\0\x04\0"), Ok(MarshalValue::Int((4 << 30) + 1)));
    assert_eq!(read_value(b"l\xfe\xff\xff\xff\x01\0\x02\0"), Ok(MarshalValue::Int(-((2 << 15) + 1))));
    assert_eq!(read_value(&[&b"l\x06\0\0\0"[..], &[0xff, 0x7f].repeat(6)].concat()), Ok(MarshalValue::Other));
    assert_eq!(read_value(b"g\0\0\0\0\0\0\xf8\x3f"), Ok(MarshalValue::Float(1.5)));
    assert_eq!(read_value(b"f\x031.5"), Ok(MarshalValue::Float(1.5)));
    // the second element refers to the first one
    let pair = MarshalValue::Tuple([MarshalValue::Text("x".into()), MarshalValue::Text("x".into())].into());
    assert_eq!(read_value(b"\xa9\x02\xda\x01xr\x01\0\0\0"), Ok(pair));
}

#[test]
fn incomplete_and_corrupt_objects_have_different_errors() {
    for incomplete in [&b""[..], b"z\x02a", b"i\0", b"(\xff\xff\xff\x7fN", b"{NN"] {
        assert_eq!(read_value(incomplete), Err(MarshalError::Incomplete), "{incomplete:?}");
    }
    for corrupt in [
        &b"c"[..],
        b"a\xff\xff\xff\xff",
        b"r\0\0\0\0",
        b"f\x01x",
        // a tuple within itself
        b"\xa9\x01r\0\0\0\0",
        // a reference to a dictionary
        b")\x02\xfb0r\0\0\0\0",
        &b")\x01".repeat(20),
    ] {
        assert!(matches!(read_value(corrupt), Err(MarshalError::Corrupt(..))), "{corrupt:?}");
    }
}

#[test]
fn recursive_time_counts_once_and_own_time_excludes_children() {
    let frame = |parent, function: &str, time| SampledFrame {
        parent,
        file: if function == "[self]" { String::new() } else { "f.py".to_owned() },
        line: Some(1),
        function: function.to_owned(),
        time: Some(time),
        is_complete: true,
    };
    // main 10: f 6 ([self] 1, f 5: g 2), [self] 1, g 3
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
    let mut writer = ProfileWriter::new("pyinstrument", &ObjectInfo::default(), None, &mut rows);
    tree::write(&frames, &mut writer, &mut rows);
    let tables = rows.take();
    let column = |table: &str, column: &str| {
        use arrow::array::AsArray as _;
        let (_, batch) = tables.iter().find(|(definition, _)| definition.name == table).unwrap();
        batch[column].as_primitive::<arrow::datatypes::Float64Type>().values().to_vec()
    };
    // main, f, g
    assert_eq!(column("function", "own_s"), [1.0, 4.0, 5.0]);
    assert_eq!(column("function", "cumulative_s"), [10.0, 6.0, 5.0]);
    // main -> f, f -> f, f -> g, main -> g
    assert_eq!(column("call", "own_s"), [1.0, 3.0, 2.0, 3.0]);
    assert_eq!(column("call", "cumulative_s"), [6.0, 5.0, 2.0, 3.0]);
}
