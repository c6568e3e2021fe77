//! A process that takes plans and gives tasks to executors.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::{BallistaError, Result};
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use tokio::net::TcpListener;

use crate::gateway::{self, Gateway};
use crate::settings::Scheduler;
use crate::{MESSAGE_BYTES, stop, travel};

/// Seconds between two looks for dead executors.
const LOOK: u64 = 2;

/// Seconds that the state of a job is kept after its end, for the log alone.
const STATE: u64 = 600;

/// Runs until it is told to end; answers that are on their way then are waited for.
pub(crate) async fn run(settings: Scheduler) -> Result<()> {
    let host = settings.host.clone().unwrap_or_else(|| settings.bind.clone());
    let config = SchedulerConfig {
        external_host: host,
        bind_host: settings.bind.clone(),
        bind_port: settings.executors_port,
        scheduling_policy: TaskSchedulingPolicy::PushStaged,
        executor_timeout_seconds: settings.dead_after,
        expire_dead_executor_interval_seconds: LOOK,
        no_executors_grace_period_seconds: settings.patience,
        grpc_server_max_decoding_message_size: MESSAGE_BYTES,
        grpc_server_max_encoding_message_size: MESSAGE_BYTES,
        grpc_client_max_message_size: MESSAGE_BYTES,
        // The gateway removes what was fetched.
        finished_job_data_clean_up_interval_seconds: settings.keep_hours * 3600,
        finished_job_state_clean_up_interval_seconds: STATE,
        override_config_producer: Some(Arc::new(travel::config)),
        override_session_builder: Some(Arc::new(travel::state)),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let inner = TcpListener::bind((settings.bind.as_str(), settings.executors_port)).await?;
    let outer = TcpListener::bind((settings.bind.as_str(), settings.port)).await?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler: gateway::Scheduler = create_scheduler(cluster, Arc::new(config)).await?;

    let most = MESSAGE_BYTES as usize;
    let grpc =
        SchedulerGrpcServer::new(scheduler.clone()).max_encoding_message_size(most).max_decoding_message_size(most);
    let mut routes = tonic::service::RoutesBuilder::default();
    routes.add_service(grpc);
    let executors = routes.routes().into_axum_router();
    // Ballista wants to know where an executor that names no host calls from.
    let executors = executors.into_make_service_with_connect_info::<std::net::SocketAddr>();
    let executors = async { axum::serve(inner, executors).await };

    log::info!("sessions at df://{}:{}, executors at {}", settings.bind, settings.port, settings.executors_port);
    let gateway =
        Gateway::new(scheduler, Duration::from_secs(settings.dead_after), Duration::from_secs(settings.patience))
            .await?;
    let sessions = async { axum::serve(outer, gateway.routes(most)).with_graceful_shutdown(stop::told()).await };
    let drained = async {
        stop::told().await;
        tokio::time::sleep(Duration::from_secs(settings.drain)).await;
    };
    tokio::select! {
        ended = sessions => ended.map_err(BallistaError::from),
        ended = executors => ended.map_err(BallistaError::from),
        () = drained => Ok(()),
    }
}
