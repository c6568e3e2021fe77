//! A process that runs tasks.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;

use crate::engine::Engine;
use crate::settings::Executor;
use crate::{MESSAGE_BYTES, travel};

/// Seconds between two signs of life.
const HEARTBEAT: u64 = 2;

/// Seconds between two looks at what may be removed.
const CLEANING: u64 = 600;

/// Seconds to wait for the scheduler to be there.
const CONNECT: u16 = 60;

/// Runs until it is told to end; tasks that run then are waited for.
pub(crate) async fn run(settings: Executor) -> Result<()> {
    let ports = [0, 1, 2].map(|n| settings.port.checked_add(n));
    let [Some(rows), Some(tasks), Some(probes)] = ports else {
        return Err(BallistaError::Configuration(format!("port {} has no two after it", settings.port)));
    };
    // A folder of its own: what one with the same port left behind belongs to nobody.
    let folder = settings.folder.unwrap_or_else(std::env::temp_dir).join(format!("tracelake-executor-{rows}"));
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => std::fs::create_dir_all(&folder)?,
    }
    let folder = folder.to_string_lossy().into_owned();
    let state = travel::state(travel::config()).map_err(|error| BallistaError::DataFusionError(Box::new(error)))?;
    let health = ExecutorHealth::new();
    let spill = folder.clone();
    let config = ExecutorProcessConfig {
        external_host: Some(settings.host.unwrap_or_else(|| settings.bind.clone())),
        bind_host: settings.bind.clone(),
        port: rows,
        grpc_port: tasks,
        scheduler_host: settings.scheduler.0,
        scheduler_port: settings.scheduler.1,
        scheduler_connect_timeout_seconds: CONNECT,
        vcores: settings.cores.unwrap_or(0),
        task_scheduling_policy: TaskSchedulingPolicy::PushStaged,
        executor_heartbeat_interval_seconds: HEARTBEAT,
        memory_pool_size: settings.memory.map(|mebibytes| mebibytes << 20),
        work_dir: Some(folder),
        job_data_ttl_seconds: settings.keep_hours * 3600,
        job_data_clean_up_interval_seconds: CLEANING,
        grpc_max_decoding_message_size: MESSAGE_BYTES,
        grpc_max_encoding_message_size: MESSAGE_BYTES,
        override_execution_engine: Some(Arc::new(Engine::default())),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
        override_config_producer: Some(Arc::new(travel::config)),
        override_runtime_producer: Some(Arc::new(move |config| travel::runtime(config, Some(&spill)))),
        health: health.clone(),
        ..ExecutorProcessConfig::default()
    };
    let listener = tokio::net::TcpListener::bind((settings.bind.as_str(), probes)).await?;
    let ready = move || {
        let ready = health.is_ready();
        async move {
            if ready {
                (StatusCode::OK, "ready\n")
            } else {
                (StatusCode::SERVICE_UNAVAILABLE, "the scheduler does not answer\n")
            }
        }
    };
    let probes = Router::new().route("/healthz", get(|| async { "ok\n" })).route("/readyz", get(ready));
    tokio::select! {
        ended = start_executor_process(Arc::new(config)) => ended,
        ended = async { axum::serve(listener, probes).await } => Ok(ended?),
    }
}
