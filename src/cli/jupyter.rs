//! `tracelake jupyter`: sets up the Rust kernel for Jupyter.
//!
//! The kernel is a stock `evcxr_jupyter`. Its cells do not compile this crate: they are linked to one finished library,
//! which is built here, and a small crate shows that library to rustc and a list of signatures to rust-analyzer
//! (docs/rust_notebooks.md). All that a running kernel needs is copied into its own folder, so that later builds, or
//! `cargo clean`, leave it alone.

#![expect(clippy::disallowed_methods, reason = "cli writes files that users ask for, and reads the environment")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::output::line;
use crate::error::{Error, ErrorKind, Result};

/// The version of the kernel that this was tried with.
const EVCXR: &str = "0.22.0";

/// The oldest rustc that builds this crate and that kernel.
const RUSTC: (u32, u32) = (1, 95);

const FACADE: &str = "libtracelake_facade";

#[derive(Debug, clap::Args)]
pub(super) struct Jupyter {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Build the library that cells use, and set up the kernel
    Install(Install),
    /// Say where the kernel is, and whether it fits the compiler
    Check(Kernel),
    /// Remove the kernel
    Uninstall(Kernel),
}

#[derive(Debug, clap::Args)]
struct Install {
    #[command(flatten)]
    kernel: Kernel,
    /// Folder with the sources [default: those this program was built from]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// Build with optimisation (the default)
    #[arg(long, conflicts_with = "dev")]
    release: bool,
    /// Build as `cargo build` does: slower queries, and nothing to compile after such a build
    #[arg(long)]
    dev: bool,
}

#[derive(Debug, clap::Args)]
struct Kernel {
    /// For all environments of this user
    #[arg(long, conflicts_with = "prefix")]
    user: bool,
    /// For the environment in this folder [default: that of python3, else as --user]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Name of the kernel
    #[arg(long, default_value = "tracelake-rust")]
    name: String,
}

pub(super) fn run(arguments: Jupyter) -> Result<()> {
    match arguments.command {
        Action::Install(install) => install.run(),
        Action::Check(kernel) => kernel.check(),
        Action::Uninstall(kernel) => kernel.uninstall(),
    }
}

impl Kernel {
    /// The folder of the kernel: everything it needs is in there.
    fn folder(&self) -> Result<PathBuf> {
        let named = !self.name.is_empty() && self.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !named || self.name.starts_with('.') {
            let text = format!("cannot name a kernel `{}`", self.name);
            return Err(Error::new(ErrorKind::Argument, text).with_hint("use letters, digits, `-`, `_` and `.`"));
        }
        let base = match &self.prefix {
            Some(prefix) => std::path::absolute(prefix).map_err(|e| unwritten(prefix, e))?.join("share/jupyter"),
            None if self.user => user_data()?,
            None => match environment() {
                Some(prefix) => prefix.join("share/jupyter"),
                None => user_data()?,
            },
        };
        let folder = base.join("kernels").join(&self.name);
        usable(&folder)?;
        Ok(folder)
    }

    fn check(&self) -> Result<()> {
        let folder = self.folder()?;
        let built = fs::read_to_string(folder.join("rustc.txt")).map_err(|_| {
            let text = format!("cannot find the kernel `{}`: there is no {}", self.name, folder.display());
            Error::new(ErrorKind::NotFound, text).with_hint("set it up with `tracelake jupyter install`")
        })?;
        let now = output("rustc", &["-Vv"], None)?;
        if built != now {
            let text = format!("cannot use the kernel `{}` with {}", self.name, first(&now));
            return Err(Error::new(ErrorKind::Conflict, text)
                .with_context("built", first(&built))
                .with_hint("run `tracelake jupyter install` again"));
        }
        line(&format!("{} is in {} and fits {}", self.name, folder.display(), first(&now)))
    }

    fn uninstall(&self) -> Result<()> {
        let folder = self.folder()?;
        if !folder.join("rustc.txt").exists() {
            let text = format!("cannot remove the kernel `{}`: there is none in {}", self.name, folder.display());
            return Err(Error::new(ErrorKind::NotFound, text));
        }
        fs::remove_dir_all(&folder).map_err(|e| unwritten(&folder, e))?;
        line(&format!("removed {}", folder.display()))
    }
}

impl Install {
    fn run(&self) -> Result<()> {
        let folder = self.kernel.folder()?;
        let source = self.source()?;
        let rustc = output("rustc", &["-Vv"], Some(&source))?;
        recent(&rustc)?;
        let sysroot = PathBuf::from(output("rustc", &["--print", "sysroot"], Some(&source))?.trim());
        let evcxr = evcxr()?;
        let inferred = rust_src(&sysroot, &rustc);
        let built = self.build(&source)?;
        write(&folder, &source, &built, &kernel_json(&folder, &self.kernel.name, &sysroot), &start(&evcxr), &rustc)?;
        line(&format!("kernel `{}` is in {}", self.kernel.name, folder.display()))?;
        if !inferred {
            line(NO_RUST_SRC)?;
        }
        line("kernels that are running must be restarted")
    }

    /// The folder with the sources.
    fn source(&self) -> Result<PathBuf> {
        let given = self.source.clone().unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        let source = std::path::absolute(&given).map_err(|e| unwritten(&given, e))?;
        if source.join("notebooks/jupyter/facade/Cargo.toml").exists() {
            return Ok(source);
        }
        let text = format!("cannot find the sources of tracelake in {}", source.display());
        let hint = format!(
            "the kernel is built from them: clone the repository at version {} and give its folder, \
             `tracelake jupyter install --source DIR`",
            env!("CARGO_PKG_VERSION")
        );
        Err(Error::new(ErrorKind::NotFound, text).with_hint(hint))
    }

    /// Builds the library; gives it and what rustc must read to use it.
    fn build(&self, source: &Path) -> Result<Vec<PathBuf>> {
        let profile = if self.dev { "dev" } else { "release" };
        line(&format!("building the library for the cells (profile {profile})"))?;
        let failed = |text: String| Error::new(ErrorKind::Internal, format!("cannot build the library: {text}"));
        // Only this last library is told to take the standard library from outside, as the cells do: for the others
        // the flag would mean to build them all again.
        let mut cargo = Command::new("cargo")
            .args(["rustc", "--locked", "-p", "tracelake-facade", "--profile", profile])
            .args(["--message-format=json-render-diagnostics", "--", "-Cprefer-dynamic", "-Cstrip=symbols"])
            .current_dir(source)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| missing("cargo", error))?;
        let mut built = Vec::new();
        if let Some(stdout) = cargo.stdout.take() {
            for message in BufReader::new(stdout).lines() {
                built.extend(needed(&message.map_err(|e| failed(e.to_string()))?));
            }
        }
        let status = cargo.wait().map_err(|e| failed(e.to_string()))?;
        if !status.success() {
            return Err(failed(format!("cargo ended with {status}")).with_hint("its messages stand above"));
        }
        if built.iter().any(|file| is_facade(file)) { Ok(built) } else { Err(failed(format!("there is no {FACADE}"))) }
    }
}

/// What is said when rust-analyzer cannot see the standard library.
const NO_RUST_SRC: &str = "\
the sources of the standard library, or the crates they use, could not be loaded, so the kernel cannot tell the types of
variables: write them, `let s: Session = open(url)?;`, or run `tracelake jupyter install` again with network";

/// Writes the folder of the kernel anew.
fn write(folder: &Path, source: &Path, built: &[PathBuf], json: &str, start: &str, rustc: &str) -> Result<()> {
    let new = folder.with_extension("new");
    let _ = fs::remove_dir_all(&new);
    let put = |path: &str, text: &str| {
        let path = new.join(path);
        fs::write(&path, text).map_err(|e| unwritten(&path, e))
    };
    for part in ["lib", "shim/src", "config"] {
        let part = new.join(part);
        fs::create_dir_all(&part).map_err(|e| unwritten(&part, e))?;
    }
    for file in built {
        let to = new.join("lib").join(file.file_name().unwrap_or_default());
        fs::copy(file, &to).map_err(|e| unwritten(&to, e))?;
    }
    for file in ["Cargo.toml", "src/lib.rs"] {
        let from = source.join("notebooks/jupyter/shim").join(file);
        let to = new.join("shim").join(file);
        fs::copy(&from, &to).map_err(|e| unwritten(&to, e))?;
    }
    put("config/init.evcxr", &init(folder))?;
    put("config/prelude.rs", "use tracelake::*;\n")?;
    put("start.sh", start)?;
    put("rustc.txt", rustc)?;
    put("kernel.json", json)?;
    let _ = fs::remove_dir_all(folder);
    fs::rename(&new, folder).map_err(|e| unwritten(folder, e))
}

/// Commands that the kernel runs at its start, one a line.
fn init(folder: &Path) -> String {
    let lib = folder.join("lib");
    let lib = lib.display();
    format!(
        ":opt 0\n\
         :build_env RUSTFLAGS=-Cprefer-dynamic --extern tracelake_real={lib}/{FACADE}{} -L dependency={lib} \
         -Clink-arg=-Wl,-rpath,{lib}\n\
         :dep tracelake = {{ path = \"{}\" }}\n",
        std::env::consts::DLL_SUFFIX,
        folder.join("shim").display()
    )
}

/// Compares the compiler, since a library fits exactly one, and becomes the kernel.
fn start(evcxr: &Path) -> String {
    format!(
        "# Written by `tracelake jupyter install`.\n\
         found=$(rustc -Vv)\n\
         if [ \"$found\" != \"$(cat \"$(dirname \"$0\")/rustc.txt\")\" ]; then\n  \
           echo 'cannot start the kernel: it was built with another rustc than the one that is found now' >&2\n  \
           echo '  hint:   run `tracelake jupyter install` again' >&2\n  \
           exit 1\n\
         fi\n\
         exec '{}' --control_file \"$1\"\n",
        evcxr.display()
    )
}

fn kernel_json(folder: &Path, name: &str, sysroot: &Path) -> String {
    let title =
        if name == "tracelake-rust" { "tracelake (Rust)".to_owned() } else { format!("tracelake (Rust, {name})") };
    // A toolchain of rustup has a name: a notebook's folder or a later default does not change it.
    let toolchain = sysroot.parent().filter(|parent| parent.ends_with("toolchains")).and(sysroot.file_name());
    let toolchain = toolchain
        .map_or(String::new(), |toolchain| format!(",\n    \"RUSTUP_TOOLCHAIN\": \"{}\"", toolchain.to_string_lossy()));
    let folder = folder.display();
    format!(
        "{{\n  \"argv\": [\"/bin/sh\", \"{folder}/start.sh\", \"{{connection_file}}\"],\n  \
         \"display_name\": \"{title}\",\n  \"language\": \"rust\",\n  \"interrupt_mode\": \"message\",\n  \
         \"env\": {{\n    \"EVCXR_CONFIG_DIR\": \"{folder}/config\",\n    \"CARGO_NET_OFFLINE\": \"true\"{toolchain}\n  }}\n}}\n"
    )
}

/// The files of one message of cargo that rustc needs to use the library: the library, the metadata of the crates in
/// it, and macros that were used on the way.
fn needed(message: &str) -> Vec<PathBuf> {
    if !message.starts_with("{\"reason\":\"compiler-artifact\"") {
        return Vec::new();
    }
    let list =
        message.split_once("\"filenames\":[").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.split(',')
        .map(|file| PathBuf::from(file.trim().trim_matches('"')))
        .filter(|file| {
            let is = |ending: &str| file.extension().is_some_and(|found| found == ending);
            is("rmeta") || is("so") || is("dylib")
        })
        .collect()
}

fn is_facade(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == FACADE)
}

/// The kernel's program; installs it where it is missing.
fn evcxr() -> Result<PathBuf> {
    let root = cache()?.join("tools");
    let program = root.join("bin/evcxr_jupyter");
    if program.exists() {
        return Ok(program);
    }
    line(&format!("installing evcxr_jupyter {EVCXR} into {}: about 15 minutes, once", root.display()))?;
    let status = Command::new("cargo")
        .args(["install", "--locked", "--root"])
        .arg(&root)
        .arg(format!("evcxr_jupyter@{EVCXR}"))
        .env_remove("CARGO_TARGET_DIR")
        .stdin(Stdio::null())
        .status()
        .map_err(|error| missing("cargo", error))?;
    if status.success() {
        return Ok(program);
    }
    let text = format!("cannot install evcxr_jupyter {EVCXR}: cargo ended with {status}");
    let hint =
        format!("with network, `cargo install --locked --root {} evcxr_jupyter@{EVCXR}` gives it", root.display());
    Err(Error::new(ErrorKind::Unreachable, text).with_hint(hint))
}

/// Whether rust-analyzer can read the standard library; gets what is missing.
///
/// It asks cargo which crates the library uses. The kernel stays offline, where cargo knows only those that it has
/// loaded before, so they are loaded now.
fn rust_src(sysroot: &Path, rustc: &str) -> bool {
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
    // As rust-analyzer does: the manifests of the library use what only a nightly cargo takes.
    quiet(metadata.env("__CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS", "nightly"))
}

/// Refuses a path that the compiler's flags cannot hold.
fn usable(folder: &Path) -> Result<()> {
    let text = folder.to_str().unwrap_or("\"");
    if !text.contains(|c: char| c.is_whitespace() || "\"'\\$`".contains(c)) {
        return Ok(());
    }
    let text = format!("cannot set up a kernel in {}: the compiler's flags are divided at spaces", folder.display());
    Err(Error::new(ErrorKind::Argument, text).with_hint("choose a folder without spaces and quotes with --prefix"))
}

/// The environment that python3 belongs to, if it is one.
fn environment() -> Option<PathBuf> {
    let ask = "import sys; print(sys.prefix if sys.prefix != sys.base_prefix else '')";
    let prefix = output("python3", &["-c", ask], None).ok().filter(|prefix| !prefix.trim().is_empty());
    prefix.map(|prefix| PathBuf::from(prefix.trim())).or_else(|| std::env::var_os("CONDA_PREFIX").map(PathBuf::from))
}

/// Where Jupyter looks for the kernels of a user.
fn user_data() -> Result<PathBuf> {
    if let Some(folder) = set("JUPYTER_DATA_DIR") {
        return Ok(folder);
    }
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library/Jupyter"));
    }
    Ok(set("XDG_DATA_HOME").map_or(home()?.join(".local/share"), |folder| folder).join("jupyter"))
}

fn cache() -> Result<PathBuf> {
    Ok(set("TRACELAKE_CACHE").map_or(home()?.join(".cache/tracelake"), |folder| folder))
}

fn home() -> Result<PathBuf> {
    set("HOME").ok_or_else(|| Error::new(ErrorKind::Argument, "cannot tell where your files are: HOME is not set"))
}

/// A folder that the environment names.
fn set(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// What a program says.
fn output(program: &str, arguments: &[&str], at: Option<&Path>) -> Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    if let Some(folder) = at {
        command.current_dir(folder);
    }
    let done = command.output().map_err(|error| missing(program, error))?;
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Refuses a compiler that is too old.
fn recent(rustc: &str) -> Result<()> {
    let release = rustc.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or_default();
    let mut parts = release.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found >= RUSTC {
        return Ok(());
    }
    let text = format!("cannot build the library with {}: rustc {}.{} is needed", first(rustc), RUSTC.0, RUSTC.1);
    Err(Error::new(ErrorKind::Argument, text).with_hint("run `rustup update`"))
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or("no rustc")
}

fn missing(program: &str, error: std::io::Error) -> Error {
    Error::new(ErrorKind::NotFound, format!("cannot run `{program}`"))
        .with_source(error)
        .with_hint("Rust is needed to set up the kernel and to run it: https://rustup.rs")
}

fn unwritten(path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Exhausted, format!("cannot write {}", path.display())).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_paths_are_written_out() {
        let folder = Path::new("/venv/share/jupyter/kernels/k");
        let init = init(folder);
        assert_eq!(init.lines().count(), 3);
        assert!(init.contains(" --extern tracelake_real=/venv/share/jupyter/kernels/k/lib/libtracelake_facade."));
        assert!(init.ends_with(":dep tracelake = { path = \"/venv/share/jupyter/kernels/k/shim\" }\n"));
        let json = kernel_json(folder, "k", Path::new("/home/me/.rustup/toolchains/1.95"));
        assert!(json.contains("\"RUSTUP_TOOLCHAIN\": \"1.95\"\n") && json.contains("tracelake (Rust, k)"));
        assert!(!kernel_json(folder, "tracelake-rust", Path::new("/usr")).contains("TOOLCHAIN"));
    }

    #[test]
    fn what_rustc_reads_is_taken_from_the_messages_of_cargo() {
        let files =
            |list: &str| needed(&format!("{{\"reason\":\"compiler-artifact\",\"filenames\":[{list}],\"fresh\":true}}"));
        assert_eq!(files("\"/t/liba.rlib\",\"/t/liba.rmeta\""), [PathBuf::from("/t/liba.rmeta")]);
        assert_eq!(files("\"/t/libmacro.so\""), [PathBuf::from("/t/libmacro.so")]);
        assert_eq!(files("\"/t/build-script-build\""), Vec::<PathBuf>::new());
        assert!(needed("{\"reason\":\"build-finished\",\"success\":true}").is_empty());
    }

    #[test]
    fn what_cannot_work_is_refused_in_a_sentence() {
        let spaces = usable(Path::new("/my files/k")).unwrap_err();
        assert!(spaces.to_string().starts_with("cannot set up a kernel in /my files/k: the compiler's flags"));
        assert!(usable(Path::new("/files/k")).is_ok());
        let old = recent("rustc 1.90.0 (x)\nbinary: rustc\nrelease: 1.90.0\n").unwrap_err();
        assert_eq!(old.message(), "cannot build the library with rustc 1.90.0 (x): rustc 1.95 is needed");
        assert!(recent("rustc 1.96.0-nightly\nrelease: 1.96.0-nightly\n").is_ok());
        let kernel = Kernel { user: true, prefix: None, name: "../x".to_owned() };
        assert_eq!(kernel.folder().unwrap_err().kind(), ErrorKind::Argument);
    }

    #[test]
    fn a_kernel_that_is_not_there_is_told() {
        let prefix = Some(std::env::temp_dir().join("no-such-environment"));
        let kernel = Kernel { user: false, prefix, name: "k".to_owned() };
        assert_eq!(kernel.check().unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(kernel.uninstall().unwrap_err().kind(), ErrorKind::NotFound);
    }
}
