//! `tracelake-cluster`: a scheduler and executors that answer questions of sessions which were opened with `cluster=`.
//!
//! Sessions plan their questions and send the plans (`tracelake::session::cluster`); here they are cut into stages and run by Apache
//! DataFusion Ballista. docs/cluster.md is for those who run it.

mod engine;
mod executor;
mod fetch;
mod gateway;
mod reason;
mod scheduler;
mod settings;
mod stop;
mod travel;

use std::process::ExitCode;

use ballista_core::error::Result;

use crate::settings::{Role, Standalone};

/// Plans carry the parts that they read: 100,000 of them are some 30 MB.
const MESSAGE_BYTES: u32 = 256 << 20;

/// Plans are nested deeply, and Ballista's threads take the size of their stacks from here alone.
const STACK: (&str, &str) = ("RUST_MIN_STACK", "33554432");

/// What is logged unless `RUST_LOG` says otherwise: Ballista writes whole plans where it only informs.
const LOG: &str = "warn,tracelake_cluster=info";

fn main() -> ExitCode {
    if std::env::var_os(STACK.0).is_none() {
        return again();
    }
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(LOG)).init();
    let role = match settings::settings(std::env::args_os()) {
        Ok(role) => role,
        Err(error) => error.exit(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    match runtime.block_on(run(role)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// This program once more, with larger stacks.
fn again() -> ExitCode {
    let own = match std::env::current_exe() {
        Ok(own) => own,
        Err(error) => return failed(&error),
    };
    let mut command = std::process::Command::new(own);
    command.args(std::env::args_os().skip(1)).env(STACK.0, STACK.1);
    #[cfg(unix)]
    return failed(&std::os::unix::process::CommandExt::exec(&mut command));
    #[cfg(not(unix))]
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

async fn run(role: Role) -> Result<()> {
    match role {
        Role::Scheduler(settings) => scheduler::run(settings).await,
        Role::Executor(settings) => executor::run(settings).await,
        Role::Standalone(settings) => {
            let Standalone { scheduler, executor } = settings.parts();
            tokio::select! {
                ended = scheduler::run(scheduler) => ended,
                ended = executor::run(executor) => ended,
            }
        }
    }
}
