//! The thread that owns Tokio, and how a caller waits for it.
//!
//! Callers block and may be anything: a plain thread, a thread of a foreign Tokio runtime (where
//! `block_on` would panic), Python without the GIL. So work is spawned onto the engine's own runtime
//! and its answer comes back over a plain channel. A panic in a query drops the channel and becomes
//! an error.

use std::future::Future;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Batches;

/// Asked now and then while a caller waits; true means that the caller gave up.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// With Tokio's 2 MiB a query of about 100 OR terms overflows the stack, which aborts the process.
/// The memory is only reserved until a query needs it.
const STACK: usize = 32 << 20;

/// How long a Ctrl-C may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// A handle to the engine thread; the runtime ends with the last one.
#[derive(Clone)]
pub(super) struct Engine {
    handle: Handle,
    interrupt: Arc<OnceLock<Interrupt>>,
    _alive: Arc<oneshot::Sender<()>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Engine")
    }
}

impl Engine {
    pub(super) fn start() -> Result<Self> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Exhausted, "cannot start the engine thread").with_source(error)
        };
        #[expect(clippy::disallowed_methods, reason = "the engine is the one place that makes a runtime")]
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("tracelake")
            .thread_stack_size(STACK)
            .build()
            .map_err(failed)?;
        let handle = runtime.handle().clone();
        let (alive, gone) = oneshot::channel::<()>();
        std::thread::Builder::new()
            .name("tracelake-engine".into())
            .spawn(move || {
                // Ends when the last `Engine` is dropped; the runtime is dropped on this thread too.
                let _ = runtime.block_on(gone);
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self { handle, interrupt: Arc::new(OnceLock::new()), _alive: Arc::new(alive) })
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Sets what is asked while a caller waits. Only the first call counts.
    pub(super) fn on_wait(&self, interrupt: Interrupt) {
        let _ = self.interrupt.set(interrupt);
    }

    pub(super) fn interrupted(&self) -> bool {
        self.interrupt.get().is_some_and(|interrupt| interrupt())
    }

    /// Runs a future on the engine and waits for its result.
    pub(super) fn run<T: Send + 'static>(&self, future: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
        let (answer, wait) = channel();
        #[expect(clippy::disallowed_methods, reason = "the engine spawns")]
        let task = self.handle.spawn(async move {
            // The caller may have gone: nobody is left to tell.
            let _ = answer.send(future.await);
        });
        self.wait(&wait).inspect_err(|_| task.abort())?
    }

    /// Runs a blocking closure on a thread of its own and waits for its result.
    pub(super) fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, wait) = channel();
        thread(move || {
            let _ = answer.send(work());
        })?;
        self.wait(&wait)?
    }

    /// Runs a producer of batches on a thread of its own; the consumer pulls, two batches ahead at most.
    pub(super) fn batches<T: Send + 'static>(
        &self,
        produce: impl FnOnce(&SyncSender<Result<T>>) + Send + 'static,
    ) -> Result<Pulled<T>> {
        let (give, take) = sync_channel(2);
        thread(move || produce(&give))?;
        Ok(Pulled { take, engine: self.clone() })
    }

    fn wait<T>(&self, wait: &Receiver<T>) -> Result<T> {
        loop {
            match wait.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) if self.interrupted() => return Err(cancelled()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

/// Batches from a producer's thread.
pub(super) struct Pulled<T> {
    take: Receiver<Result<T>>,
    engine: Engine,
}

impl<T> Iterator for Pulled<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            match self.take.recv_timeout(TICK) {
                Ok(batch) => return Some(batch),
                Err(RecvTimeoutError::Timeout) if self.engine.interrupted() => return Some(Err(cancelled())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Batches as a frame takes them.
pub(super) fn boxed(pulled: Pulled<arrow::array::RecordBatch>) -> Batches {
    Box::new(pulled)
}

fn thread(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = std::thread::Builder::new().name("tracelake-call".into()).stack_size(STACK).spawn(work);
    spawned.map(|_| ()).map_err(|e| Error::new(ErrorKind::Exhausted, "cannot start a thread").with_source(e))
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "stopped by the user")
}

fn gone() -> Error {
    Error::new(ErrorKind::Internal, "the engine stopped while answering: this is a bug")
        .with_hint("please report it with the call that shows it")
}
