//! The process that receives plans and assigns tasks to executors.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::{BallistaError, Result};
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use tokio::net::TcpListener;

use crate::gateway::{BallistaScheduler, Gateway};
use crate::settings::SchedulerSettings;
use crate::{MESSAGE_BYTES, stop, travel};

/// Seconds between two checks for expired executors.
const EXPIRY_CHECK_SECONDS: u64 = 2;

/// Seconds after the end of a job until its state is removed. Only the log needs the state.
const JOB_STATE_SECONDS: u64 = 600;

/// Runs until SIGTERM or Ctrl-C. Then it waits for running queries, up to `drain`.
pub(crate) async fn run(settings: SchedulerSettings) -> Result<()> {
    let host = settings.host.clone().unwrap_or_else(|| settings.bind.clone());
    let config = SchedulerConfig {
        external_host: host,
        bind_host: settings.bind.clone(),
        bind_port: settings.executors_port,
        scheduling_policy: TaskSchedulingPolicy::PushStaged,
        executor_timeout_seconds: settings.dead_after,
        expire_dead_executor_interval_seconds: EXPIRY_CHECK_SECONDS,
        no_executors_grace_period_seconds: settings.patience,
        grpc_server_max_decoding_message_size: MESSAGE_BYTES,
        grpc_server_max_encoding_message_size: MESSAGE_BYTES,
        grpc_client_max_message_size: MESSAGE_BYTES,
        // The gateway removes rows that were fetched.
        finished_job_data_clean_up_interval_seconds: settings.keep_hours * 3600,
        finished_job_state_clean_up_interval_seconds: JOB_STATE_SECONDS,
        override_config_producer: Some(Arc::new(travel::config)),
        override_session_builder: Some(Arc::new(travel::state)),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let executor_listener = TcpListener::bind((settings.bind.as_str(), settings.executors_port)).await?;
    let session_listener = TcpListener::bind((settings.bind.as_str(), settings.port)).await?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler: BallistaScheduler = create_scheduler(cluster, Arc::new(config)).await?;

    let max_bytes = MESSAGE_BYTES as usize;
    let grpc = SchedulerGrpcServer::new(scheduler.clone())
        .max_encoding_message_size(max_bytes)
        .max_decoding_message_size(max_bytes);
    let mut routes = tonic::service::RoutesBuilder::default();
    routes.add_service(grpc);
    let executors = routes.routes().into_axum_router();
    // Ballista needs the address of an executor that sends no host name.
    let executors = executors.into_make_service_with_connect_info::<std::net::SocketAddr>();
    let executors = async { axum::serve(executor_listener, executors).await };

    log::info!("sessions at df://{}:{}, executors at {}", settings.bind, settings.port, settings.executors_port);
    let gateway =
        Gateway::new(scheduler, Duration::from_secs(settings.dead_after), Duration::from_secs(settings.patience))
            .await?;
    let sessions = axum::serve(session_listener, gateway.routes(max_bytes));
    let sessions = async { sessions.with_graceful_shutdown(stop::wait_for_signal()).await };
    let drained = async {
        stop::wait_for_signal().await;
        tokio::time::sleep(Duration::from_secs(settings.drain)).await;
    };
    tokio::select! {
        ended = sessions => ended.map_err(BallistaError::from),
        ended = executors => ended.map_err(BallistaError::from),
        () = drained => Ok(()),
    }
}
