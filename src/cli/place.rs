//! The lake of a command: where it is, how it is opened, and what is said when nothing is there.

#![expect(clippy::disallowed_methods, reason = "an error says what is wrong with a folder")]

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use clap::Args;

use super::failure::Failure;
use super::{pair, progress};
use crate::error::{Error, ErrorKind, Result};
use crate::session::{Open, Session, open_default_with, open_with};
use crate::source::{self, Options, home};

#[derive(Debug, Args)]
pub(super) struct Place {
    /// Lake or profile: s3://bucket/prefix or a folder [default: TRACELAKE_HOME, else the user's data folder]
    #[arg(long, global = true, env = "TRACELAKE_LAKE", value_name = "URL")]
    lake: Option<String>,
    /// Option of the store, such as region=eu-west-1 or skip_signature=true; may be given several times
    #[arg(long = "option", global = true, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Folder of canned queries of your own
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(super) queries: Option<String>,
    /// Cluster that answers questions instead of this process: df://host:50050
    #[arg(long, global = true, env = "TRACELAKE_CLUSTER", value_name = "URL")]
    cluster: Option<String>,
    /// Answer in this process what the cluster cannot
    #[arg(long, global = true)]
    local_fallback: bool,
    /// Keep nothing of profiles given by path: they are read into a temporary lake
    #[arg(long, global = true)]
    pub(super) ephemeral: bool,
    /// Say at the end, on stderr, what stores were asked over the network
    #[arg(long, global = true)]
    traffic: bool,
    /// Write what tracelake itself does into this file, as a trace: for ui.perfetto.dev, and for `tracelake ingest`
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) profile: Option<std::path::PathBuf>,
    #[arg(skip)]
    opened: OnceLock<Session>,
}

impl Place {
    pub(super) fn options(&self) -> Options {
        self.options.iter().cloned().collect()
    }

    /// Address of the lake, if one was named; an empty one counts as none, like an empty TRACELAKE_HOME.
    pub(super) fn lake(&self) -> Option<&str> {
        self.lake.as_deref().filter(|url| !url.is_empty())
    }

    /// Says what the session asked, if that is wanted and a session was opened.
    pub(super) fn tell_traffic(&self) {
        if let Some(session) = self.opened.get().filter(|_| self.traffic) {
            // If nobody reads stderr, nobody wants to know.
            let _ = writeln!(std::io::stderr(), "traffic: {}", session.traffic());
        }
    }

    /// Opens the lake for a command that reads it. Of the default lake, one that does not exist is empty.
    pub(super) fn open(&self) -> Result<Session, Failure> {
        if self.ephemeral && self.lake().is_none() {
            return Err(Self::needs_path("a command without one").into());
        }
        let missing = self.lake().is_none() && !home()?.exists();
        if missing { self.open_temporary() } else { self.open_as(false, self.ephemeral) }
    }

    /// Opens the lake for a command that reads these runs; a text that is the path of a profile is read into the lake first.
    pub(super) fn open_for<T: AsRef<str>>(&self, runs: &[T]) -> Result<Session, Failure> {
        let paths: Vec<&str> = runs.iter().map(AsRef::as_ref).filter(|text| Session::may_be_path(text)).collect();
        if paths.is_empty() {
            return self.open();
        }
        if let Some(name) = runs.iter().map(AsRef::as_ref).find(|text| self.ephemeral && !paths.contains(text)) {
            return Err(Self::needs_path(&format!("run `{name}`")).into());
        }
        let session = if self.ephemeral { self.open_temporary()? } else { self.open_as(self.lake().is_none(), false)? };
        for path in paths {
            let is_run = session.group(&[path]).is_ok();
            let runs = session.resolve(&[path]).map_err(|error| unread(path, error))?;
            if !is_run {
                self.name_lake(&session, path, &runs);
            }
        }
        Ok(session)
    }

    /// The error of `--ephemeral` where no profile is read.
    pub(super) fn needs_path(what: &str) -> Error {
        Error::new(ErrorKind::Argument, format!("cannot use --ephemeral with {what}"))
            .with_hint("give the path of a profile: only profiles that this command reads are in a temporary lake")
    }

    /// Opens the lake for a command that writes it. The default lake is made where there is none; `create` makes any.
    pub(super) fn open_to_write(&self, create: bool) -> Result<Session, Failure> {
        self.open_as(create || self.lake().is_none(), false)
    }

    /// Opens an empty lake that is removed at the end.
    pub(super) fn open_temporary(&self) -> Result<Session, Failure> {
        self.open_at(None, Open { ephemeral: true, ..self.how() })
    }

    /// Says on stderr into which lake a profile was read, unless that is a temporary one.
    fn name_lake(&self, session: &Session, path: &str, runs: &[String]) {
        if self.ephemeral {
            return;
        }
        let runs = match runs {
            [run] => format!("run `{run}`"),
            runs => format!("{} runs", runs.len()),
        };
        // If nobody reads stderr, nobody wants to know.
        let _ = writeln!(std::io::stderr(), "note: {path} is {runs} of lake {}", session.address());
    }

    fn open_as(&self, create: bool, ephemeral: bool) -> Result<Session, Failure> {
        let session = self.open_at(self.lake(), Open { create, ephemeral, ..self.how() })?;
        if let (Some(run), Some(profile)) = (session.run(), self.lake()) {
            self.name_lake(&session, profile, &[run.to_owned()]);
        }
        Ok(session)
    }

    fn how(&self) -> Open {
        Open {
            options: self.options(),
            queries: self.queries.clone(),
            cluster: self.cluster.clone().filter(|address| !address.is_empty()),
            local_fallback: self.local_fallback,
            watch: Some(progress::bar()),
            // A closed stderr is not an error.
            warn: Some(Arc::new(|text| _ = writeln!(std::io::stderr(), "warning: {text}"))),
            ..Open::default()
        }
    }

    fn open_at(&self, url: Option<&str>, how: Open) -> Result<Session, Failure> {
        let tried = |folder: &str| format!("cannot use the queries in {folder}");
        if let Some(folder) = &self.queries
            && let Some(why) = nothing(folder, ".sql")
        {
            return Err(Failure::from(Error::new(ErrorKind::NotFound, why)).tried(tried(folder)));
        }
        let opened = match url {
            Some(url) => open_with(url, how),
            None if how.ephemeral => open_default_with(how),
            // The variable TRACELAKE_LAKE is read above.
            None => home().and_then(|home| open_with(&home.to_string_lossy(), Open { create: true, ..how })),
        };
        let session = opened.map_err(|error| {
            if let Some(folder) = self.queries.as_ref().filter(|folder| self.concerns(folder, &error)) {
                return Failure::from(error).tried(tried(folder));
            }
            let tried = format!("cannot open lake {}", url.map_or("of this user".to_owned(), without_secrets));
            let why = url.filter(|_| error.kind() == ErrorKind::NotFound).and_then(|url| nothing(url, ""));
            let error = match (why, url) {
                (Some(why), Some(url)) => Error::new(ErrorKind::NotFound, why)
                    .with_hint(format!("make one there with `tracelake --lake {url} ingest PROFILE`")),
                _ => error,
            };
            Failure::lake(error).tried(tried)
        })?;
        // A command opens one session.
        let _ = self.opened.set(session.clone());
        Ok(session)
    }

    /// Whether an error of opening is about the user's own queries: opening a lake runs no other SQL.
    fn concerns(&self, folder: &str, error: &Error) -> bool {
        let place = source::Place::open(folder, &self.options());
        error.kind() == ErrorKind::Query || place.is_ok_and(|place| error.message().contains(place.url()))
    }
}

/// An address without what may be a password: user, query.
fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// An error of reading what is at this address; where nothing is there, it says so in the words of a disk.
pub(super) fn unread(address: &str, error: Error) -> Error {
    let folder = match address.split_once('*') {
        Some(("", _)) => ".",
        Some((before, _)) => before,
        None => address,
    };
    match nothing(folder, "").filter(|_| error.kind() == ErrorKind::NotFound) {
        Some(why) => Error::new(ErrorKind::NotFound, format!("cannot read {folder}: {why}")),
        None => error,
    }
}

/// What is missing at a local address: the folder, or files with this ending in it.
fn nothing(address: &str, ending: &str) -> Option<String> {
    let path = match address.split_once("://") {
        Some(("file", path)) if !path.contains('%') => Path::new(path),
        Some(_) => return None,
        None => Path::new(address),
    };
    if !path.exists() {
        return Some("there is no such file or folder".to_owned());
    }
    if !path.is_dir() || holds(path, ending) {
        return None;
    }
    Some(if ending.is_empty() { "the folder is empty".to_owned() } else { format!("the folder has no {ending} file") })
}

/// Whether a folder has a file with this ending. A link and a folder that cannot be listed may lead to one.
fn holds(folder: &Path, ending: &str) -> bool {
    std::fs::read_dir(folder).map_or(true, |entries| {
        entries.filter_map(std::result::Result::ok).any(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => holds(&entry.path(), ending),
            Ok(kind) if kind.is_file() => entry.file_name().to_string_lossy().ends_with(ending),
            _ => true,
        })
    })
}
