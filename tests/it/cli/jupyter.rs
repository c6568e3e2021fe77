//! What belongs in here: which kernels `jupyter` touches.

use super::Shell;

#[test]
fn a_kernel_of_somebody_else_is_left_alone() {
    let shell = Shell::new();
    let kernel = shell.path("share/jupyter/kernels/python3");
    std::fs::create_dir_all(&kernel).unwrap();
    std::fs::write(kernel.join("kernel.json"), "{}").unwrap();
    let run = |action: &str| shell.run(&["jupyter", action, "--prefix", ".", "--name", "python3"]);
    let shown = std::fs::canonicalize(shell.folder.path()).unwrap().join("share/jupyter/kernels/python3");
    let shown = shown.display();
    run("install").fails(
        4,
        &format!(
            "error: cannot set up a kernel in {shown}: there is one that is none of tracelake\n  \
             hint:   choose another --name, or replace it with --force"
        ),
    );
    for (action, verb) in [("uninstall", "remove"), ("check", "find")] {
        run(action).fails(
            3,
            &format!(
                "error: cannot {verb} the kernel `python3` in {shown}: it is none of tracelake\n  \
                 hint:   `tracelake jupyter install` sets one up"
            ),
        );
    }
    assert_eq!(std::fs::read_to_string(kernel.join("kernel.json")).unwrap(), "{}");
}
