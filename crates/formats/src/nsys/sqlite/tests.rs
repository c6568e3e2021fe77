use std::io::Cursor;

use super::*;

/// A file of two pages: the schema, and a table `t (id INTEGER PRIMARY KEY, "a, x" INTEGER, b TEXT, c REAL)`. Each
/// row is a rowid and an encoded record.
fn build_file(rows: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let leaf = |start: usize, cells: &[Vec<u8>]| {
        let mut page = vec![0; 512];
        page[start] = 13;
        page[start + 4] = u8::try_from(cells.len()).unwrap();
        let mut end = 512;
        for (index, cell) in cells.iter().enumerate() {
            end -= cell.len();
            page[end..end + cell.len()].copy_from_slice(cell);
            page[start + 8 + 2 * index..start + 10 + 2 * index]
                .copy_from_slice(&u16::try_from(end).unwrap().to_be_bytes());
        }
        page
    };
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, \"a, x\" INTEGER, b TEXT, c REAL, CHECK (b <> '('))";
    let serial_type = |text: &str| 13 + 2 * u8::try_from(text.len()).unwrap();
    let sql_type = 13 + 2 * u8::try_from(sql.len()).unwrap();
    let (table, name) = (serial_type("table"), serial_type("t"));
    let mut record = vec![7, table, name, name, 1, 0x80 | sql_type >> 7, sql_type & 0x7f];
    record.extend_from_slice(format!("tablett\u{2}{sql}").as_bytes());
    let cell = |rowid: u8, record: &[u8]| [&[u8::try_from(record.len()).unwrap(), rowid], record].concat();
    let mut first = leaf(100, &[cell(1, &record)]);
    first[..16].copy_from_slice(MAGIC);
    first[16..18].copy_from_slice(&512_u16.to_be_bytes());
    (first[18], first[19], first[59]) = (1, 1, 1);
    let cells: Vec<Vec<u8>> = rows.iter().map(|(rowid, record)| cell(*rowid, record)).collect();
    first.extend(leaf(0, &cells));
    first
}

fn open(bytes: Vec<u8>) -> Database {
    Database::open(Box::new(Cursor::new(bytes)), &mut |error| panic!("{error:?}")).unwrap()
}

#[test]
fn values_of_all_types_are_read() {
    let float = [&[5, 0, 6, 17, 7][..], &i64::MIN.to_be_bytes(), b"ab", &2.5_f64.to_be_bytes()].concat();
    let small = vec![5, 0, 1, 0, 9, 0x80];
    let short = vec![2, 0];
    let mut database = open(build_file(&[(3, float), (5, small), (9, short)]));
    let table = database.table("t").unwrap().clone();
    assert_eq!(table.columns, ["id", "a, x", "b", "c"]);
    assert_eq!((table.column_index("b"), table.column_index("d")), (Some(2), None));
    let mut scan = table.scan();
    let mut rows = Vec::new();
    while let Some(row) = scan.next(&mut database, &mut |error| panic!("{error:?}")).unwrap() {
        rows.push((row.int(0), row.int(1), row.text(2).map(std::borrow::Cow::into_owned), row.float(3)));
    }
    let expected = [
        (Some(3), Some(i64::MIN), Some("ab".to_owned()), Some(2.5)),
        (Some(5), Some(-128), None, Some(1.0)),
        (Some(9), None, None, None),
    ];
    assert_eq!(rows, expected);
    assert_eq!(table.scan().count_rows(&mut database).unwrap(), 3);
    assert_eq!(database.text_in_row(table.root, 3, 2).unwrap().as_deref(), Some("ab"));
    assert_eq!(database.text_in_row(table.root, 4, 2).unwrap(), None);
}

#[test]
fn truncated_rows_are_skipped() {
    let mut database =
        open(build_file(&[(1, vec![2, 1, 7]), (2, vec![2, 6, 7]), (3, vec![90, 1]), (4, vec![2, 1, 8])]));
    let table = database.table("t").unwrap().clone();
    let (mut scan, mut errors, mut rows) = (table.scan(), 0, Vec::new());
    while let Some(row) = scan.next(&mut database, &mut |_| errors += 1).unwrap() {
        rows.push(row.int(0));
    }
    // a rowid column that has a stored value is read as stored
    assert_eq!((rows, errors), (vec![Some(7), Some(8)], 2));
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let open_error = |bytes: Vec<u8>| Database::open(Box::new(Cursor::new(bytes)), &mut |_| ()).err().unwrap();
    let error_with = |offset: usize, byte: u8| {
        let mut bytes = build_file(&[]);
        bytes[offset] = byte;
        open_error(bytes)
    };
    assert_eq!(open_error(build_file(&[])[..99].to_vec()), "it ends inside the header of SQLite");
    assert_eq!(error_with(0, 0), "it does not begin with the header of SQLite");
    assert_eq!(error_with(16, 3), "its header has an invalid page size of 768 bytes");
    assert_eq!(error_with(18, 2), "it uses a write-ahead log, so its last rows may be missing");
    assert_eq!(error_with(59, 2), "its texts are UTF-16, not UTF-8");
    assert_eq!(error_with(20, 40), "its pages hold 472 bytes, less than SQLite allows");
}

#[test]
fn a_cycle_of_pages_is_an_error() {
    let mut bytes = build_file(&[]);
    // the table's root becomes a page, and its only child is the page itself
    bytes[512..524].copy_from_slice(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    let mut database = open(bytes);
    let table = database.table("t").unwrap().clone();
    let mut errors = Vec::new();
    assert!(table.scan().next(&mut database, &mut |error| errors.push(error)).unwrap().is_none());
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(database.text_in_row(table.root, 1, 0).is_err());
}

#[test]
fn a_tree_that_contains_itself_ends_although_the_header_declares_many_pages() {
    let mut bytes = build_file(&[]);
    // four billion pages, and a root with 200 children, which are all the root itself
    bytes[28..32].copy_from_slice(&u32::MAX.to_be_bytes());
    let cell = [0, 0, 0, 2, 1];
    bytes[512..524].copy_from_slice(&[5, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 2]);
    bytes[1019..1024].copy_from_slice(&cell);
    for index in 0..200 {
        bytes[524 + 2 * index..526 + 2 * index].copy_from_slice(&507_u16.to_be_bytes());
    }
    let mut database = open(bytes);
    assert!(database.missing_bytes() > 0);
    let table = database.table("t").unwrap().clone();
    let mut errors = 0;
    assert!(table.scan().next(&mut database, &mut |_| errors += 1).unwrap().is_none());
    assert!(errors > 0);
}

#[test]
fn a_row_larger_than_its_file_is_skipped() {
    // a row that declares 16,000 bytes, with the table's own page as its overflow page
    let mut record = vec![0xfd, 0x00, 1];
    record.extend_from_slice(&[2, 1, 7]);
    record.resize(3 + 480, 0);
    let mut bytes = build_file(&[]);
    bytes[515..517].copy_from_slice(&[0, 1]);
    bytes[520..522].copy_from_slice(&20_u16.to_be_bytes());
    bytes[532..532 + 480].copy_from_slice(&record[..480]);
    let mut database = open(bytes);
    let table = database.table("t").unwrap().clone();
    let (mut scan, mut errors) = (table.scan(), Vec::new());
    assert!(scan.next(&mut database, &mut |error| errors.push(format!("{error:?}"))).unwrap().is_none());
    assert_eq!(errors.len(), 1, "{errors:?}");
}
