//! The HTTP server for sessions: it receives a plan and returns the rows as an Arrow IPC stream.
//!
//! So a session needs only one address, without Ballista and without connections to executors. The
//! port of Ballista, which accepts any plan, stays within the cluster.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use ballista_core::JobId;
use ballista_core::error::Result as BallistaResult;
use ballista_core::serde::BallistaPhysicalExtensionCodec;
use ballista_core::serde::protobuf::{PartitionLocation, job_status};
use ballista_scheduler::cluster::ClusterStateEvent;
use ballista_scheduler::scheduler_server::SchedulerServer;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::physical_plan::{FileScanConfig, ParquetSource};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::StreamExt;
use tokio::sync::{mpsc, watch};
use tracelake::session::cluster::{ClusterFailure, ClusterInfo, ClusterJob, task_error};
use tracelake::{Error, ErrorKind};

use crate::fetch::fetch;
use crate::{reason, travel};

type GatewayResult<T> = std::result::Result<T, ClusterFailure>;

pub(crate) type BallistaScheduler = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Maximum number of attempts to run a query when executors are lost. Ballista 55 can repair a job
/// itself, but it counts rows of a lost executor twice. So such a job is cancelled, and the query
/// runs again from the start.
const MAX_ATTEMPTS: usize = 5;

/// The prefix of the scheduler's error for a plan that it cannot divide into stages.
const PLANNING_ERROR: &str = "Error planning job";

/// The state of the HTTP server.
pub(crate) struct Gateway {
    scheduler: BallistaScheduler,
    /// Time without a heartbeat after which an executor expires.
    dead_after: Duration,
    /// Time that a query waits for an executor.
    patience: Duration,
    /// Number of executors that were lost so far.
    losses: watch::Receiver<usize>,
}

impl Gateway {
    pub(crate) async fn new(
        scheduler: BallistaScheduler,
        dead_after: Duration,
        patience: Duration,
    ) -> BallistaResult<Arc<Self>> {
        let (loss_sender, losses) = watch::channel(0);
        let mut events = scheduler.cluster_state_events().await?;
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                if let ClusterStateEvent::RemovedExecutor { executor_id } = event {
                    log::warn!("executor {executor_id} is gone");
                    loss_sender.send_modify(|losses| *losses += 1);
                }
            }
        });
        Ok(Arc::new(Self { scheduler, dead_after, patience, losses }))
    }

    pub(crate) fn routes(self: Arc<Self>, max_bytes: usize) -> Router {
        Router::new()
            .route(ClusterInfo::PATH, get(describe))
            .route(ClusterInfo::JOBS, post(execute))
            .route("/healthz", get(|| async { "ok\n" }))
            .route("/readyz", get(ready))
            .layer(DefaultBodyLimit::max(max_bytes))
            .with_state(self)
    }

    /// Number of cores of all executors that have not expired.
    async fn alive_cores(&self) -> usize {
        let known = self.scheduler.state.executor_manager.get_executors_state().await.unwrap_or_default();
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let is_alive =
            |heartbeat: &Option<Duration>| heartbeat.is_some_and(|time| now.saturating_sub(time) < self.dead_after);
        let alive = known.iter().filter(|(_, heartbeat, _)| is_alive(heartbeat));
        alive.map(|(executor, ..)| executor.specification.vcores as usize).sum()
    }

    /// Waits until there is an executor.
    async fn wait_for_executor(&self) -> GatewayResult<()> {
        let start = Instant::now();
        while self.alive_cores().await == 0 {
            if start.elapsed() >= self.patience {
                let error = Error::new(ErrorKind::Unreachable, "the cluster has no executor")
                    .with_hint("see that `tracelake-cluster executor` runs, and that it reaches the scheduler");
                return Err(ClusterFailure::from(&error));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }
}

async fn describe(State(gateway): State<Arc<Gateway>>) -> Json<ClusterInfo> {
    Json(ClusterInfo::new(gateway.alive_cores().await))
}

async fn ready(State(gateway): State<Arc<Gateway>>) -> Response {
    match gateway.alive_cores().await {
        0 => (StatusCode::SERVICE_UNAVAILABLE, "there is no executor\n").into_response(),
        cores => format!("{cores} cores\n").into_response(),
    }
}

async fn execute(State(gateway): State<Arc<Gateway>>, body: Bytes) -> Response {
    match rows(gateway, &body).await {
        Ok(rows) => rows,
        Err(failure) => (StatusCode::UNPROCESSABLE_ENTITY, Json(failure)).into_response(),
    }
}

async fn rows(gateway: Arc<Gateway>, body: &[u8]) -> GatewayResult<Response> {
    let query = Arc::new(ClusterQuery::read(body)?);
    let mut attempts = MAX_ATTEMPTS;
    let run = query.run(&gateway, &mut attempts).await?;
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        if let Err(failure) = stream_rows(&gateway, &query, run, &mut attempts, &sender).await {
            // The session gets an incomplete response.
            let _ = sender.send(Err(std::io::Error::other(Error::from(failure).to_string()))).await;
        }
    });
    let chunks =
        futures::stream::unfold(receiver, |mut receiver| async move { Some((receiver.recv().await?, receiver)) });
    Ok(Body::from_stream(chunks).into_response())
}

/// A plan, and the context to run it in.
struct ClusterQuery {
    context: Arc<SessionContext>,
    plan: Arc<dyn ExecutionPlan>,
}

impl ClusterQuery {
    fn read(body: &[u8]) -> GatewayResult<Self> {
        let (job, plan) = ClusterJob::read(body).map_err(|error| ClusterFailure::from(&error))?;
        Self::decode(job, &plan).map_err(|error| ClusterFailure::from(&task_error(&error)))
    }

    fn decode(job: ClusterJob, plan: &[u8]) -> Result<Self> {
        let mut config = travel::config();
        for (name, value) in &job.settings {
            config.options_mut().set(name, value)?;
        }
        for (option, value) in &job.store {
            config.options_mut().set(&format!("tracelake.store.{option}"), value)?;
        }
        let state = SessionStateBuilder::new_from_existing(travel::state(config)?).with_session_id(job.session).build();
        let context = Arc::new(SessionContext::new_with_state(state));
        let plan = PhysicalPlanNode::try_decode(plan)?;
        let plan = plan.try_into_physical_plan(&context.task_ctx(), &BallistaPhysicalExtensionCodec::default())?;
        check_read_only(&plan)?;
        Ok(Self { context, plan })
    }

    /// Runs the plan until no executor is lost meanwhile. Returns the job, with the locations of
    /// its rows.
    async fn run(&self, gateway: &Arc<Gateway>, attempts: &mut usize) -> GatewayResult<JobRun> {
        loop {
            *attempts = attempts.saturating_sub(1);
            if let Some(run) = self.run_once(gateway).await? {
                return Ok(run);
            }
            if *attempts == 0 {
                let error = Error::new(ErrorKind::Unreachable, "the cluster lost executors again and again")
                    .with_hint("see in their logs why they end, such as for want of memory");
                return Err(ClusterFailure::from(&error));
            }
            log::warn!("a question is run once more, since executors were lost");
        }
    }

    /// Runs the plan. Returns None if executors were lost meanwhile.
    async fn run_once(&self, gateway: &Arc<Gateway>) -> GatewayResult<Option<JobRun>> {
        gateway.wait_for_executor().await?;
        let mut losses = gateway.losses.clone();
        losses.mark_unchanged();
        let (subscriber, mut statuses) = mpsc::channel(16);
        let (context, plan) = (Arc::clone(&self.context), Arc::clone(&self.plan));
        let id = gateway.scheduler.submit_physical_plan("tracelake", context, plan, Some(subscriber)).await;
        let internal = |text: String| ClusterFailure::from(&Error::new(ErrorKind::Internal, text));
        let id = id.map_err(|error| internal(format!("the scheduler did not take the plan: {error}")))?;
        let mut run = JobRun { id, gateway: Arc::clone(gateway), ended: false, locations: Vec::new() };
        loop {
            let status = tokio::select! {
                biased;
                Ok(()) = losses.changed() => return Ok(None),
                status = statuses.recv() => status,
            };
            let Some(status) = status else {
                return Err(internal("the scheduler stopped before the answer".to_owned()));
            };
            match status.status {
                Some(job_status::Status::Failed(failed)) => {
                    run.ended = true;
                    return if reason::is_loss(&failed.error) { Ok(None) } else { Err(job_failure(&failed.error)) };
                }
                Some(job_status::Status::Successful(successful)) => {
                    run.ended = true;
                    run.locations = successful.partition_location;
                    return Ok(Some(run));
                }
                _ => {}
            }
        }
    }
}

/// Returns an error if a plan writes, or reads other files than Parquet. Any program that connects
/// to the port can send a plan.
fn check_read_only(plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
    let other = plan.exists(|node| {
        let Some(scan) = node.downcast_ref::<DataSourceExec>() else { return Ok(node.is::<DataSinkExec>()) };
        let reads_files = scan.data_source().is::<FileScanConfig>();
        Ok(reads_files && scan.downcast_to_file_source::<ParquetSource>().is_none())
    })?;
    if other {
        let text = "this plan writes, or reads other files than Parquet: a cluster does not run it";
        return Err(DataFusionError::External(Box::new(Error::new(ErrorKind::Query, text))));
    }
    Ok(())
}

/// Converts the scheduler's error for a failed job.
fn job_failure(text: &str) -> ClusterFailure {
    log::warn!("a job failed: {text}");
    reason::decode(text).unwrap_or_else(|| {
        let undistributable = text.starts_with(PLANNING_ERROR);
        let (kind, message) = if undistributable {
            (ErrorKind::Query, "the cluster cannot answer this question: it cannot cut the plan into stages")
        } else {
            (ErrorKind::Unreachable, "the cluster did not answer: a task failed again and again")
        };
        let error = Error::new(kind, message).with_context("cause", text.lines().next().unwrap_or_default());
        let mut failure = ClusterFailure::from(&error);
        failure.undistributable = undistributable;
        failure
    })
}

/// A job. Dropping it cancels a running job, and removes the rows of an ended one.
struct JobRun {
    id: JobId,
    gateway: Arc<Gateway>,
    ended: bool,
    locations: Vec<PartitionLocation>,
}

impl Drop for JobRun {
    fn drop(&mut self) {
        let (gateway, id) = (Arc::clone(&self.gateway), self.id.clone());
        if self.ended {
            gateway.scheduler.state.executor_manager.clean_up_job_data(id);
        } else {
            tokio::spawn(async move { gateway.scheduler.cancel_job(id).await });
        }
    }
}

type ChunkSender = mpsc::Sender<std::result::Result<Bytes, std::io::Error>>;

/// Sends the rows. If they are lost before the first one was sent, it runs the plan again.
async fn stream_rows(
    gateway: &Arc<Gateway>,
    query: &ClusterQuery,
    mut run: JobRun,
    attempts: &mut usize,
    sender: &ChunkSender,
) -> GatewayResult<()> {
    loop {
        let mut has_sent = false;
        let result = send_rows(&run.locations, query.plan.schema(), sender, &mut has_sent).await;
        let Err(error) = result else { return Ok(()) };
        if has_sent || *attempts == 0 {
            return Err(ClusterFailure::from(&task_error(&error)));
        }
        log::warn!("job {} is run once more: its rows are gone: {error}", run.id);
        run = query.run(gateway, attempts).await?;
    }
}

async fn send_rows(
    locations: &[PartitionLocation],
    schema: SchemaRef,
    sender: &ChunkSender,
    has_sent: &mut bool,
) -> Result<()> {
    let mut writer: Option<StreamWriter<Vec<u8>>> = None;
    for location in locations {
        let mut rows = fetch(location.clone()).await?;
        while let Some(batch) = rows.next().await {
            let batch = batch?;
            let out = match &mut writer {
                Some(out) => out,
                none => none.insert(StreamWriter::try_new(Vec::new(), &batch.schema())?),
            };
            out.write(&batch)?;
            *has_sent = true;
            if sender.send(Ok(std::mem::take(out.get_mut()).into())).await.is_err() {
                return Ok(()); // The session has cancelled the query.
            }
        }
    }
    let mut out = writer.map_or_else(|| StreamWriter::try_new(Vec::new(), &schema), Ok)?;
    out.finish()?;
    // Fails if the session has cancelled the query.
    let _ = sender.send(Ok(std::mem::take(out.get_mut()).into())).await;
    Ok(())
}
