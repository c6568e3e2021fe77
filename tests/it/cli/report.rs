//! `report`, which writes pages about runs.

use super::Shell;

#[test]
#[ignore = "slow: make test-slow"]
fn the_number_of_sides_selects_the_page() {
    let shell = Shell::golden();
    for (sides, title) in
        [(&["job-a"][..], "job-a"), (&["job-a", "job-b"], "job-a → job-b"), (&["job-a,job-b"], "2 runs")]
    {
        let arguments = [&["report"], sides, &["-o", "page.html"]].concat();
        assert_eq!(shell.run(&arguments).lines(), ["wrote page.html"]);
        assert!(shell.text_of("page.html").contains(&format!("<title>{title}</title>")), "{title}");
    }
    let page = shell.run(&["report"]).text();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<section id=\"runs\">"));
}

#[test]
fn wrong_arguments_of_report_are_errors() {
    let shell = Shell::golden();
    shell
        .run(&["report", "job-x", "-o", "page.html"])
        .fails(3, "error: no run or baseline `job-x`; did you mean `job-a`?");
    shell
        .run(&["report", "job-a", "-o", "page.pdf"])
        .fails(2, "error: cannot write a report as .pdf\n  hint:   write a page: -o page.html");
    assert_eq!(shell.run(&["report", "a", "b", "c"]).code, Some(2));
}
