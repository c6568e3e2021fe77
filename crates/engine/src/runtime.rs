//! The thread that owns Tokio, and how a caller waits for it.
//!
//! Callers block and may be anything: a plain thread, a thread of a foreign Tokio runtime (where
//! `block_on` would panic), Python without the GIL. So work is spawned onto the engine's own runtime
//! and its answer comes back over a plain channel. A panic in a query drops the channel and becomes
//! an error. A caller who gives up ends the work as well: a future is aborted, a stream is dropped, and
//! what blocks is told and waited for.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures::{Stream, StreamExt};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::error::{Error, ErrorKind, Result};

/// Asked now and then while a caller waits; true means that the caller gave up.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// With Tokio's 2 MiB a query of about 100 OR terms overflows the stack, which aborts the process.
/// The memory is only reserved until a query needs it.
const STACK: usize = 32 << 20;

/// How long a Ctrl-C may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// How long the threads may take to end after the last session was closed. Only a blocking call can take longer.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// A handle to the engine thread; the runtime ends with the last one.
#[derive(Clone)]
pub struct Engine {
    handle: Handle,
    interrupt: Arc<OnceLock<Interrupt>>,
    /// The process that has the threads: they are not copied by a fork.
    process: u32,
    _alive: Arc<oneshot::Sender<()>>,
}

/// What is done again and again.
pub struct Repeated(JoinHandle<()>);

impl Repeated {
    /// Ends it, and waits until nothing of it is under way.
    pub async fn end(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Drop for Repeated {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Engine")
    }
}

impl Engine {
    /// Starts the thread and its runtime.
    pub fn start() -> Result<Self> {
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
                // Joins the threads. If a thread ends while glibc detaches it, glibc can read its stack after it is unmapped and crash.
                runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
            })
            .map_err(failed)?;
        let interrupt = Arc::new(OnceLock::new());
        Ok(Self { handle, interrupt, process: std::process::id(), _alive: Arc::new(alive) })
    }

    /// Refuses a process that was forked from the one with the engine: it would wait for ever.
    pub fn check_process(&self) -> Result<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        let text = "cannot use a session in a forked process: its threads are those of the parent";
        Err(Error::new(ErrorKind::Argument, text)
            .with_hint("open the session in the child; in Python's multiprocessing, the start method `spawn` is safer"))
    }

    /// The runtime.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Sets what is asked while a caller waits. Only the first call counts.
    pub fn on_wait(&self, interrupt: Interrupt) {
        let _ = self.interrupt.set(interrupt);
    }

    pub(super) fn interrupted(&self) -> bool {
        self.interrupt.get().is_some_and(|interrupt| interrupt())
    }

    /// Runs a future on the engine and waits for its result.
    pub fn run<T: Send + 'static>(&self, future: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
        self.check_process()?;
        let (answer, wait) = channel();
        #[expect(clippy::disallowed_methods, reason = "the engine spawns")]
        let task = self.handle.spawn(async move {
            // The caller may have gone: nobody is left to tell.
            let _ = answer.send(future.await);
        });
        self.wait(&wait, || {
            task.abort();
            Some(cancelled())
        })?
    }

    /// Runs a blocking closure on a thread of its own and waits for its result, also when the caller gives up: then
    /// `stop` is set, and nothing goes on behind the caller's back.
    pub fn run_blocking<T: Send + 'static>(
        &self,
        stop: &AtomicBool,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.check_process()?;
        let (answer, wait) = channel();
        thread(move || {
            let _ = answer.send(work());
        })?;
        self.wait(&wait, || {
            stop.store(true, Ordering::Relaxed);
            None
        })?
    }

    /// Does something again and again, each time after a pause, until the answer ends or is dropped.
    pub fn every<F: Future<Output = ()> + Send>(
        &self,
        pause: Duration,
        act: impl Fn() -> F + Send + 'static,
    ) -> Repeated {
        #[expect(clippy::disallowed_methods, reason = "the engine spawns")]
        Repeated(self.handle.spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                act().await;
            }
        }))
    }

    /// Lets time pass, unless the caller gives up.
    pub fn pause(&self, time: Duration) -> Result<()> {
        let until = Instant::now() + time;
        loop {
            self.check_process()?;
            if self.interrupted() {
                return Err(cancelled());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(TICK));
        }
    }

    /// Runs a stream on a thread of its own; the consumer pulls, two items ahead at most. The stream is dropped, and with
    /// it its work ends, when the consumer gives up or is dropped.
    pub fn pull<T: Send + 'static>(&self, stream: impl Stream<Item = Result<T>> + Send + 'static) -> Result<Pulled<T>> {
        self.check_process()?;
        let (give, take) = sync_channel(2);
        let (stop, mut stopped) = oneshot::channel::<()>();
        let handle = self.handle.clone();
        thread(move || {
            handle.block_on(async move {
                let mut stream = pin!(stream);
                loop {
                    let item = tokio::select! {
                        biased;
                        _ = &mut stopped => return,
                        item = stream.next() => item,
                    };
                    let last = !matches!(item, Some(Ok(_)));
                    if give.send(item).is_err() || last {
                        return;
                    }
                }
            });
        })?;
        Ok(Pulled { take, engine: self.clone(), stop: Some(stop) })
    }

    /// Waits for an answer. `give_up` is called at each look at which the caller wants to stop; its error ends the wait.
    fn wait<T>(&self, wait: &Receiver<T>, give_up: impl Fn() -> Option<Error>) -> Result<T> {
        loop {
            match wait.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) if self.interrupted() => {
                    if let Some(error) = give_up() {
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

/// Items from a stream that runs on a thread of its own.
pub struct Pulled<T> {
    take: Receiver<Option<Result<T>>>,
    engine: Engine,
    /// Dropping it stops the stream; none after the last item.
    stop: Option<oneshot::Sender<()>>,
}

impl<T> Pulled<T> {
    /// The next item as the stream gave it; `None` at its end, an error when it is lost or not wanted any more.
    fn wait(&self) -> Option<Result<T>> {
        if let Err(error) = self.engine.check_process() {
            return Some(Err(error));
        }
        // A stream that panicked says no end: a part of the rows must not pass for all of them.
        self.engine.wait(&self.take, || Some(cancelled())).unwrap_or_else(|error| Some(Err(error)))
    }
}

impl<T> Iterator for Pulled<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.stop.as_ref()?;
        let item = self.wait();
        if !matches!(item, Some(Ok(_))) {
            self.stop = None;
        }
        item
    }
}

fn thread(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = std::thread::Builder::new().name("tracelake-call".into()).stack_size(STACK).spawn(work);
    spawned.map(|_| ()).map_err(|e| Error::new(ErrorKind::Exhausted, "cannot start a thread").with_source(e))
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "stopped by the user")
}

fn gone() -> Error {
    Error::new(ErrorKind::Internal, "the engine stopped during a query: this is a bug")
        .with_hint("please report it with the call that shows it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_panics_is_an_error_and_no_early_end() {
        let engine = Engine::start().unwrap();
        let items = futures::stream::iter(0..2).map(|n| if n == 0 { Ok(n) } else { panic!("made for a test") });
        let items: Vec<Result<i32>> = engine.pull(items).unwrap().collect();
        assert_eq!(items.len(), 2);
        assert_eq!(items[0].as_ref().unwrap(), &0);
        assert_eq!(items[1].as_ref().unwrap_err().kind(), ErrorKind::Internal);
        let items: Vec<Result<i32>> = engine.pull(futures::stream::iter([Ok(1), Ok(2)])).unwrap().collect();
        assert_eq!(items.into_iter().collect::<Result<Vec<_>>>().unwrap(), [1, 2]);
    }

    #[test]
    fn a_stream_ends_when_nobody_pulls_any_more() {
        struct Noted(std::sync::mpsc::Sender<()>);
        impl Drop for Noted {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let engine = Engine::start().unwrap();
        let (dropped, noted) = channel();
        let held = Noted(dropped);
        let pulled = engine
            .pull(futures::stream::pending::<Result<i32>>().inspect(move |_| {
                let _ = &held;
            }))
            .unwrap();
        assert!(noted.recv_timeout(Duration::from_millis(200)).is_err(), "it waits for its first item");
        drop(pulled);
        noted.recv_timeout(Duration::from_mins(5)).expect("guard against hanging: the stream is not dropped");
    }
}
