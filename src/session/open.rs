//! Opens the lake or the profile at an address. A profile becomes a run of a lake.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;
use tracelake_engine::runtime::{Engine, Interrupt};

use super::Session;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{IngestReport, Progress, ProgressCallback, Request, ingest, resolve_run_names};
use crate::lake::{Lake, Manifest};
use crate::source::{Location, Options, export_reports, home, is_local, lake_from_environment};

/// Receives the text of a warning, on the thread that called the session.
pub type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// Options for opening a session; see [`open_with`].
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the options are independent")]
pub struct OpenOptions {
    /// Options of the store: `region`, `endpoint`, `access_key_id`, `skip_signature`, ...
    pub options: Options,
    /// Create a lake if there is none.
    pub create: bool,
    /// Store the rows of a profile, or with `create` a new lake, in a temporary folder, which is removed with the session.
    pub ephemeral: bool,
    /// Allow DDL and DML in [`Session::sql`], on tables of the session itself.
    pub writable: bool,
    /// Folder with the user's own canned queries.
    pub queries: Option<String>,
    /// Name of the run of the profile.
    pub run: Option<String>,
    /// Names of the columns of data loader timings in a profile, as in [`Request`].
    pub loader_columns: Option<BTreeMap<String, String>>,
    /// Also delete the rows of files of a profile that no longer exist. If none is left, opening fails, and the rows stay.
    pub prune: bool,
    /// Address of a cluster that runs the queries instead of this process: `df://host:50050`.
    pub cluster: Option<String>,
    /// Run queries in this process if the cluster cannot run them; else that is an error.
    pub local_fallback: bool,
    /// Called with the progress while a profile is read.
    pub watch: Option<ProgressCallback>,
    /// Called with each warning: corrupt runs that queries exclude, and invalid saved queries. [`Session::faults`] and
    /// [`Session::broken_queries`] list them too.
    pub warn: Option<Warn>,
    /// Called repeatedly while a call waits; true cancels the call.
    pub interrupt: Option<Interrupt>,
}

impl std::fmt::Debug for OpenOptions {
    /// Omits the values of options, which may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenOptions")
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
    open_with(url, OpenOptions::default())
}

/// Opens the default lake: the one in `TRACELAKE_LAKE`, which must exist. Without this variable it is the folder
/// `TRACELAKE_HOME`, else `tracelake` in the user's data folder, which is created if it does not exist.
///
/// # Errors
/// As [`open_with`].
pub fn open_default() -> Result<Session> {
    open_default_with(OpenOptions::default())
}

/// Opens the default lake, see [`open_default`]; with `ephemeral`, an empty temporary lake.
///
/// # Errors
/// As [`open_with`].
pub fn open_default_with(options: OpenOptions) -> Result<Session> {
    if options.ephemeral {
        let folder = temporary_folder()?;
        let path = folder.path().to_string_lossy().into_owned();
        return start(&path, OpenOptions { create: true, ..options }, Some(folder));
    }
    match lake_from_environment() {
        Some(url) => open_with(&url, options),
        None => open_with(&home()?.to_string_lossy(), OpenOptions { create: true, ..options }),
    }
}

/// Opens several profiles in one session, which sees only their runs. Each text is the path or URL of a profile, or of
/// many with `*`, or the name of a run in the default lake.
///
/// # Errors
/// As [`open_default_with`] and [`Session::resolve`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let profiles = ["tests/data/first_look", "tests/data/pytorch_ddp"];
/// let s = tracelake::open_all(&profiles, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// assert_eq!(s.runs()?.column::<String>("run")?.into_iter().flatten().collect::<Vec<_>>(), ["first_look", "pytorch_ddp"]);
/// # Ok(())
/// # }
/// ```
pub fn open_all(urls: &[&str], options: OpenOptions) -> Result<Session> {
    if options.run.is_some() {
        return Err(Error::new(ErrorKind::Argument, "cannot give one name to several profiles")
            .with_hint("remove option `run`"));
    }
    let session = open_default_with(options)?;
    session.limit_to(urls)?;
    Ok(session)
}

/// Opens a lake; creates it if there is none.
///
/// # Errors
/// As [`open_with`].
pub fn create(url: &str) -> Result<Session> {
    open_with(url, OpenOptions { create: true, ..OpenOptions::default() })
}

/// Opens the lake or the profile at an address: a lake has `_manifest/`. A `*` matches many profiles.
///
/// A profile is read into the default lake, and the session sees only its run. Files that were read before are not read
/// again.
///
/// # Errors
/// NotFound if there is nothing at the address; Unrecognized if it is neither a lake nor a profile; Denied, Unreachable,
/// Argument.
pub fn open_with(url: &str, options: OpenOptions) -> Result<Session> {
    if url.contains('*') && !options.create {
        let here = if url.contains('/') { "" } else { "./" };
        return open_all(&[&format!("{here}{url}")], options);
    }
    start(url, options, None)
}

fn temporary_folder() -> Result<TempDir> {
    tempfile::tempdir().map_err(|e| Error::new(ErrorKind::Exhausted, "cannot make a temporary folder").with_source(e))
}

/// Opens the lake or the profile at an address. `folder` is removed with the session.
fn start(url: &str, options: OpenOptions, mut folder: Option<TempDir>) -> Result<Session> {
    let engine = Engine::start()?;
    if let Some(interrupt) = &options.interrupt {
        engine.set_interrupt(Arc::clone(interrupt));
    }
    let location = Location::open(url, &options.options)?;
    let _span = tracing::info_span!("open", url = location.url()).entered();
    let folder_to_check = location.clone();
    let is_lake = engine.run(async move { Lake::exists(&folder_to_check).await })?;
    let in_temporary = |location: &Location, folder: &mut Option<TempDir>| {
        let path = folder.insert(temporary_folder()?).path().to_string_lossy().into_owned();
        location.open_related(&path, &Options::new())
    };
    let (lake, only) = if is_lake {
        (Lake::new(location), None)
    } else if options.create {
        let location =
            if options.ephemeral && folder.is_none() { in_temporary(&location, &mut folder)? } else { location };
        (engine.run(Lake::create(location))?, None)
    } else {
        // Do not create a lake for a wrong path.
        if location.url().starts_with("file://") && !is_local(&location.address_of(location.root())) {
            return Err(location.not_found_error());
        }
        let lake = if options.ephemeral {
            engine.run(Lake::create(in_temporary(&location, &mut folder)?))?
        } else {
            lake_of_profiles(&engine, &location, &options.options)?
        };
        let run = with_free_names(|| {
            let run = match &options.run {
                Some(run) => Some(run.clone()),
                None => {
                    let (lake, profile) = (lake.clone(), (location.url().to_owned(), None));
                    engine.run(async move { resolve_run_names(&lake, &[profile]).await })?.pop()
                }
            };
            let request = Request {
                url: url.to_owned(),
                run,
                expanded: options.run.is_none(),
                options: options.options.clone(),
                loader_columns: options.loader_columns.clone(),
                prune: options.prune,
                ..Request::default()
            };
            Ok(ingest_profile(&engine, &lake, request, options.watch.clone())?.0.run)
        })?;
        (lake, Some(run))
    };
    let opened: Vec<String> = only.iter().cloned().collect();
    let session = Session::start(engine, lake, only, folder, options)?;
    session.store_key_metrics(&opened)?;
    Ok(session)
}

/// Maximum number of attempts to name runs while other processes take the names.
const MAX_NAMINGS: usize = 5;

/// Calls `attempt`, which names runs and reads their profiles; repeats it while another process takes one of the names.
pub(super) fn with_free_names<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 0..MAX_NAMINGS {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            result => return result,
        }
    }
    attempt()
}

/// Returns the lake for a profile: the one in `TRACELAKE_LAKE`, unless that is the profile itself, else the default lake,
/// which is created if it does not exist.
fn lake_of_profiles(engine: &Engine, profile: &Location, options: &Options) -> Result<Lake> {
    let configured = lake_from_environment().map(|url| profile.open_related(&url, options)).transpose()?;
    let Some(location) = configured.filter(|location| location.url() != profile.url()) else {
        let home = profile.open_related(&home()?.to_string_lossy(), &Options::new())?;
        return engine.run(Lake::create(home));
    };
    engine.run(async move {
        if Lake::exists(&location).await? {
            return Ok(Lake::new(location));
        }
        let text = format!("cannot store the profile: TRACELAKE_LAKE is {}, which is not a lake", location.url());
        Err(Error::new(ErrorKind::NotFound, text).with_hint("create it first, or remove the variable"))
    })
}

/// Returns a flag that cancels an ingest, and a callback for its progress that stops it once the flag is set.
pub(super) fn cancellable(watch: Option<ProgressCallback>) -> (Arc<AtomicBool>, ProgressCallback) {
    let cancel = Arc::new(AtomicBool::new(false));
    let is_cancelled = Arc::clone(&cancel);
    let watch: ProgressCallback = Arc::new(move |progress: Progress| {
        !is_cancelled.load(Ordering::Relaxed) && watch.as_ref().is_none_or(|watch| watch(progress))
    });
    (cancel, watch)
}

/// Reads a profile into a lake. Cancelling blocks until the ingest has stopped. Then the lake is unchanged, unless the
/// commit had begun. Also returns the manifest of the run.
pub(super) fn ingest_profile(
    engine: &Engine,
    lake: &Lake,
    mut request: Request,
    watch: Option<ProgressCallback>,
) -> Result<(IngestReport, Option<Arc<Manifest>>)> {
    if !request.dry_run
        && let Some(export) = export_reports(&request.url)
    {
        request.url = export;
    }
    let (lake, handle) = (lake.clone(), engine.handle().clone());
    let (cancel, watch) = cancellable(watch);
    let (report, manifest) = engine.run_blocking(&cancel, move || ingest(&lake, &handle, &request, &watch))?;
    if cancel.load(Ordering::Relaxed) {
        let text = format!("stopped by the user after the commit: the lake has run `{}`", report.run);
        return Err(Error::new(ErrorKind::Cancelled, text).with_hint("call `refresh` to see it"));
    }
    Ok((report, manifest))
}
