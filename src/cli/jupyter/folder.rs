//! The folder of a kernel: its contents, and how it is replaced.

#![expect(clippy::disallowed_methods, reason = "cli writes files that users ask for")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{FACADE, read_error};
use crate::error::{Error, ErrorKind, Result};
use tracelake_model::file::write_error;

/// The files of the crate that cells depend on. The kernel's folder has one more, with the query families.
const SHIM: [&str; 3] = ["Cargo.toml", "src/lib.rs", "src/stub.rs"];

/// The contents of the folder of a kernel.
pub(super) struct KernelFiles<'a> {
    pub(super) name: &'a str,
    /// The folder with the sources.
    pub(super) source: &'a Path,
    /// The library, and the files that rustc needs to use it.
    pub(super) built: &'a [PathBuf],
    /// The methods of the query families, in Rust.
    pub(super) families: &'a str,
    pub(super) sysroot: &'a Path,
    pub(super) evcxr: &'a Path,
    /// The output of `rustc -Vv`.
    pub(super) rustc: &'a str,
}

/// Returns whether this folder has a kernel that tracelake installed.
pub(super) fn is_ours(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join("kernel.json")).unwrap_or_default();
    serde_json::from_str::<Json>(&text).is_ok_and(|kernel| kernel["metadata"]["installed_by"] == "tracelake")
}

/// Returns an error for a folder with other contents.
pub(super) fn check_replaceable(folder: &Path) -> Result<()> {
    let empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if !folder.exists() || empty || is_ours(folder) {
        return Ok(());
    }
    let text =
        format!("cannot install a kernel in {}: the folder exists, and tracelake did not create it", folder.display());
    Err(Error::new(ErrorKind::Conflict, text).with_hint("choose another --name, or replace the kernel with --force"))
}

/// Returns an error for a path that the compiler flags cannot contain.
pub(super) fn check_path(folder: &Path) -> Result<()> {
    let text = folder.to_str().unwrap_or("\"");
    if !text.contains(|c: char| c.is_whitespace() || "\"'\\$`".contains(c)) {
        return Ok(());
    }
    let text = format!("cannot install a kernel in {}: compiler flags cannot contain such a path", folder.display());
    Err(Error::new(ErrorKind::Argument, text)
        .with_hint("choose a folder without spaces, quotes, `\\`, `$` and backticks with --prefix"))
}

impl KernelFiles<'_> {
    /// Replaces the folder. The old contents stay until the new ones are complete.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        // Names of kernels do not begin with a dot, so these names are free.
        let next_to = |ending| folder.with_file_name(format!(".{}.{ending}", self.name));
        let (new, old) = (next_to("new"), next_to("old"));
        // `new` and `old` exist only if an earlier call was killed.
        let _ = fs::remove_dir_all(&new);
        self.fill(&new, folder)?;
        let _ = fs::remove_dir_all(&old);
        let had = folder.exists();
        if had {
            fs::rename(folder, &old).map_err(|e| write_error(folder.display(), &e))?;
        }
        fs::rename(&new, folder).map_err(|e| {
            if had {
                let _ = fs::rename(&old, folder);
            }
            write_error(folder.display(), &e)
        })?;
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }

    /// Writes the contents of `folder` to `new`.
    fn fill(&self, new: &Path, folder: &Path) -> Result<()> {
        let put = |path: &str, text: &str| {
            let path = new.join(path);
            fs::write(&path, text).map_err(|e| write_error(path.display(), &e))
        };
        for part in ["lib", "shim/src", "config"] {
            let part = new.join(part);
            fs::create_dir_all(&part).map_err(|e| write_error(part.display(), &e))?;
        }
        for file in self.built {
            let target = new.join("lib").join(file.file_name().unwrap_or_default());
            fs::copy(file, &target).map_err(|e| write_error(target.display(), &e))?;
        }
        for file in SHIM {
            let from = self.source.join("notebooks/jupyter/shim").join(file);
            let target = new.join("shim").join(file);
            fs::copy(&from, &target).map_err(|e| write_error(target.display(), &e))?;
        }
        put("shim/src/families.rs", &signatures(self.families))?;
        put("config/init.evcxr", &init_commands(folder))?;
        // evcxr compiles an expression before it runs init.evcxr; opt_level 0 turns off optimization for it.
        put("config/evcxr.toml", "[evcxr]\nopt_level = \"0\"\n")?;
        put("start.sh", &start_script(self.evcxr))?;
        put("rustc.txt", self.rustc)?;
        put("kernel.json", &kernel_json(folder, self.name, self.sysroot))
    }
}

/// Files of the extension of JupyterLab.
const EXTENSION: [&str; 2] = ["package.json", "static/entry.js"];

/// Returns the folder of the extension of JupyterLab that belongs to the kernel in this folder.
pub(super) fn extension_folder(kernel: &Path) -> PathBuf {
    let base = kernel.parent().and_then(Path::parent).unwrap_or(kernel);
    let name = kernel.file_name().unwrap_or_default().to_string_lossy();
    base.join("labextensions").join(format!("tracelake-kernel-{name}"))
}

/// Writes the extension of JupyterLab, which has the name of its folder.
pub(super) fn write_extension(source: &Path, kernel: &Path) -> Result<()> {
    let folder = extension_folder(kernel);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    for file in EXTENSION {
        let (from, target) = (source.join("notebooks/jupyter/labextension").join(file), folder.join(file));
        let text = fs::read_to_string(&from).map_err(|e| read_error(&from, e))?;
        fs::create_dir_all(target.parent().unwrap_or(&folder)).map_err(|e| write_error(target.display(), &e))?;
        fs::write(&target, text.replace("\"tracelake", &format!("\"{name}")))
            .map_err(|e| write_error(target.display(), &e))?;
    }
    Ok(())
}

/// Returns the source without the bodies of functions, because rust-analyzer needs only signatures. Each function is on
/// one line.
fn signatures(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    for line in source.lines() {
        match line.split_once(" { ") {
            Some((head, _)) if head.trim_start().starts_with("pub fn ") => text.extend([head, " { loop {} }\n"]),
            _ => text.extend([line, "\n"]),
        }
    }
    text
}

/// Returns the commands that the kernel runs at its start, one per line. The import is here because evcxr compiles
/// `prelude.rs` separately.
fn init_commands(folder: &Path) -> String {
    let lib = folder.join("lib");
    let lib = lib.display();
    format!(
        ":build_env RUSTFLAGS=-Cprefer-dynamic --extern tracelake_real={lib}/{FACADE}{} -L dependency={lib} \
         -Clink-arg=-Wl,-rpath,{lib}\n\
         :dep tracelake = {{ path = \"{}\" }}\n\
         use tracelake::*;\n",
        std::env::consts::DLL_SUFFIX,
        folder.join("shim").display()
    )
}

/// Returns a script that checks the version of rustc, since a library fits exactly one, and then runs the kernel.
fn start_script(evcxr: &Path) -> String {
    format!(
        "# Written by `tracelake jupyter install`.\n\
         found=$(rustc -Vv)\n\
         if [ \"$found\" != \"$(cat \"$(dirname \"$0\")/rustc.txt\")\" ]; then\n  \
           echo 'cannot start the kernel: it was built with another version of rustc' >&2\n  \
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
    // With the name of the rustup toolchain, neither the folder of a notebook nor a new default selects another toolchain.
    let toolchain = sysroot.parent().filter(|parent| parent.ends_with("toolchains")).and(sysroot.file_name());
    let toolchain = toolchain
        .map_or(String::new(), |toolchain| format!(",\n    \"RUSTUP_TOOLCHAIN\": \"{}\"", toolchain.to_string_lossy()));
    let folder = folder.display();
    format!(
        "{{\n  \"argv\": [\"/bin/sh\", \"{folder}/start.sh\", \"{{connection_file}}\"],\n  \
         \"display_name\": \"{title}\",\n  \"language\": \"rust\",\n  \"interrupt_mode\": \"message\",\n  \
         \"metadata\": {{ \"installed_by\": \"tracelake\" }},\n  \
         \"env\": {{\n    \"EVCXR_CONFIG_DIR\": \"{folder}/config\",\n    \"CARGO_NET_OFFLINE\": \"true\"{toolchain}\n  }}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_kernel_have_its_paths_and_flags() {
        let folder = Path::new("/venv/share/jupyter/kernels/k");
        let init = init_commands(folder);
        assert_eq!(init.lines().count(), 3);
        assert!(init.contains(" --extern tracelake_real=/venv/share/jupyter/kernels/k/lib/libtracelake_facade."));
        let end = ":dep tracelake = { path = \"/venv/share/jupyter/kernels/k/shim\" }\nuse tracelake::*;\n";
        assert!(init.ends_with(end));
        let json = kernel_json(folder, "k", Path::new("/home/me/.rustup/toolchains/1.95"));
        assert!(json.contains("\"RUSTUP_TOOLCHAIN\": \"1.95\"\n") && json.contains("tracelake (Rust, k)"));
        assert!(!kernel_json(folder, "tracelake-rust", Path::new("/usr")).contains("TOOLCHAIN"));
    }

    #[test]
    fn function_bodies_are_removed() {
        let source = "impl A {\n    /// What it { is }.\n    pub fn b(mut self) -> C { self.0 = 1; self }\n}\n";
        let expected = "impl A {\n    /// What it { is }.\n    pub fn b(mut self) -> C { loop {} }\n}\n";
        assert_eq!(signatures(source), expected);
    }

    #[test]
    fn paths_that_compiler_flags_cannot_contain_are_errors() {
        let spaces = check_path(Path::new("/my files/k")).unwrap_err();
        assert!(spaces.to_string().starts_with("cannot install a kernel in /my files/k: compiler flags"));
        assert!(check_path(Path::new("/files/k")).is_ok());
    }

    /// Writes a kernel with empty files as its sources and library.
    fn write(root: &Path, name: &str) -> Result<()> {
        let shim = root.join("notebooks/jupyter/shim");
        fs::create_dir_all(shim.join("src")).unwrap();
        for file in SHIM {
            fs::write(shim.join(file), "").unwrap();
        }
        let library = root.join("libtracelake_facade.so");
        fs::write(&library, "").unwrap();
        let built = &[library];
        let parts = KernelFiles { name, source: root, built, families: "", sysroot: root, evcxr: root, rustc: "rustc" };
        parts.write(&root.join("kernels").join(name))
    }

    #[test]
    fn a_kernel_is_replaced_and_its_neighbors_are_not() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join("kernels").join(name);
        for name in ["my.new", "my.rust", "my.old"] {
            write(root.path(), name).unwrap();
        }
        fs::write(folder("my.rust").join("left.txt"), "").unwrap();
        write(root.path(), "my.rust").unwrap();
        assert!(!folder("my.rust").join("left.txt").exists());
        let mut names: Vec<_> =
            fs::read_dir(root.path().join("kernels")).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["my.new", "my.old", "my.rust"]);
        assert!(names.iter().all(|name| is_ours(&root.path().join("kernels").join(name))));
    }

    #[test]
    fn a_kernel_that_tracelake_did_not_install_is_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("kernels/python3");
        assert!(check_replaceable(&folder).is_ok());
        fs::create_dir_all(&folder).unwrap();
        assert!(check_replaceable(&folder).is_ok());
        fs::write(folder.join("kernel.json"), "{\"metadata\": {\"debugger\": true}}").unwrap();
        let error = check_replaceable(&folder).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        assert!(
            error.to_string().ends_with("hint:   choose another --name, or replace the kernel with --force"),
            "{error}"
        );
        write(root.path(), "python3").unwrap();
        assert!(check_replaceable(&folder).is_ok());
    }
}
