//! Waits for the signals that end the process.

/// Waits for SIGTERM or Ctrl-C.
pub(crate) async fn wait_for_signal() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // If no handler can be installed, a signal ends the process anyway.
        let Ok(mut terminated) = signal(SignalKind::terminate()) else { return std::future::pending().await };
        tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
    }
    #[cfg(not(unix))]
    let _ = interrupted.await;
}
