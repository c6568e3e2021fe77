//! The lake and the runs of a command: their arguments, how the lake is opened, and the errors if it does not exist.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use clap::Args;

use super::failure::CommandFailure;
use super::name_and_value;
use super::progress::progress;
use crate::error::{Error, ErrorKind, Result};
use crate::session::{OpenOptions, Session, open_default_with, open_with};
use crate::source::{self, Options, home, missing};

#[derive(Debug, Args)]
pub(super) struct LakeArgs {
    /// Lake, or a profile for a command that only reads: a folder or s3://bucket/prefix [default: folder TRACELAKE_HOME, else the user's data folder]
    #[arg(long, global = true, env = "TRACELAKE_LAKE", value_name = "URL")]
    lake: Option<String>,
    /// Option for S3 or another object store, such as region=eu-west-1 or skip_signature=true; may be given several times
    #[arg(long = "option", global = true, value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Folder with your own canned queries
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(super) queries: Option<String>,
    /// Cluster that runs the queries instead of this process, such as df://host:50050 [default: none]
    #[arg(long, global = true, env = "TRACELAKE_CLUSTER", value_name = "URL")]
    cluster: Option<String>,
    /// Run a query in this process when the cluster cannot run it
    #[arg(long, global = true)]
    local_fallback: bool,
    /// Store nothing: read profiles given by path into a temporary lake
    #[arg(long, global = true)]
    pub(super) ephemeral: bool,
    /// Print the requests to stores over the network to stderr, at the end
    #[arg(long, global = true)]
    traffic: bool,
    /// Write a trace of the execution of tracelake itself to this new file, for ui.perfetto.dev or `tracelake ingest`
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) self_trace: Option<std::path::PathBuf>,
    #[arg(skip)]
    opened: OnceLock<Session>,
}

/// Runs by name, or profiles by path. Without arguments, all runs of the lake.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Name of a run, or path or URL of a profile, which is read first; `*` matches several runs or profiles [default: all runs]
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// The same as RUN, as an option; may be given several times
    #[arg(long = "run", value_name = "RUN")]
    run_options: Vec<String>,
}

impl RunArgs {
    pub(super) fn names(&self) -> Vec<String> {
        self.runs.iter().chain(&self.run_options).cloned().collect()
    }
}

impl LakeArgs {
    pub(super) fn options(&self) -> Options {
        self.options.iter().cloned().collect()
    }

    /// Returns the URL of the lake, if one is given. An empty URL counts as none, like an empty TRACELAKE_HOME.
    pub(super) fn url(&self) -> Option<&str> {
        self.lake.as_deref().filter(|url| !url.is_empty())
    }

    /// With --traffic, prints the requests of the session to stderr.
    pub(super) fn print_traffic(&self) {
        if let Some(session) = self.opened.get().filter(|_| self.traffic) {
            // A closed stderr is not an error.
            let _ = writeln!(std::io::stderr(), "traffic: {}", session.traffic());
        }
    }

    /// Opens the lake for a command that reads it. A default lake that does not exist counts as empty.
    pub(super) fn open(&self) -> Result<Session, CommandFailure> {
        if self.ephemeral && self.url().is_none() {
            return Err(Self::needs_path("no profile is given").into());
        }
        let missing = self.url().is_none() && !home()?.exists();
        if missing { self.open_temporary() } else { self.open_as(false, self.ephemeral) }
    }

    /// Opens the lake for a command that reads these runs. Reads paths of profiles into the lake first.
    pub(super) fn open_for<T: AsRef<str>>(&self, runs: &[T]) -> Result<Session, CommandFailure> {
        let paths: Vec<&str> = runs.iter().map(AsRef::as_ref).filter(|text| Session::may_be_path(text)).collect();
        if paths.is_empty() {
            return self.open();
        }
        if let Some(name) = runs.iter().map(AsRef::as_ref).find(|text| self.ephemeral && !paths.contains(text)) {
            return Err(Self::needs_path(&format!("`{name}` is not the path of a profile")).into());
        }
        let session = if self.ephemeral { self.open_temporary()? } else { self.open_as(self.url().is_none(), false)? };
        for path in paths {
            let is_run = session.group([path]).is_ok();
            let runs = session.resolve([path]).map_err(|error| unread_error(path, error))?;
            if !is_run {
                self.report_stored_run(&session, path, &runs);
            }
        }
        Ok(session)
    }

    /// Returns the error of `--ephemeral` for a command that reads no profile.
    pub(super) fn needs_path(what: &str) -> Error {
        Error::new(ErrorKind::Argument, format!("cannot use --ephemeral: {what}"))
            .with_hint("give the path of a profile: with --ephemeral, a command sees only the profiles that it reads")
    }

    /// Opens the lake for a command that writes it. Creates the default lake if it does not exist; `create` creates any lake.
    pub(super) fn open_to_write(&self, create: bool) -> Result<Session, CommandFailure> {
        self.open_as(create || self.url().is_none(), false)
    }

    /// Opens an empty temporary lake, which is removed at the end.
    pub(super) fn open_temporary(&self) -> Result<Session, CommandFailure> {
        self.open_at(None, OpenOptions { ephemeral: true, ..self.session_options() })
    }

    /// Prints to stderr into which lake a profile was read, unless it is a temporary lake.
    fn report_stored_run(&self, session: &Session, path: &str, runs: &[String]) {
        if self.ephemeral {
            return;
        }
        let runs = match runs {
            [run] => format!("as run `{run}`"),
            runs => format!("as {} runs", runs.len()),
        };
        // A closed stderr is not an error.
        let _ = writeln!(std::io::stderr(), "note: {path} is stored {runs} in lake {}", session.address());
    }

    fn open_as(&self, create: bool, ephemeral: bool) -> Result<Session, CommandFailure> {
        let session = self.open_at(self.url(), OpenOptions { create, ephemeral, ..self.session_options() })?;
        if let (Some(run), Some(profile)) = (session.run(), self.url()) {
            self.report_stored_run(&session, profile, &[run.to_owned()]);
        }
        Ok(session)
    }

    fn session_options(&self) -> OpenOptions {
        OpenOptions {
            options: self.options(),
            queries: self.queries.clone(),
            cluster: self.cluster.clone().filter(|address| !address.is_empty()),
            local_fallback: self.local_fallback,
            watch: Some(progress()),
            // A closed stderr is not an error.
            warn: Some(Arc::new(|text| _ = writeln!(std::io::stderr(), "warning: {text}"))),
            ..OpenOptions::default()
        }
    }

    fn open_at(&self, url: Option<&str>, options: OpenOptions) -> Result<Session, CommandFailure> {
        let action = |folder: &str| format!("cannot use the queries in {folder}");
        if let Some(folder) = &self.queries
            && let Some(why) = missing(folder, ".sql")
        {
            return Err(CommandFailure::from(Error::new(ErrorKind::NotFound, why)).with_action(action(folder)));
        }
        let opened = match url {
            Some(url) => open_with(url, options),
            None if options.ephemeral => open_default_with(options),
            // The variable TRACELAKE_LAKE is read above.
            None => home().and_then(|home| open_with(&home.to_string_lossy(), OpenOptions { create: true, ..options })),
        };
        let session = opened.map_err(|error| {
            if let Some(folder) = self.queries.as_ref().filter(|folder| self.is_about_queries(folder, &error)) {
                return CommandFailure::from(error).with_action(action(folder));
            }
            let action = format!("cannot open lake {}", url.map_or("of this user".to_owned(), without_secrets));
            let why = url.filter(|_| error.kind() == ErrorKind::NotFound).and_then(|url| missing(url, ""));
            let error = match (why, url) {
                (Some(why), Some(url)) => Error::new(ErrorKind::NotFound, why)
                    .with_hint(format!("create a lake there with `tracelake --lake {url} ingest PROFILE`")),
                _ => error,
            };
            CommandFailure::lake(error).with_action(action)
        })?;
        // A command opens one session.
        let _ = self.opened.set(session.clone());
        Ok(session)
    }

    /// Returns true if an error of opening is about the user's own queries: opening a lake runs no other SQL.
    fn is_about_queries(&self, folder: &str, error: &Error) -> bool {
        let location = source::Location::open(folder, &self.options());
        error.kind() == ErrorKind::Query || location.is_ok_and(|location| error.message().contains(location.url()))
    }
}

/// Returns a URL without its user and query, which may contain a password.
fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// Returns the error of reading this address. For a local path that does not exist or is empty, the message says so.
pub(super) fn unread_error(address: &str, error: Error) -> Error {
    let folder = match address.split_once('*') {
        Some(("", _)) => ".",
        Some((before, _)) => before,
        None => address,
    };
    match missing(folder, "").filter(|_| error.kind() == ErrorKind::NotFound) {
        Some(why) => Error::new(ErrorKind::NotFound, format!("cannot read {folder}: {why}")),
        None => error,
    }
}
