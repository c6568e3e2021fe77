use std::io::Cursor;

use super::*;

/// A file of two pages: the schema, and a table `t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL)` with these rows.
fn file(rows: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let leaf = |at: usize, cells: &[Vec<u8>]| {
        let mut page = vec![0; 512];
        page[at] = 13;
        page[at + 4] = u8::try_from(cells.len()).unwrap();
        let mut end = 512;
        for (nth, cell) in cells.iter().enumerate() {
            end -= cell.len();
            page[end..end + cell.len()].copy_from_slice(cell);
            page[at + 8 + 2 * nth..at + 10 + 2 * nth].copy_from_slice(&u16::try_from(end).unwrap().to_be_bytes());
        }
        page
    };
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, \"a, x\" INTEGER, b TEXT, c REAL, CHECK (b <> '('))";
    let text = |text: &str| 13 + 2 * u8::try_from(text.len()).unwrap();
    let packed = 13 + 2 * u8::try_from(sql.len()).unwrap();
    let mut record = vec![7, text("table"), text("t"), text("t"), 1, 0x80 | packed >> 7, packed & 0x7f];
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
    Database::open(Box::new(Cursor::new(bytes)), &mut |fault| panic!("{fault:?}")).unwrap()
}

#[test]
fn values_of_all_kinds() {
    let float = [&[5, 0, 6, 17, 7][..], &i64::MIN.to_be_bytes(), b"ab", &2.5_f64.to_be_bytes()].concat();
    let small = vec![5, 0, 1, 0, 9, 0x80];
    let short = vec![2, 0];
    let mut database = open(file(&[(3, float), (5, small), (9, short)]));
    let table = database.table("t").unwrap().clone();
    assert_eq!(table.columns, ["id", "a, x", "b", "c"]);
    assert_eq!((table.column("b"), table.column("d")), (Some(2), None));
    let mut scan = Scan::of(&table);
    let mut rows = Vec::new();
    while let Some(row) = scan.next(&mut database, &mut |fault| panic!("{fault:?}")).unwrap() {
        rows.push((row.int(0), row.int(1), row.text(2).map(std::borrow::Cow::into_owned), row.number(3)));
    }
    let expected = [
        (Some(3), Some(i64::MIN), Some("ab".to_owned()), Some(2.5)),
        (Some(5), Some(-128), None, Some(1.0)),
        (Some(9), None, None, None),
    ];
    assert_eq!(rows, expected);
    assert_eq!(Scan::of(&table).count(&mut database, &mut |_| ()).unwrap(), 3);
    assert_eq!(database.text_of(table.root, 3, 2).unwrap().as_deref(), Some("ab"));
    assert_eq!(database.text_of(table.root, 4, 2).unwrap(), None);
}

#[test]
fn a_row_that_ends_early_is_passed_over() {
    let mut database = open(file(&[(1, vec![2, 1, 7]), (2, vec![2, 6, 7]), (3, vec![90, 1]), (4, vec![2, 1, 8])]));
    let table = database.table("t").unwrap().clone();
    let (mut scan, mut faults, mut rows) = (Scan::of(&table), 0, Vec::new());
    while let Some(row) = scan.next(&mut database, &mut |_| faults += 1).unwrap() {
        rows.push(row.int(0));
    }
    // values of the key are kept as they are where the file has them
    assert_eq!((rows, faults), (vec![Some(7), Some(8)], 2));
}

#[test]
fn what_is_no_file_of_sqlite_says_why() {
    let refused = |bytes: Vec<u8>| Database::open(Box::new(Cursor::new(bytes)), &mut |_| ()).unwrap_err();
    let with = |at: usize, byte: u8| {
        let mut bytes = file(&[]);
        bytes[at] = byte;
        refused(bytes)
    };
    assert_eq!(refused(file(&[])[..99].to_vec()), "it ends inside the header of SQLite");
    assert_eq!(with(0, 0), "it does not begin with the header of SQLite");
    assert_eq!(with(16, 3), "its header has an invalid page size of 768 bytes");
    assert_eq!(with(18, 2), "it uses a write-ahead log, so its last rows may be missing");
    assert_eq!(with(59, 2), "its texts are UTF-16, not UTF-8");
    assert_eq!(with(20, 40), "its pages hold 472 bytes, less than SQLite allows");
}

#[test]
fn a_page_that_leads_back_ends() {
    let mut bytes = file(&[]);
    // the table's root becomes a page whose only child is itself
    bytes[512..524].copy_from_slice(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    let mut database = open(bytes);
    let table = database.table("t").unwrap().clone();
    let mut faults = Vec::new();
    assert!(Scan::of(&table).next(&mut database, &mut |fault| faults.push(fault)).unwrap().is_none());
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(database.text_of(table.root, 1, 0).is_err());
}

#[test]
fn a_tree_that_branches_into_itself_ends_whatever_the_header_counts() {
    let mut bytes = file(&[]);
    // four billion pages, and a root whose 200 children are all itself
    bytes[28..32].copy_from_slice(&u32::MAX.to_be_bytes());
    let cell = [0, 0, 0, 2, 1];
    bytes[512..524].copy_from_slice(&[5, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 2]);
    bytes[1019..1024].copy_from_slice(&cell);
    for nth in 0..200 {
        bytes[524 + 2 * nth..526 + 2 * nth].copy_from_slice(&507_u16.to_be_bytes());
    }
    let mut database = open(bytes);
    assert!(database.missing() > 0);
    let table = database.table("t").unwrap().clone();
    let mut faults = 0;
    assert!(Scan::of(&table).next(&mut database, &mut |_| faults += 1).unwrap().is_none());
    assert!(faults > 0);
}

#[test]
fn a_row_is_not_larger_than_its_file() {
    // says that it has 16,000 bytes, and goes on in the table's own page again and again
    let mut record = vec![0xfd, 0x00, 1];
    record.extend_from_slice(&[2, 1, 7]);
    record.resize(3 + 480, 0);
    let mut bytes = file(&[]);
    bytes[515..517].copy_from_slice(&[0, 1]);
    bytes[520..522].copy_from_slice(&20_u16.to_be_bytes());
    bytes[532..532 + 480].copy_from_slice(&record[..480]);
    let mut database = open(bytes);
    let table = database.table("t").unwrap().clone();
    let (mut scan, mut faults) = (Scan::of(&table), Vec::new());
    assert!(scan.next(&mut database, &mut |fault| faults.push(format!("{fault:?}"))).unwrap().is_none());
    assert_eq!(faults.len(), 1, "{faults:?}");
}
