//! Text reports of Lightning's profilers: every layout, several reports in one file, and malformed reports.
//!
//! What belongs in here: rows of `action` and `function` of reports written by hand. tests/python compares real reports
//! with the oracle.

use tracelake::ErrorKind;

use crate::decode::{Decoded, InputFile, decode, files};

/// Decodes a folder with the reports of a real job.
fn decode_real(folder: &str) -> Decoded {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lightning").join(folder);
    let files = files(&root);
    let decoded = decode(&files, usize::MAX);
    assert_eq!(decode(&files, 7), decoded);
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
    decoded
}

#[test]
fn reports_of_two_stages() {
    let decoded = decode_real("simple");
    let stages = decoded.texts("action", "stage");
    let rows = |stage: &str| stages.iter().filter(|other| *other == stage).count();
    assert_eq!((rows("fit"), rows("test"), stages.len()), (43, 54, 97));
    assert_eq!(
        actions(&decoded, &["action", "calls", "total_s", "report_s"])[0],
        "run_training_epoch 2 0.89725 0.98108"
    );
    assert!(decoded.ints("action", "rank").iter().all(Option::is_none));
}

#[test]
fn reports_of_two_ranks() {
    let decoded = decode_real("simple_ddp2");
    let ranks = decoded.ints("action", "rank");
    assert_eq!(ranks, [vec![Some(0); 43], vec![Some(1); 43]].concat());
    // the calls of all actions add up to the total that the reports print
    let calls = |rank| decoded.ints("action", "calls").into_iter().zip(&ranks).filter(move |row| *row.1 == rank);
    assert_eq!(calls(Some(0)).map(|row| row.0.unwrap()).sum::<i64>(), 160);
    assert_eq!(decoded.ints("action", "report_calls"), [Some(160); 86]);
}

#[test]
fn functions_of_actions_in_text_and_dumps() {
    let decoded = decode_real("advanced");
    let read: Vec<&str> = decoded.read.iter().map(|(format, _)| *format).collect();
    assert_eq!(read, ["cprofile", "cprofile", "lightning_advanced"]);
    assert_eq!(decoded.count("action"), 43);
    // reduced lists have as many functions as they say
    let reduced = decoded.ints("action", "reduced_to").into_iter().flatten().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(reduced, [10].into());
    let scopes = decoded.texts("function", "scope");
    let scope = r#"{"stage":"fit","action":"[_TrainingEpochLoop].train_dataloader_next"}"#;
    let count_functions = |profiler: &str| {
        let profilers = decoded.texts("function", "profiler");
        scopes.iter().zip(profilers).filter(|(s, p)| *s == scope && p == profiler).count()
    };
    assert_eq!((count_functions("cprofile"), count_functions("lightning_advanced")), (57, 10));
}

/// Decodes one file with this content.
fn read(text: &str) -> Decoded {
    decode(&[("fit-perf.txt".to_owned(), text.as_bytes().to_vec())], usize::MAX)
}

/// A table of `SimpleProfiler`, as Lightning 2.6 prints it: action, mean, calls, total, percent.
fn table(stage: &str, total: [&str; 3], rows: &[[&str; 5]]) -> String {
    let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let cells = |row: [&str; 5]| {
        let [action, numbers @ ..] = row;
        let numbers = numbers.map(|text| format!("|  {text:<15}\t")).concat();
        format!("|  {action:<width$}\t{numbers}|\n")
    };
    let rule = format!("{}\n", "-".repeat(150));
    let header = cells(["Action", "Mean duration (s)", "Num calls", "Total time (s)", "Percentage %"]);
    let total = cells([total[0], "-", total[1], total[2], "100 %"]);
    let rows: String = rows.iter().map(|row| cells(*row)).collect();
    format!("{stage} Profiler Report\n\n{rule}{header}{rule}{total}{rule}{rows}{rule}")
}

/// The named columns of `action` as text, with null as `-`.
fn actions(decoded: &Decoded, columns: &[&str]) -> Vec<String> {
    let number = |n: Option<f64>| n.map_or("-".to_owned(), |n| n.to_string());
    let columns: Vec<Vec<String>> = columns
        .iter()
        .map(|column| match *column {
            "stage" | "action" | "profiler" | "restriction" => decoded.texts("action", column),
            "mean_s" | "total_s" | "percent" | "report_s" => {
                decoded.floats("action", column).into_iter().map(number).collect()
            }
            _ => decoded.ints("action", column).iter().map(|n| n.map_or("-".to_owned(), |n| n.to_string())).collect(),
        })
        .collect();
    (0..decoded.count("action"))
        .map(|row| columns.iter().map(|column| column[row].as_str()).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_current_table() {
    let rows = [["run_training_epoch", "0.85954", "2", "1.7191", "93.548"], ["a", "6.4e-05", "1", "6.4e-05", "0.0035"]];
    let decoded = read(&table("FIT", ["Total", "3", "1.8376"], &rows));
    assert_eq!(decoded.read, [("lightning_simple", "fit-perf.txt".to_owned())]);
    let columns = ["report", "stage", "action", "calls", "mean_s", "total_s", "percent", "report_calls", "report_s"];
    assert_eq!(
        actions(&decoded, &columns),
        ["0 fit run_training_epoch 2 0.85954 1.7191 93.548 3 1.8376", "0 fit a 1 0.000064 0.000064 0.0035 3 1.8376"]
    );
    assert_eq!(decoded.texts("action", "profiler"), ["simple", "simple"]);
    assert!(decoded.problems().is_empty());
}

#[test]
fn names_may_hold_anything_but_an_end_of_line() {
    let names = [
        "a|b",
        "a\t",
        "|  x  \t|",
        "-----",
        "Total",
        "Mean: 1 | 2 | 3",
        "\u{202e}größe",
        "[Callback]X{'a': \"b\"}.on_fit",
    ];
    let rows = names.map(|name| [name, "1.0", "1", "1.0", "10.0"]);
    let decoded = read(&table("TEST", ["Total", "8", "9.0"], &rows));
    assert_eq!(decoded.texts("action", "action"), names);
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
    // an end of line in a name gives two lines that are not rows, and by Total one row is missing
    let decoded = read(&table("TEST", ["Total", "2", "9.0"], &[["a\nb", "1.0", "1", "1.0", "10.0"], rows[0]]));
    assert_eq!(decoded.texts("action", "action"), ["a|b"]);
    assert_eq!(decoded.problems(), [("bad_line".to_owned(), 2), ("truncated".to_owned(), 1)].into());
    assert_eq!(decoded.message("truncated"), "report 0: the 1 rows of the table have 1 calls, its row Total has 2");
}

#[test]
fn a_table_without_calls() {
    let text = "Profiler Report\n\n---\n|  Action\t|  Mean duration (s)\t|  Total time (s) \t|\n---\n\
        |  get    \t|  0.0087412      \t|  16.398         \t|\n|  never  \t|  0.0            \t|  0.0            \t|\n---\n";
    let decoded = read(text);
    assert_eq!(
        actions(&decoded, &["stage", "action", "calls", "total_s", "report_s"]),
        ["- get 1876 16.398 -", "- never - 0 -"]
    );
    assert_eq!(decoded.problems(), [("calls_computed".to_owned(), 2)].into());
}

/// Tables as in the documentation of releases before 1.6.
#[test]
fn tables_of_old_releases() {
    let three = "\nProfiler Report\n\nAction                  |  Mean duration (s)    |  Total time (s)\n\
        -----------------------------------------------------------------\n\
        on_epoch_start          |  5.993e-06            |  5.993e-06\n\
        get_train_batch         |  0.0087412            |  16.398\n";
    let decoded = read(three);
    assert_eq!(
        actions(&decoded, &["report", "stage", "action", "calls", "mean_s"]),
        ["0 - on_epoch_start 1 0.000005993", "0 - get_train_batch 1876 0.0087412"]
    );
    let five = "FIT Profiler Report\n\nAction\t|  Mean duration (s)\t|Num calls\t|  Total time (s) \t|  Percentage %   \t|\n---\n\
        Total\t|  -              \t|_              \t|  2.5            \t|  100 %          \t|\n---\n\
        model_forward\t|  0.5            \t|4              \t|  2.0            \t|  80.0           \t|\n";
    let decoded = read(five);
    assert_eq!(
        actions(&decoded, &["action", "calls", "percent", "report_calls", "report_s"]),
        ["model_forward 4 80 - 2.5"]
    );
    assert!(decoded.problems().is_empty());
}

/// Two blocks. The second one has all optional parts.
const BLOCKS: &str = "FIT Profiler Report
Profile stats for: [LightningModule]M.setup
         3 function calls in 0.000 seconds

   Ordered by: cumulative time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
        1    0.000    0.000    0.001    0.001 hooks.py:421(setup)
        2    0.000    0.000    0.000    0.000 {method 'get' of 'dict' objects}



Profile stats for: [_TrainingEpochLoop].train_dataloader_next rank: 1
         3178 function calls (3032 primitive calls) in 0.335 seconds

   Ordered by: cumulative time
   List reduced from 57 to 2 due to restriction <2>

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
   120/24    0.000    0.000    0.335    0.014 {built-in method builtins.next}
        0    0.000             0.000          loader.py:339(never)



";

#[test]
fn blocks_of_functions() {
    let decoded = read(BLOCKS);
    assert_eq!(decoded.read[0].0, "lightning_advanced");
    let columns =
        ["rank", "action", "calls", "total_s", "function_calls", "primitive_calls", "reduced_from", "reduced_to"];
    assert_eq!(
        actions(&decoded, &columns),
        [
            "- [LightningModule]M.setup - 0 3 3 - -",
            "1 [_TrainingEpochLoop].train_dataloader_next - 0.335 3178 3032 57 2"
        ]
    );
    assert_eq!(decoded.texts("action", "restriction"), ["-", "2"]);
    assert_eq!(decoded.texts("action", "profiler"), ["advanced", "advanced"]);
    let texts = |column| decoded.texts("function", column);
    assert_eq!(
        texts("function"),
        ["setup", "<method 'get' of 'dict' objects>", "<built-in method builtins.next>", "never"]
    );
    assert_eq!(texts("file"), ["hooks.py", "~", "~", "loader.py"]);
    assert_eq!(decoded.ints("function", "line"), [421, 0, 0, 339].map(Some));
    assert_eq!(decoded.ints("function", "calls"), [1, 2, 120, 0].map(Some));
    assert_eq!(decoded.ints("function", "primitive_calls"), [1, 2, 24, 0].map(Some));
    assert_eq!(decoded.floats("function", "cumulative_s"), [0.001, 0.0, 0.335, 0.0].map(Some));
    assert_eq!(decoded.ints("function", "rank"), [None, None, Some(1), Some(1)]);
    assert_eq!(texts("profiler")[0], "lightning_advanced");
    assert_eq!(texts("scope")[0], r#"{"stage":"fit","action":"[LightningModule]M.setup"}"#);
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
}

/// A restriction to a share of a few functions selects none; then Lightning prints only the counts.
#[test]
fn blocks_without_a_list() {
    let counts = |action: &str| format!("Profile stats for: {action}\n         7 function calls in 0.001 seconds\n\n");
    let decoded = read(&format!("FIT Profiler Report\n{}\n{}", counts("a"), counts("b")));
    assert_eq!(
        actions(&decoded, &["action", "total_s", "function_calls", "reduced_from"]),
        ["a 0.001 7 -", "b 0.001 7 -"]
    );
    assert_eq!(decoded.problems(), [("unlisted".to_owned(), 2)].into());
}

/// A block as in the documentation: without leading blanks, and with an incomplete list.
#[test]
fn pasted_blocks() {
    let text = "Profiler Report\n\nProfile stats for: get_train_batch\n\
        4869394 function calls (4863767 primitive calls) in 18.893 seconds\nOrdered by: cumulative time\n\
        List reduced from 76 to 10 due to restriction <10>\n\
        ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n\
        3752/1876    0.011    0.000   18.887    0.010 {built-in method builtins.next}\n\
        1876     0.008    0.000   18.877    0.010 dataloader.py:344(__next__)";
    let decoded = read(text);
    assert_eq!(decoded.ints("function", "calls"), [Some(3752), Some(1876)]);
    assert_eq!(decoded.ints("function", "primitive_calls"), [Some(1876), Some(1876)]);
    assert_eq!(actions(&decoded, &["action", "reduced_from"]), ["get_train_batch 76"]);
    assert_eq!(decoded.message("truncated"), "report 0: get_train_batch lists 2 functions of 10");
}

#[test]
fn reports_in_one_file_are_separated() {
    let rows = [["a", "1.0", "1", "1.0", "50.0"]];
    let simple = table("FIT", ["Total", "1", "2.0"], &rows);
    let text = format!("{simple}{BLOCKS}TEST Profiler Report\n{simple}VALIDATE Profiler Report\r\r\n");
    let decoded = read(&text);
    assert_eq!(
        actions(&decoded, &["report", "stage", "profiler"]),
        ["0 fit simple", "1 fit advanced", "1 fit advanced", "3 fit simple"]
    );
    assert_eq!(decoded.ints("function", "report"), [Some(1); 4]);
    assert_eq!(decoded.ints("action", "row"), [0, 1, 2, 3].map(Some));
    // a table without its first line is a separate report
    let decoded = read(&format!("{simple}{}", simple.split_once('\n').unwrap().1));
    assert_eq!(actions(&decoded, &["report", "stage"]), ["0 fit", "1 -"]);
}

#[test]
fn windows_line_ends_are_accepted() {
    let rows = [["a", "1.0", "1", "1.0", "50.0"]];
    for text in [table("FIT", ["Total", "1", "2.0"], &rows), BLOCKS.to_owned()] {
        let plain = read(&text);
        for end in ["\r\n", "\r\r\n"] {
            let decoded = read(&text.replace('\n', end));
            assert_eq!(decoded.tables, plain.tables);
        }
    }
}

#[test]
fn malformed_numbers() {
    let rows = [
        ["nan", "nan", "1", "inf", "nan"],
        ["comma", "0,5", "1", "0,5", "1,0"],
        ["calls", "0.5", "1.5", "0.5", "1.0"],
        ["good", "0.5", "1", "0.5", "1.0"],
    ];
    let decoded = read(&table("FIT", ["Total", "2", "2.0"], &rows));
    assert_eq!(actions(&decoded, &["action", "mean_s", "total_s", "percent"]), ["nan - - -", "good 0.5 0.5 1"]);
    assert_eq!(decoded.problems(), [("bad_line".to_owned(), 2)].into());
    assert_eq!(decoded.message("bad_line"), "line 9 (byte 738): Mean duration is `0,5`, expected a number");
}

#[test]
fn empty_reports() {
    let decoded = read("FIT Profiler Report\n\n");
    assert_eq!(decoded.read[0].0, "lightning_simple");
    assert_eq!(decoded.problems(), [("empty_report".to_owned(), 1)].into());
    let decoded = read(&table("FIT", ["Total", "0", "2.0"], &[]));
    assert_eq!(decoded.problems(), [("empty_report".to_owned(), 1)].into());
}

#[test]
fn a_report_of_the_pytorch_profiler_is_recognized_and_not_read() {
    let text = "FIT Profiler Report\nProfile stats for: records\n-------  -------\n   Name   CPU total\n-------  -------\n\
        [pl][profile]run_training_batch         1.2ms\n-------  -------\nSelf CPU time total: 3ms\n";
    let decoded = read(text);
    assert_eq!(decoded.read[0].0, "lightning_pytorch");
    assert_eq!(decoded.tables.keys().copied().collect::<Vec<_>>(), ["problem"]);
    assert!(decoded.message("pytorch_profiler").contains("read its trace instead"));
    // a report after it is read
    assert_eq!(read(&format!("{text}{BLOCKS}")).count("action"), 2);
}

#[test]
fn other_files_are_not_read() {
    for text in ["", "Profiler Report of mine\n", "my Profiler Report\n", "FIT Profiler Report\nsome text\n", "[]"] {
        assert!(read(text).read.is_empty(), "{text}");
    }
    let path = "fit-perf.txt".to_owned();
    let one_byte: InputFile = (path, b"x".to_vec());
    assert_eq!(decode(&[one_byte], 1).errors, Vec::<(String, ErrorKind)>::new());
}

#[test]
fn credentials_in_names_are_masked() {
    let token = format!("ghp_{}", "a1".repeat(18));
    let decoded = read(&table("FIT", ["Total", "1", "2.0"], &[[&token, "1.0", "1", "1.0", "50.0"]]));
    assert_eq!(decoded.texts("action", "action"), ["ghp_***"]);
    let decoded = read(&BLOCKS.replace("setup", &token));
    assert_eq!(decoded.texts("action", "action")[0], "[LightningModule]M.ghp_***");
    assert_eq!(decoded.texts("function", "function")[0], "ghp_***");
    assert!(!decoded.texts("function", "scope")[0].contains("a1a1"));
}

#[test]
fn lines_of_any_length_and_number() {
    let rows = ["a", "LONG", "b"].map(|name| [name, "1.0", "1", "1.0", "50.0"]);
    let text = table("FIT", ["Total", "3", "2.0"], &rows).replace("LONG", &"x".repeat(1 << 21));
    let decoded = decode(&[("fit-perf.txt".to_owned(), text.into_bytes())], 1 << 16);
    assert_eq!(decoded.texts("action", "action"), ["a", "b"]);
    assert_eq!(decoded.problems().get("bad_line"), Some(&1));
    let row = ["a", "1.0", "1", "1.0", "50.0"];
    let many = read(&table("FIT", ["Total", "100000", "2.0"], &vec![row; 100_000]));
    assert_eq!((many.count("action"), many.problems().len()), (100_000, 0));
}
