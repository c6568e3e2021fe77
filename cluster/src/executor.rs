//! The process that runs tasks.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;

use crate::engine::StageEngine;
use crate::settings::ExecutorSettings;
use crate::{MESSAGE_BYTES, travel};

/// Seconds between two heartbeats.
const HEARTBEAT_SECONDS: u64 = 2;

/// Seconds between two searches for files that can be removed.
const CLEANUP_SECONDS: u64 = 600;

/// Seconds to wait for the scheduler.
const CONNECT_SECONDS: u16 = 60;

/// Runs until SIGTERM or Ctrl-C. Then it waits for running tasks.
pub(crate) async fn run(settings: ExecutorSettings) -> Result<()> {
    let ports = [0, 1, 2].map(|n| settings.port.checked_add(n));
    let [Some(row_port), Some(task_port), Some(probe_port)] = ports else {
        return Err(BallistaError::Configuration(format!("port {} has no two after it", settings.port)));
    };
    // Files that an earlier executor with the same port left in this folder are no longer needed.
    let folder = settings.folder.unwrap_or_else(std::env::temp_dir).join(format!("tracelake-executor-{row_port}"));
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
        port: row_port,
        grpc_port: task_port,
        scheduler_host: settings.scheduler.0,
        scheduler_port: settings.scheduler.1,
        scheduler_connect_timeout_seconds: CONNECT_SECONDS,
        vcores: settings.cores.unwrap_or(0),
        task_scheduling_policy: TaskSchedulingPolicy::PushStaged,
        executor_heartbeat_interval_seconds: HEARTBEAT_SECONDS,
        memory_pool_size: settings.memory.map(|mebibytes| mebibytes << 20),
        work_dir: Some(folder),
        job_data_ttl_seconds: settings.keep_hours * 3600,
        job_data_clean_up_interval_seconds: CLEANUP_SECONDS,
        grpc_max_decoding_message_size: MESSAGE_BYTES,
        grpc_max_encoding_message_size: MESSAGE_BYTES,
        override_execution_engine: Some(Arc::new(StageEngine::default())),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
        override_config_producer: Some(Arc::new(travel::config)),
        override_runtime_producer: Some(Arc::new(move |config| travel::runtime(config, Some(&spill)))),
        health: health.clone(),
        ..ExecutorProcessConfig::default()
    };
    let listener = tokio::net::TcpListener::bind((settings.bind.as_str(), probe_port)).await?;
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
