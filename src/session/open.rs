//! Opening what is at an address: a lake, or a profile that becomes a run of one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Session;
use super::engine::{Engine, Interrupt};
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Progress, Report, Request, Watch, ingest, run_name};
use crate::lake::Lake;
use crate::source::{Options, Place, home};

/// Receives the text of a warning, on the thread that called the session.
pub type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// How to open a session; see [`open_with`].
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Open {
    /// Options of the store: `region`, `endpoint`, `access_key_id`, `skip_signature`, ...
    pub options: Options,
    /// Make a lake of a folder that is none.
    pub create: bool,
    /// Keep what a profile gives, or with `create` a lake that is not there yet, in a temporary folder that ends with the
    /// session.
    pub ephemeral: bool,
    /// Allow DDL and DML in [`Session::sql`], on tables of the session itself.
    pub writable: bool,
    /// A folder of canned queries of the user's own.
    pub queries: Option<String>,
    /// Name of the run that a profile becomes.
    pub run: Option<String>,
    /// Names of the columns of data loader timings in a profile, as in [`Request`].
    pub loader_columns: Option<BTreeMap<String, String>>,
    /// Address of a cluster that answers questions instead of this process: `df://host:50050`.
    pub cluster: Option<String>,
    /// This process answers what the cluster cannot; else that is an error.
    pub local_fallback: bool,
    /// Told of the progress when a profile is read.
    pub watch: Option<Watch>,
    /// Called with each warning: corrupt runs that queries exclude, saved queries that are not valid. [`Session::faults`] and
    /// [`Session::broken_queries`] list them too.
    pub warn: Option<Warn>,
    /// Asked while a call waits; true gives up.
    pub interrupt: Option<Interrupt>,
}

impl std::fmt::Debug for Open {
    /// Without the values of options: they hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open")
            .field("options", &self.options.keys().collect::<Vec<_>>())
            .field("create", &self.create)
            .field("ephemeral", &self.ephemeral)
            .finish_non_exhaustive()
    }
}

/// Opens a profile or a lake: see [`open_with`].
///
/// # Errors
/// As [`open_with`].
pub fn open(url: &str) -> Result<Session> {
    open_with(url, Open::default())
}

/// Opens the default lake: the folder `TRACELAKE_HOME`, else `tracelake` in the user's data folder.
///
/// # Errors
/// As [`open_with`].
pub fn open_default() -> Result<Session> {
    open_default_with(Open::default())
}

/// Opens the default lake, and makes it if it is not there yet.
///
/// # Errors
/// As [`open_with`].
pub fn open_default_with(how: Open) -> Result<Session> {
    open_with(&home()?.to_string_lossy(), Open { create: true, ..how })
}

/// Opens a lake, and makes one if there is none.
///
/// # Errors
/// As [`open_with`].
pub fn create(url: &str) -> Result<Session> {
    open_with(url, Open { create: true, ..Open::default() })
}

/// Opens what is at this address: a lake if it has `_manifest/`, else a profile.
///
/// A profile is read into the default lake, and the session then sees that run alone; what was read
/// before is not read again.
///
/// # Errors
/// NotFound when nothing is there, Denied, Unreachable, Unrecognised when it is neither, Argument.
pub fn open_with(url: &str, how: Open) -> Result<Session> {
    let engine = Engine::start()?;
    if let Some(interrupt) = &how.interrupt {
        engine.on_wait(Arc::clone(interrupt));
    }
    let place = Place::open(url, &how.options)?;
    let _span = tracing::info_span!("open", url = place.url()).entered();
    let is_lake = {
        let place = place.clone();
        engine.run(async move { Lake::is_at(&place).await })?
    };
    let mut folder = None;
    let mut temporary = || {
        let made = tempfile::tempdir()
            .map_err(|e| Error::new(ErrorKind::Exhausted, "cannot make a temporary folder").with_source(e))?;
        let path = made.path().to_string_lossy().into_owned();
        folder = Some(made);
        Ok::<_, Error>(path)
    };
    let (lake, only) = if is_lake {
        (Lake::at(place), None)
    } else if how.create {
        let place = if how.ephemeral { place.beside(&temporary()?, &Options::new())? } else { place };
        (engine.run(Lake::create(place))?, None)
    } else {
        let home = if how.ephemeral { temporary()? } else { home()?.to_string_lossy().into_owned() };
        let lake = engine.run(Lake::create(place.beside(&home, &Options::new())?))?;
        let run = match &how.run {
            Some(run) => run.clone(),
            None => run_name(place.url())?,
        };
        let request = Request {
            url: url.to_owned(),
            run: how.run.clone(),
            options: how.options.clone(),
            loader_columns: how.loader_columns.clone(),
            ..Request::default()
        };
        read(&engine, &lake, request, how.watch.clone())?;
        (lake, Some(run))
    };
    let opened: Vec<String> = only.iter().cloned().collect();
    let session = Session::start(engine, lake, only, folder, how)?;
    session.keep_key_figures(&opened)?;
    Ok(session)
}

/// Reads a profile into a lake. Who gives up waits until the ingest has stopped; the lake is then as it was, unless the
/// commit had begun.
pub(super) fn read(engine: &Engine, lake: &Lake, request: Request, watch: Option<Watch>) -> Result<Report> {
    let (lake, handle) = (lake.clone(), engine.handle().clone());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let watch: Watch = Arc::new(move |progress: Progress| {
        !stopped.load(Ordering::Relaxed) && watch.as_ref().is_none_or(|watch| watch(progress))
    });
    let report = engine.run_blocking(&stop, move || ingest(&lake, &handle, &request, &watch))?;
    if stop.load(Ordering::Relaxed) {
        let text = format!("stopped by the user after the commit: the lake has run `{}`", report.run);
        return Err(Error::new(ErrorKind::Cancelled, text).with_hint("call `refresh` to see it"));
    }
    Ok(report)
}
