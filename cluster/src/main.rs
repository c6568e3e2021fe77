//! `tracelake-cluster`: a scheduler and executors that run the queries of sessions with the option
//! `cluster`.
//!
//! Sessions plan queries and send the plans (`tracelake::session::cluster`). Apache DataFusion
//! Ballista divides the plans into stages and executes them here. docs/cluster.md explains how to
//! run a cluster.

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

use crate::settings::ProcessRole;

/// Maximum size of a message in bytes. A plan lists the data files that it reads: 100,000 of them
/// are about 30 MB.
const MESSAGE_BYTES: u32 = 256 << 20;

/// The environment variable for the stack size of threads, and its value. Plans are nested deeply,
/// and there is no other setting for the threads of Ballista.
const STACK_SETTING: (&str, &str) = ("RUST_MIN_STACK", "33554432");

/// The log filter without `RUST_LOG`. At level `info`, Ballista logs whole plans.
const DEFAULT_LOG_FILTER: &str = "warn,tracelake_cluster=info";

fn main() -> ExitCode {
    start().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Runs the role that the arguments name.
fn start() -> std::result::Result<ExitCode, Box<dyn std::error::Error>> {
    if std::env::var_os(STACK_SETTING.0).is_none() {
        return Ok(restart_with_stack()?);
    }
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(DEFAULT_LOG_FILTER)).init();
    let role = settings::parse_settings(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(role))?;
    Ok(ExitCode::SUCCESS)
}

/// Restarts this program with larger stacks.
fn restart_with_stack() -> std::io::Result<ExitCode> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).env(STACK_SETTING.0, STACK_SETTING.1);
    #[cfg(unix)]
    return Err(std::os::unix::process::CommandExt::exec(&mut command));
    #[cfg(not(unix))]
    Ok(ExitCode::from(command.status()?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

async fn run(role: ProcessRole) -> Result<()> {
    match role {
        ProcessRole::Scheduler(settings) => scheduler::run(settings).await,
        ProcessRole::Executor(settings) => executor::run(settings).await,
        ProcessRole::Standalone(settings) => {
            let (scheduler, executor) = settings.parts();
            tokio::select! {
                ended = scheduler::run(scheduler) => ended,
                ended = executor::run(executor) => ended,
            }
        }
    }
}
