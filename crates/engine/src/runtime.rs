//! The thread that owns the Tokio runtime, and the calls that block until work on it is done.
//!
//! A caller may be a plain thread, a thread of another Tokio runtime (where `block_on` would
//! panic), or Python without the GIL. So the engine spawns work onto its own runtime and returns
//! the result through a plain channel. A panic in a query closes the channel and becomes an error.
//!
//! A caller that cancels stops the work too: the engine aborts a future and drops a stream. It sets
//! the stop flag of a blocking closure and waits for the closure to return.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures::{Stream, StreamExt};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle, JoinSet};
use tracelake_lake::TASK_TARGET;
use tracing::Instrument;

use crate::error::{Error, ErrorKind, Result};

/// Polled while a caller waits. Returns true to cancel the call.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Stack size of each thread in bytes. With Tokio's 2 MiB, a query of about 100 OR terms overflows
/// the stack, which aborts the process. The memory is only reserved until a query needs it.
const STACK_BYTES: usize = 32 << 20;

/// Time between two calls of the interrupt function.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long the threads may take to end after the last session is closed. Only a blocking call can
/// take longer.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// A handle to the engine thread; the runtime ends with the last one.
#[derive(Clone)]
pub struct Engine {
    handle: Handle,
    interrupt: Arc<OnceLock<Interrupt>>,
    /// Id of the process that has the threads. A fork does not copy them.
    process: u32,
    _alive: Arc<oneshot::Sender<()>>,
}

/// A task that runs periodically until it is stopped or dropped.
pub struct PeriodicTask(JoinHandle<()>);

impl PeriodicTask {
    /// Stops the task and waits until it has ended.
    pub async fn end(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Drop for PeriodicTask {
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
            .thread_stack_size(STACK_BYTES)
            .build()
            .map_err(failed)?;
        let handle = runtime.handle().clone();
        let (alive, all_dropped) = oneshot::channel::<()>();
        std::thread::Builder::new()
            .name("tracelake-engine".into())
            .spawn(move || {
                // Ends when the last `Engine` is dropped; the runtime is dropped on this thread
                // too.
                let _ = runtime.block_on(all_dropped);
                // Joins the threads. If a thread ends while glibc detaches it, glibc can read its
                // stack after it is unmapped and crash.
                runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
            })
            .map_err(failed)?;
        let interrupt = Arc::new(OnceLock::new());
        Ok(Self { handle, interrupt, process: std::process::id(), _alive: Arc::new(alive) })
    }

    /// Returns an error in a process that was forked from the one with the engine: there, each call
    /// would wait forever.
    pub fn check_process(&self) -> Result<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        let text = "cannot use a session in a forked process: its threads are those of the parent";
        Err(Error::new(ErrorKind::Argument, text)
            .with_hint("open the session in the child; in Python's multiprocessing, the start method `spawn` is safer"))
    }

    /// The handle of the Tokio runtime.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Sets the function that is polled while a caller waits. Later calls have no effect.
    pub fn set_interrupt(&self, interrupt: Interrupt) {
        let _ = self.interrupt.set(interrupt);
    }

    fn interrupted(&self) -> bool {
        self.interrupt.get().is_some_and(|interrupt| interrupt())
    }

    /// Runs a future on the engine and waits for its result.
    pub fn run<T: Send + 'static>(&self, future: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
        self.check_process()?;
        let (sender, receiver) = channel();
        #[expect(clippy::disallowed_methods, reason = "the engine spawns")]
        let task = self.handle.spawn(async move {
            // Fails if the caller has cancelled: then the result is not needed.
            let _ = sender.send(future.await);
        });
        self.wait(&receiver, || {
            task.abort();
            Some(cancelled())
        })?
    }

    /// Runs a blocking closure on its own thread and waits for its result. When the caller cancels,
    /// the engine sets `stop` and still waits, so that no work continues after the call.
    pub fn run_blocking<T: Send + 'static>(
        &self,
        stop: &AtomicBool,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.check_process()?;
        let (sender, receiver) = channel();
        spawn_thread(move || {
            let _ = sender.send(work());
        })?;
        self.wait(&receiver, || {
            stop.store(true, Ordering::Relaxed);
            None
        })?
    }

    /// Runs an action periodically, each time after a pause, until the returned task is stopped or
    /// dropped.
    pub fn run_periodically<F: Future<Output = ()> + Send>(
        &self,
        pause: Duration,
        action: impl Fn() -> F + Send + 'static,
    ) -> PeriodicTask {
        #[expect(clippy::disallowed_methods, reason = "the engine spawns")]
        PeriodicTask(self.handle.spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                action().await;
            }
        }))
    }

    /// Sleeps, unless the caller cancels.
    pub fn pause(&self, time: Duration) -> Result<()> {
        let end = Instant::now() + time;
        loop {
            self.check_process()?;
            if self.interrupted() {
                return Err(cancelled());
            }
            let remaining = end.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Ok(());
            }
            std::thread::sleep(remaining.min(POLL_INTERVAL));
        }
    }

    /// Runs a stream on its own thread, at most two items ahead of the consumer. Dropping the
    /// returned iterator, or cancelling, drops the stream and so ends its work.
    pub fn pull<T: Send + 'static>(
        &self,
        stream: impl Stream<Item = Result<T>> + Send + 'static,
    ) -> Result<PulledStream<T>> {
        self.check_process()?;
        let (sender, receiver) = sync_channel(2);
        let (stop, mut stopped) = oneshot::channel::<()>();
        let handle = self.handle.clone();
        spawn_thread(move || {
            handle.block_on(async move {
                let mut stream = pin!(stream);
                loop {
                    let item = tokio::select! {
                        biased;
                        _ = &mut stopped => return,
                        item = stream.next() => item,
                    };
                    let is_last = !matches!(item, Some(Ok(_)));
                    if sender.send(item).is_err() || is_last {
                        return;
                    }
                }
            });
        })?;
        Ok(PulledStream { receiver, engine: self.clone(), stop: Some(stop) })
    }

    /// Waits for a result. Calls `cancel` each time the interrupt function returns true; an error
    /// from it ends the wait.
    fn wait<T>(&self, receiver: &Receiver<T>, cancel: impl Fn() -> Option<Error>) -> Result<T> {
        loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) if self.interrupted() => {
                    if let Some(error) = cancel() {
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(engine_stopped()),
            }
        }
    }
}

/// An iterator over the items of a stream that runs on its own thread.
pub struct PulledStream<T> {
    receiver: Receiver<Option<Result<T>>>,
    engine: Engine,
    /// Dropping it stops the stream. `None` after the last item.
    stop: Option<oneshot::Sender<()>>,
}

impl<T> Iterator for PulledStream<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.stop.as_ref()?;
        // A stream that panicked sends no end. It must be an error, or else some of the rows would
        // pass for all of them.
        let item = self.engine.check_process().and_then(|()| self.engine.wait(&self.receiver, || Some(cancelled())));
        let item = item.unwrap_or_else(|error| Some(Err(error)));
        if !matches!(item, Some(Ok(_))) {
            self.stop = None;
        }
        item
    }
}

/// Runs futures at the same time on the threads of the engine, and returns their results in the order of the futures.
/// Dropping the returned future ends all of them. Without a runtime, they run one after the other.
pub async fn run_together<T: Send + 'static>(
    futures: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    if Handle::try_current().is_err() {
        return futures::stream::iter(futures).then(|future| future).collect().await;
    }
    let mut tasks = JoinSet::new();
    for (index, future) in futures.into_iter().enumerate() {
        let task = async move { (index, future.await) };
        tasks.spawn(task.instrument(tracing::info_span!(target: TASK_TARGET, "task")));
    }
    let mut results = Vec::new();
    while let Some(result) = tasks.join_next().await {
        match result.map_err(JoinError::try_into_panic) {
            Ok(result) => results.push(result),
            Err(Ok(panic)) => std::panic::resume_unwind(panic),
            // The runtime ends, and this future with it.
            Err(Err(_)) => std::future::pending().await,
        }
    }
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn spawn_thread(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = std::thread::Builder::new().name("tracelake-call".into()).stack_size(STACK_BYTES).spawn(work);
    spawned.map(|_| ()).map_err(|e| Error::new(ErrorKind::Exhausted, "cannot start a thread").with_source(e))
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "stopped by the user")
}

fn engine_stopped() -> Error {
    Error::new(ErrorKind::Internal, "the engine stopped during a query: this is a bug")
        .with_hint("please report it with the call that shows it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_stream_is_an_error_and_not_an_early_end() {
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
    fn results_of_futures_that_run_together_are_in_order() {
        let squares = |n: u64| async move {
            tokio::time::sleep(Duration::from_millis(10 * (3 - n))).await;
            n * n
        };
        let run = move || async move { Ok(run_together((0..3).map(squares)).await) };
        assert_eq!(Engine::start().unwrap().run(run()).unwrap(), [0, 1, 4]);
        let ready = (0..3).map(|n| async move { n });
        assert_eq!(futures::executor::block_on(run_together(ready)), [0, 1, 2], "without a runtime");
    }

    #[test]
    fn dropping_the_iterator_drops_the_stream() {
        struct NotifyOnDrop(std::sync::mpsc::Sender<()>);
        impl Drop for NotifyOnDrop {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let engine = Engine::start().unwrap();
        let (sender, dropped) = channel();
        let guard = NotifyOnDrop(sender);
        let items = engine
            .pull(futures::stream::pending::<Result<i32>>().inspect(move |_| {
                let _ = &guard;
            }))
            .unwrap();
        assert!(dropped.recv_timeout(Duration::from_millis(200)).is_err(), "it waits for its first item");
        drop(items);
        dropped.recv_timeout(Duration::from_mins(5)).expect("guard against hanging: the stream is not dropped");
    }
}
