//! `tracelake jupyter`: installs the Rust kernel for Jupyter.
//!
//! The kernel is a stock `evcxr_jupyter`. Its cells do not compile this crate: they link to one prebuilt library, which
//! this command builds. A small crate gives that library to rustc and a list of signatures to rust-analyzer
//! (docs/rust_notebooks.md). The folder of the kernel contains all that a running kernel needs, so that later builds and
//! `cargo clean` do not affect it.

#![expect(clippy::disallowed_methods, reason = "cli writes files that users ask for, and reads the environment")]

mod folder;
mod source;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use self::folder::{KernelFiles, check_path};
use super::failure::CommandFailure;
use super::output::print_line;
use crate::error::{Error, ErrorKind, Result};
use tracelake_model::file::write_error;

/// The tested version of the kernel.
const EVCXR: &str = "0.22.0";

/// The minimum version of rustc for this crate and the kernel.
const RUSTC: (u32, u32) = (1, 95);

/// The build settings for the kernel's program. It compiles and runs cells, and rustc takes most of that time. A full
/// optimization takes four times as long to build and makes no cell faster.
const QUICK_BUILD: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

const FACADE: &str = "libtracelake_facade";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tracelake jupyter install
  tracelake jupyter check")]
pub(super) struct JupyterArgs {
    #[command(subcommand)]
    command: KernelCommand,
}

#[derive(Debug, clap::Subcommand)]
enum KernelCommand {
    /// Build the library for the cells, and install the kernel
    ///
    /// The first call also builds the program of the kernel, which takes about 4 minutes. It needs Rust and a network.
    #[command(after_help = "\
Examples:
  tracelake jupyter install
  tracelake jupyter install --prefix .venv --name my-kernel
  tracelake jupyter install --source path/to/tracelake --dev")]
    Install(InstallArgs),
    /// Print the folder of the kernel, and check that it fits the compiler
    ///
    /// Use it after an update of Rust. If the check fails, install the kernel again.
    Check(KernelArgs),
    /// Remove the kernel
    Uninstall(KernelArgs),
}

#[derive(Debug, clap::Args)]
struct InstallArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Folder with the sources [default: the sources in the wheel, else those that this program was built from]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// Build with optimization (the default)
    #[arg(long, conflicts_with = "dev")]
    release: bool,
    /// Build without optimization: slower queries, and no compilation after a `cargo build`
    #[arg(long)]
    dev: bool,
    /// Replace the kernel of this name, even if tracelake did not install it
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Args)]
struct KernelArgs {
    /// Use the kernel folder of this user, for all environments
    #[arg(long, conflicts_with = "prefix")]
    user: bool,
    /// Use the environment in this folder [default: the environment of the Python with tracelake, else of python3, else as
    /// --user]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Name of the kernel
    #[arg(long, default_value = "tracelake-rust")]
    name: String,
}

pub(super) fn run(arguments: JupyterArgs) -> Result<(), CommandFailure> {
    match arguments.command {
        KernelCommand::Install(install) => install.run(),
        KernelCommand::Check(kernel) => kernel.check(),
        KernelCommand::Uninstall(kernel) => kernel.uninstall(),
    }
}

impl KernelArgs {
    /// Returns the folder of the kernel, which contains all that the kernel needs.
    fn folder(&self) -> Result<PathBuf> {
        let named = !self.name.is_empty() && self.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !named || self.name.starts_with('.') {
            let text = format!("cannot name a kernel `{}`", self.name);
            return Err(Error::new(ErrorKind::Argument, text).with_hint("use letters, digits, `-`, `_` and `.`"));
        }
        let environment = match &self.prefix {
            Some(prefix) => Some(std::path::absolute(prefix).map_err(|e| write_error(prefix.display(), &e))?),
            None if self.user => None,
            None => python_environment(),
        };
        let base = environment.map_or_else(user_data_folder, |folder| Ok(folder.join("share/jupyter")))?;
        let folder = base.join("kernels").join(&self.name);
        check_path(&folder)?;
        Ok(folder)
    }

    fn check(&self) -> Result<(), CommandFailure> {
        let folder = self.installed("find")?;
        let file = folder.join("rustc.txt");
        let built = fs::read_to_string(&file).map_err(|e| read_error(&file, e))?;
        let now = run_program("rustc", &["-Vv"], None)?;
        if built != now {
            let text = format!("cannot use the kernel `{}` with {}", self.name, first_line(&now));
            return Err(CommandFailure::from(
                Error::new(ErrorKind::Conflict, text)
                    .with_context("built", first_line(&built))
                    .with_hint("run `tracelake jupyter install` again"),
            ));
        }
        print_line(&format!("{} is in {} and fits {}", self.name, folder.display(), first_line(&now)))
    }

    fn uninstall(&self) -> Result<(), CommandFailure> {
        let folder = self.installed("remove")?;
        fs::remove_dir_all(&folder).map_err(|e| write_error(folder.display(), &e))?;
        // It may not exist.
        let _ = fs::remove_dir_all(folder::extension_folder(&folder));
        print_line(&format!("removed {}", folder.display()))
    }

    /// Returns the folder of the kernel if tracelake installed one.
    fn installed(&self, verb: &str) -> Result<PathBuf> {
        let folder = self.folder()?;
        if folder::is_ours(&folder) {
            return Ok(folder);
        }
        let why = if folder.exists() { "tracelake did not install it" } else { "it does not exist" };
        let text = format!("cannot {verb} the kernel `{}` in {}: {why}", self.name, folder.display());
        Err(Error::new(ErrorKind::NotFound, text).with_hint("install one with `tracelake jupyter install`"))
    }
}

impl InstallArgs {
    fn run(&self) -> Result<(), CommandFailure> {
        let folder = self.kernel.folder()?;
        // Fail before the build.
        if !self.force {
            folder::check_replaceable(&folder)?;
        }
        let source = source::folder(self.source.as_deref())?;
        let rustc = run_program("rustc", &["-Vv"], Some(&source))?;
        check_rustc_version(&rustc)?;
        let sysroot = PathBuf::from(run_program("rustc", &["--print", "sysroot"], Some(&source))?.trim());
        let evcxr = install_evcxr()?;
        let has_rust_src = install_rust_src(&sysroot, &rustc);
        let (built, families) = self.build(&source)?;
        let parts = KernelFiles {
            name: &self.kernel.name,
            source: &source,
            built: &built,
            families: &families,
            sysroot: &sysroot,
            evcxr: &evcxr,
            rustc: &rustc,
        };
        parts.write(&folder)?;
        folder::write_extension(&source, &folder)?;
        print_line(&format!("kernel `{}` is in {}", self.kernel.name, folder.display()))?;
        if !has_rust_src {
            print_line(NO_RUST_SRC)?;
        }
        if !has_jupyter() {
            print_line(NO_JUPYTER)?;
        }
        print_line("restart running kernels to use the new one")
    }

    /// Builds the library. Returns the paths of the library and of the files that rustc needs to use it, and the generated
    /// Rust code of the query families.
    fn build(&self, source: &Path) -> Result<(Vec<PathBuf>, String), CommandFailure> {
        let profile = if self.dev { "dev" } else { "release" };
        print_line(&format!("building the library for the cells (profile {profile})"))?;
        let failed = |text: String| Error::new(ErrorKind::Internal, format!("cannot build the library: {text}"));
        // Only this last library links the standard library dynamically, as the cells do. With the flag for all crates,
        // cargo would build all of them again.
        let cargo = Command::new("cargo")
            .args(["rustc", "--locked", "-p", "tracelake-facade", "--profile", profile])
            .args(["--message-format=json-render-diagnostics", "--", "-Cprefer-dynamic", "-Cstrip=symbols"])
            .current_dir(source)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| missing_program("cargo", error))?;
        if !cargo.status.success() {
            let text = format!("cargo failed with {}", cargo.status);
            return Err(failed(text).with_hint("see its messages above").into());
        }
        let (mut built, mut families) = (Vec::new(), None);
        for message in String::from_utf8_lossy(&cargo.stdout).lines() {
            let message: Json = serde_json::from_str(message).unwrap_or_default();
            built.extend(library_files(&message));
            // Only one build script writes a file of this name.
            families = families.or(out_dir(&message).and_then(|out| fs::read_to_string(out.join("families.rs")).ok()));
        }
        match families {
            Some(families) if built.iter().any(|file| is_facade(file)) => Ok((built, families)),
            Some(_) => Err(failed(format!("cargo built no {FACADE}")).into()),
            None => Err(failed("the build script wrote no `families.rs`".to_owned()).into()),
        }
    }
}

/// Message when Jupyter is not installed.
const NO_JUPYTER: &str = "\
Jupyter is not installed: to use the kernel, run `pip install jupyterlab` in the environment of the kernel";

/// Message when rust-analyzer cannot read the standard library.
const NO_RUST_SRC: &str = "\
cannot load the sources of the standard library, or the crates that they use, so the kernel cannot infer types of
variables: write the types, such as `let s: Session = open(url)?;`, or run `tracelake jupyter install` again with a network";

/// Returns the files in one message of cargo that rustc needs to use the library: the library, the metadata of its
/// crates, and procedural macros.
fn library_files(message: &Json) -> Vec<PathBuf> {
    if message["reason"] != "compiler-artifact" {
        return Vec::new();
    }
    let files = message["filenames"].as_array().into_iter().flatten().filter_map(Json::as_str).map(PathBuf::from);
    let is_needed =
        |file: &PathBuf| file.extension().is_some_and(|end| end == "rmeta" || end == "so" || end == "dylib");
    files.filter(is_needed).collect()
}

/// Returns the folder of the files that a build script wrote, from one message of cargo.
fn out_dir(message: &Json) -> Option<&Path> {
    let is_script = message["reason"] == "build-script-executed";
    message["out_dir"].as_str().filter(|_| is_script).map(Path::new)
}

fn is_facade(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == FACADE)
}

/// Returns the kernel's program; installs it if it is missing.
fn install_evcxr() -> Result<PathBuf, CommandFailure> {
    let root = cache_folder()?.join("tools");
    let program = root.join("bin/evcxr_jupyter");
    if program.exists() {
        return Ok(program);
    }
    print_line(&format!(
        "installing evcxr_jupyter {EVCXR} into {}: takes about 4 minutes, only the first time",
        root.display()
    ))?;
    let status = Command::new("cargo")
        .args(["install", "--locked", "--root"])
        .arg(&root)
        .arg(format!("evcxr_jupyter@{EVCXR}"))
        .env_remove("CARGO_TARGET_DIR")
        .envs(QUICK_BUILD)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| missing_program("cargo", error))?;
    if status.success() {
        return Ok(program);
    }
    let text = format!("cannot install evcxr_jupyter {EVCXR}: cargo failed with {status}");
    let hint =
        format!("run it with a network: `cargo install --locked --root {} evcxr_jupyter@{EVCXR}`", root.display());
    Err(Error::new(ErrorKind::Unreachable, text).with_hint(hint).into())
}

/// Downloads the sources of the standard library if they are missing. Returns true if rust-analyzer can read them.
///
/// rust-analyzer runs cargo to list the crates that the library uses. The kernel is offline, where cargo knows only
/// crates that it has downloaded before, so this downloads them.
fn install_rust_src(sysroot: &Path, rustc: &str) -> bool {
    let quiet = |command: &mut Command| {
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let library = sysroot.join("lib/rustlib/src/rust/library");
    if !library.join("core").exists() && !quiet(Command::new("rustup").args(["component", "add", "rust-src"])) {
        return false;
    }
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let mut metadata = Command::new("cargo");
    metadata.args(["metadata", "--locked", "--format-version=1", "--filter-platform", host]).current_dir(&library);
    // As in rust-analyzer: the manifests of the library use features of a nightly cargo.
    quiet(metadata.env("__CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS", "nightly"))
}

/// Returns the environment of Python, if Python runs in one.
fn python_environment() -> Option<PathBuf> {
    let ask = "import sys; print(sys.prefix if sys.prefix != sys.base_prefix else '')";
    let prefix = python(ask).filter(|prefix| !prefix.trim().is_empty());
    prefix.map(|prefix| PathBuf::from(prefix.trim())).or_else(|| std::env::var_os("CONDA_PREFIX").map(PathBuf::from))
}

/// Returns the stdout of a program in Python: the Python that runs this command, else `python3`.
fn python(program: &str) -> Option<String> {
    let python = path_variable("TRACELAKE_PYTHON").unwrap_or_else(|| "python3".into());
    run_program(&python.to_string_lossy(), &["-c", program], None).ok()
}

/// Returns whether Jupyter is installed, in the environment of Python or elsewhere.
fn has_jupyter() -> bool {
    let ask = "import importlib.util; print(importlib.util.find_spec('jupyter_client') is not None)";
    let elsewhere = || run_program("jupyter", &["--version"], None).is_ok_and(|stdout| !stdout.is_empty());
    python(ask).is_some_and(|stdout| stdout.trim() == "True") || elsewhere()
}

/// Returns the folder where Jupyter looks for the kernels of a user.
fn user_data_folder() -> Result<PathBuf> {
    if let Some(folder) = path_variable("JUPYTER_DATA_DIR") {
        return Ok(folder);
    }
    if cfg!(target_os = "macos") {
        return Ok(home_folder()?.join("Library/Jupyter"));
    }
    Ok(path_variable("XDG_DATA_HOME").unwrap_or(home_folder()?.join(".local/share")).join("jupyter"))
}

fn cache_folder() -> Result<PathBuf> {
    Ok(path_variable("TRACELAKE_CACHE").unwrap_or(home_folder()?.join(".cache/tracelake")))
}

fn home_folder() -> Result<PathBuf> {
    path_variable("HOME")
        .ok_or_else(|| Error::new(ErrorKind::Argument, "cannot find your home folder: HOME is not set"))
}

/// Returns the folder in an environment variable.
fn path_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Returns the stdout of a program.
fn run_program(program: &str, arguments: &[&str], folder: Option<&Path>) -> Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let done = command.output().map_err(|error| missing_program(program, error))?;
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Returns an error for a compiler that is too old.
fn check_rustc_version(rustc: &str) -> Result<()> {
    let release = rustc.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or_default();
    let mut parts = release.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
    if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= RUSTC {
        return Ok(());
    }
    let (major, minor) = RUSTC;
    if release.is_empty() {
        let text = format!("cannot build the library: `rustc` prints no version; {major}.{minor} or newer is needed");
        return Err(Error::new(ErrorKind::NotFound, text).with_hint("select a toolchain with `rustup default stable`"));
    }
    let compiler = first_line(rustc);
    let text = format!("cannot build the library with {compiler}: rustc {major}.{minor} or newer is needed");
    Err(Error::new(ErrorKind::Argument, text).with_hint("run `rustup update`"))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("no rustc")
}

fn missing_program(program: &str, error: std::io::Error) -> Error {
    Error::new(ErrorKind::NotFound, format!("cannot run `{program}`"))
        .with_source(error)
        .with_hint("install Rust, which the kernel needs: https://rustup.rs")
}

fn read_error(path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::NotFound, format!("cannot read {}", path.display())).with_source(error)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_of_the_library_come_from_the_messages_of_cargo() {
        let files = |list: &[&str]| library_files(&json!({"reason": "compiler-artifact", "filenames": list}));
        assert_eq!(files(&["/t/liba.rlib", "/t/liba.rmeta"]), [PathBuf::from("/t/liba.rmeta")]);
        assert_eq!(files(&["/t/libmacro.so"]), [PathBuf::from("/t/libmacro.so")]);
        assert_eq!(files(&["/t/build-script-build"]), Vec::<PathBuf>::new());
        assert!(library_files(&json!({"reason": "build-finished", "success": true})).is_empty());
        let script = json!({"reason": "build-script-executed", "env": [], "out_dir": "/t/out"});
        assert_eq!(out_dir(&script), Some(Path::new("/t/out")));
        assert_eq!(out_dir(&json!({"reason": "build-finished", "success": true})), None);
    }

    #[test]
    fn old_compilers_and_wrong_names_are_errors() {
        let old = check_rustc_version("rustc 1.90.0 (x)\nbinary: rustc\nrelease: 1.90.0\n").unwrap_err();
        assert_eq!(old.message(), "cannot build the library with rustc 1.90.0 (x): rustc 1.95 or newer is needed");
        assert!(check_rustc_version("rustc 1.96.0-nightly\nrelease: 1.96.0-nightly\n").is_ok());
        let kernel = KernelArgs { user: true, prefix: None, name: "../x".to_owned() };
        assert_eq!(kernel.folder().unwrap_err().kind(), ErrorKind::Argument);
    }

    #[test]
    fn a_missing_kernel_is_an_error() {
        let prefix = Some(std::env::temp_dir().join("no-such-environment"));
        let kernel = KernelArgs { user: false, prefix, name: "k".to_owned() };
        assert_eq!(kernel.installed("find").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!((kernel.check().unwrap_err().code(), kernel.uninstall().unwrap_err().code()), (3, 3));
    }
}
