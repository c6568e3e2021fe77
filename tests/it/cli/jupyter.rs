//! `jupyter`: which kernels it changes, and its errors.

use super::Shell;

#[test]
fn a_kernel_that_tracelake_did_not_install_is_not_changed() {
    let shell = Shell::new();
    let kernel = shell.path("share/jupyter/kernels/python3");
    std::fs::create_dir_all(&kernel).unwrap();
    std::fs::write(kernel.join("kernel.json"), "{}").unwrap();
    let run = |action: &str| shell.run(&["jupyter", action, "--prefix", ".", "--name", "python3"]);
    let kernel_path = std::fs::canonicalize(shell.folder.path()).unwrap().join("share/jupyter/kernels/python3");
    let kernel_path = kernel_path.display();
    run("install").fails(
        4,
        &format!(
            "error: cannot install a kernel in {kernel_path}: the folder exists, and tracelake did not create it\n  \
             hint:   choose another --name, or replace the kernel with --force"
        ),
    );
    for (action, verb) in [("uninstall", "remove"), ("check", "find")] {
        run(action).fails(
            3,
            &format!(
                "error: cannot {verb} the kernel `python3` in {kernel_path}: tracelake did not install it\n  \
                 hint:   install one with `tracelake jupyter install`"
            ),
        );
    }
    assert_eq!(std::fs::read_to_string(kernel.join("kernel.json")).unwrap(), "{}");
}

/// A shell with no programs in `PATH` but a `rustc` that runs `script`, if one is given.
#[cfg(unix)]
fn with_compiler(script: Option<&str>) -> Shell {
    use std::os::unix::fs::PermissionsExt as _;
    let shell = Shell::new();
    let programs = shell.path("programs");
    std::fs::create_dir(&programs).unwrap();
    if let Some(script) = script {
        let rustc = programs.join("rustc");
        std::fs::write(&rustc, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&rustc, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let programs = programs.display().to_string();
    shell.with("PATH", &programs)
}

#[test]
#[cfg(unix)]
fn a_missing_or_old_compiler_is_an_error() {
    let install = |shell: &Shell| shell.run(&["jupyter", "install", "--prefix", "."]);
    install(&with_compiler(None)).fails(
        3,
        "error: cannot run `rustc`\n  \
         cause:  No such file or directory (os error 2)\n  \
         hint:   install Rust, which the kernel needs: https://rustup.rs",
    );
    install(&with_compiler(Some("echo 'rustc 1.80.1 (old)'; echo 'release: 1.80.1'"))).fails(
        2,
        "error: cannot build the library with rustc 1.80.1 (old): rustc 1.95 or newer is needed\n  \
         hint:   run `rustup update`",
    );
    install(&with_compiler(Some("exit 1"))).fails(
        3,
        "error: cannot build the library: `rustc` prints no version; 1.95 or newer is needed\n  \
         hint:   select a toolchain with `rustup default stable`",
    );
}

/// The kernel is built from the sources that a wheel names; `--source` wins over them.
#[test]
fn the_source_option_wins_over_the_environment() {
    let shell = Shell::new();
    std::fs::create_dir(shell.path("shipped")).unwrap();
    std::fs::create_dir(shell.path("named")).unwrap();
    let shell = shell.with("TRACELAKE_SOURCE", "shipped");
    let working_folder = std::fs::canonicalize(shell.folder.path()).unwrap();
    for (arguments, folder) in [(&[][..], "shipped"), (&["--source", "named"][..], "named")] {
        shell.run(&[&["jupyter", "install", "--prefix", "."], arguments].concat()).fails(
            3,
            &format!(
                "error: cannot find the sources of tracelake in {}\n  \
                 hint:   the kernel is built from the sources, which a wheel contains; otherwise clone the repository at \
                 version {} and give its folder: `tracelake jupyter install --source DIR`",
                working_folder.join(folder).display(),
                env!("CARGO_PKG_VERSION")
            ),
        );
    }
}
