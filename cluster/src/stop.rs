//! When this process is told to end.

/// Waits for SIGTERM or Ctrl-C.
pub(crate) async fn told() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Where signals cannot be listened to, they end the process.
        let Ok(mut terminated) = signal(SignalKind::terminate()) else { return std::future::pending().await };
        tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
    }
    #[cfg(not(unix))]
    let _ = interrupted.await;
}
