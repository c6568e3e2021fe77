//! `--param`: the type of a value, and unknown names.

use super::Shell;

/// A shell with a user query that has parameters of several types.
fn shell() -> Shell {
    let shell = Shell::golden();
    std::fs::create_dir_all(shell.path("mine/step")).unwrap();
    let text = "-- What was given?\n--\n-- One row per run.\n--\n\
                -- param   mode   text = 'train'       mode of the steps\n\
                -- param   share  double = 0.5         a share\n\
                -- param   names  text[] = ['a']       some names\n--\n\
                -- column  run    text    id     run the steps belong to\n\
                -- column  mode   text    name   what was given\n\
                -- column  share  double  ratio  what was given\n\
                -- column  n      bigint  count  how many names were given\n--\n\
                -- needs   step\n-- order   run\n-- source  sagemaker_framework\n\n\
                SELECT run, $mode AS mode, $share AS share, cast(array_length($names) AS bigint) AS n\n\
                FROM step\nGROUP BY run\nORDER BY run\n";
    std::fs::write(shell.path("mine/step/given.sql"), text).unwrap();
    shell
}

#[test]
fn a_parameter_of_a_query_has_its_declared_type() {
    let shell = shell();
    let run_query = |params: &[&str]| {
        let mut arguments = vec!["--queries", "mine", "query", "step.given", "--run", "job-c"];
        params.iter().for_each(|param| arguments.extend(["--param", param]));
        shell.run(&arguments)
    };
    let row = |row: &str| format!("run,mode,share,n\njob-c,{row}\n");
    assert_eq!(run_query(&[]).text(), row("train,0.5,1"));
    assert_eq!(run_query(&["mode=123", "share=1", "names=[1, 'a, b']"]).text(), row("123,1.0,2"));
    assert_eq!(run_query(&["mode=nan", "names=a,b,c"]).text(), row("nan,0.5,3"));
    run_query(&["share=much"]).fails(2, "error: cannot run `step.given`: argument `share` is `much`, expected double");
    run_query(&["nams=a"]).fails(2, "error: cannot run `step.given`: no parameter `nams`; did you mean `names`?");
    run_query(&["run=job-c"])
        .fails(2, "error: cannot run `step.given`: `run` is not a parameter\n  hint:   select runs with --run NAME");
    run_query(&["share=1", "share=2"]).fails(2, "error: parameter `share` is given twice");
}

#[test]
fn the_type_of_a_parameter_of_sql_is_inferred() {
    let shell = Shell::golden();
    let sql = "select arrow_typeof($x) as t";
    for (value, ty) in [("123", "Int64"), ("'123'", "Utf8"), ("nan", "Float64"), ("'nan'", "Utf8"), ("true", "Boolean")]
    {
        let param = format!("x={value}");
        assert_eq!(shell.run(&["sql", sql, "--param", &param]).text(), format!("t\n{ty}\n"), "{value}");
    }
}

#[test]
fn a_parameter_that_is_not_in_the_sql_is_an_error() {
    let shell = Shell::golden();
    let run = |sql: &str| shell.run(&["sql", sql, "--param", "runs=job-a"]);
    run("select $run as r -- $runs").fails(2, "error: no parameter `$runs`; did you mean `$run`?");
    run("select $first as a, $second as b")
        .fails(2, "error: no parameter `$runs`\n  hint:   there are: $first, $second");
    run("select '$runs' as r")
        .fails(2, "error: no parameter `$runs`; there are no parameters\n  hint:   the SQL has no `$name`");
    run("select $runs as r, $b as b").fails(2, "error: no value for parameter `$b`\n  hint:   write --param b=VALUE");
    assert_eq!(run("select $runs as r").text(), "r\njob-a\n");
}
