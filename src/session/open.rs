//! Opening what is at an address: a lake, or a profile that becomes a run of one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;
use tracelake_engine::runtime::{Engine, Interrupt};

use super::Session;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Progress, Report, Request, Watch, ingest, runs_of};
use crate::lake::Lake;
use crate::source::{Options, Place, home, is_local, named_lake};

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
    /// Called with the progress when a profile is read.
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

/// Opens the default lake: what `TRACELAKE_LAKE` names, which must be there; otherwise the folder `TRACELAKE_HOME`, or
/// `tracelake` in the user's data folder, which are made where there are none.
///
/// # Errors
/// As [`open_with`].
pub fn open_default() -> Result<Session> {
    open_default_with(Open::default())
}

/// Opens the default lake, see [`open_default`]. With `ephemeral` a temporary, empty lake.
///
/// # Errors
/// As [`open_with`].
pub fn open_default_with(how: Open) -> Result<Session> {
    if how.ephemeral {
        let folder = temporary()?;
        let path = folder.path().to_string_lossy().into_owned();
        return start(&path, Open { create: true, ..how }, Some(folder));
    }
    match named_lake() {
        Some(url) => open_with(&url, how),
        None => open_with(&home()?.to_string_lossy(), Open { create: true, ..how }),
    }
}

/// Opens several profiles together: the session sees these runs. Each text is the path or URL of a profile, or of many with
/// one `*`; or the name of a run in the default lake.
///
/// # Errors
/// As [`open_default_with`] and [`Session::resolve`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let profiles = ["tests/data/first_look", "tests/data/pytorch_ddp"];
/// let s = tracelake::open_all(&profiles, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// assert_eq!(s.runs()?.column::<String>("run")?.into_iter().flatten().collect::<Vec<_>>(), ["first_look", "pytorch_ddp"]);
/// # Ok(())
/// # }
/// ```
pub fn open_all(urls: &[&str], how: Open) -> Result<Session> {
    if how.run.is_some() {
        return Err(Error::new(ErrorKind::Argument, "cannot give one name to several profiles")
            .with_hint("remove option `run`"));
    }
    let session = open_default_with(how)?;
    session.limit_to(urls)?;
    Ok(session)
}

/// Opens a lake, and makes one if there is none.
///
/// # Errors
/// As [`open_with`].
pub fn create(url: &str) -> Result<Session> {
    open_with(url, Open { create: true, ..Open::default() })
}

/// Opens what is at this address: a lake if it has `_manifest/`, else a profile. One `*` stands for many profiles.
///
/// A profile is read into the default lake, and the session then sees that run alone; what was read
/// before is not read again.
///
/// # Errors
/// NotFound when nothing is there, Denied, Unreachable, Unrecognized when it is neither, Argument.
pub fn open_with(url: &str, how: Open) -> Result<Session> {
    if url.contains('*') && !how.create {
        let here = if url.contains('/') { "" } else { "./" };
        return open_all(&[&format!("{here}{url}")], how);
    }
    start(url, how, None)
}

fn temporary() -> Result<TempDir> {
    tempfile::tempdir().map_err(|e| Error::new(ErrorKind::Exhausted, "cannot make a temporary folder").with_source(e))
}

/// Opens what is at this address; the folder is removed with the session.
fn start(url: &str, how: Open, mut folder: Option<TempDir>) -> Result<Session> {
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
    let in_temporary = |place: &Place, folder: &mut Option<TempDir>| {
        let path = folder.insert(temporary()?).path().to_string_lossy().into_owned();
        place.beside(&path, &Options::new())
    };
    let (lake, only) = if is_lake {
        (Lake::at(place), None)
    } else if how.create {
        let place = if how.ephemeral && folder.is_none() { in_temporary(&place, &mut folder)? } else { place };
        (engine.run(Lake::create(place))?, None)
    } else {
        // A wrong path makes no lake.
        if place.url().starts_with("file://") && !is_local(&place.address_of(place.root())) {
            return Err(place.nothing());
        }
        let lake = if how.ephemeral {
            engine.run(Lake::create(in_temporary(&place, &mut folder)?))?
        } else {
            lake_of_profiles(&engine, &place, &how.options)?
        };
        let run = with_free_names(|| {
            let run = match &how.run {
                Some(run) => Some(run.clone()),
                None => {
                    let (lake, profile) = (lake.clone(), (place.url().to_owned(), None));
                    engine.run(async move { runs_of(&lake, &[profile]).await })?.pop()
                }
            };
            let request = Request {
                url: url.to_owned(),
                run,
                expanded: how.run.is_none(),
                options: how.options.clone(),
                loader_columns: how.loader_columns.clone(),
                ..Request::default()
            };
            Ok(read(&engine, &lake, request, how.watch.clone())?.run)
        })?;
        (lake, Some(run))
    };
    let opened: Vec<String> = only.iter().cloned().collect();
    let session = Session::start(engine, lake, only, folder, how)?;
    session.keep_key_metrics(&opened)?;
    Ok(session)
}

/// How often runs get other names because other processes take the names at the same time.
const NAMINGS: usize = 5;

/// Calls `attempt`, which names runs and reads their profiles, again while another process takes one of the names.
pub(super) fn with_free_names<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 0..NAMINGS {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            result => return result,
        }
    }
    attempt()
}

/// The lake into which a profile is read: the one that `TRACELAKE_LAKE` names, unless that is the profile itself; otherwise the
/// default lake, which is made where there is none.
fn lake_of_profiles(engine: &Engine, profile: &Place, options: &Options) -> Result<Lake> {
    let named = named_lake().map(|url| profile.beside(&url, options)).transpose()?;
    let Some(place) = named.filter(|named| named.url() != profile.url()) else {
        let home = profile.beside(&home()?.to_string_lossy(), &Options::new())?;
        return engine.run(Lake::create(home));
    };
    engine.run(async move {
        if Lake::is_at(&place).await? {
            return Ok(Lake::at(place));
        }
        let text = format!("cannot store the profile: TRACELAKE_LAKE is {}, which is not a lake", place.url());
        Err(Error::new(ErrorKind::NotFound, text).with_hint("create it first, or remove the variable"))
    })
}

/// Reads a profile into a lake. Cancelling blocks until the ingest has stopped; the lake is then unchanged, unless the commit
/// had begun.
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
