//! Where sessions ask: a plan comes by HTTP, and its rows go back as an Arrow IPC stream.
//!
//! So a session needs one address, no Ballista, and no way to the executors; and the port on which a plan may be anything stays
//! within the cluster.

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
use tracelake::session::cluster::{About, Failure, Job, task_error};
use tracelake::{Error, ErrorKind};

use crate::fetch::fetch;
use crate::{reason, travel};

pub(crate) type Scheduler = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Times that a question is run while executors are lost. Ballista 55 can repair a job itself, and counts rows of a lost executor
/// twice: so a job that lost one is given up, and the question is run from its beginning.
const TRIES: usize = 5;

/// How the scheduler begins when it cannot cut a plan into stages.
const NO_STAGES: &str = "Error planning job";

/// What answers sessions.
pub(crate) struct Gateway {
    scheduler: Scheduler,
    /// How long an executor may be silent.
    dead_after: Duration,
    /// How long a question waits for an executor.
    patience: Duration,
    /// Executors that were lost so far.
    losses: watch::Receiver<usize>,
}

impl Gateway {
    pub(crate) async fn new(
        scheduler: Scheduler,
        dead_after: Duration,
        patience: Duration,
    ) -> BallistaResult<Arc<Self>> {
        let (lost, losses) = watch::channel(0);
        let mut events = scheduler.cluster_state_events().await?;
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                if let ClusterStateEvent::RemovedExecutor { executor_id } = event {
                    log::warn!("executor {executor_id} is gone");
                    lost.send_modify(|lost| *lost += 1);
                }
            }
        });
        Ok(Arc::new(Self { scheduler, dead_after, patience, losses }))
    }

    pub(crate) fn routes(self: Arc<Self>, most: usize) -> Router {
        Router::new()
            .route(About::PATH, get(about))
            .route(About::JOBS, post(answer))
            .route("/healthz", get(|| async { "ok\n" }))
            .route("/readyz", get(ready))
            .layer(DefaultBodyLimit::max(most))
            .with_state(self)
    }

    /// Cores of the executors that are there.
    async fn cores(&self) -> usize {
        let known = self.scheduler.state.executor_manager.get_executors_state().await.unwrap_or_default();
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let is_alive = |told: &Option<Duration>| told.is_some_and(|told| now.saturating_sub(told) < self.dead_after);
        let alive = known.iter().filter(|(_, told, _)| is_alive(told));
        alive.map(|(executor, ..)| executor.specification.vcores as usize).sum()
    }

    /// Waits until there is an executor.
    async fn executors(&self) -> std::result::Result<(), Failure> {
        let begun = Instant::now();
        while self.cores().await == 0 {
            if begun.elapsed() >= self.patience {
                let error = Error::new(ErrorKind::Unreachable, "the cluster has no executor")
                    .with_hint("see that `tracelake-cluster executor` runs, and that it reaches the scheduler");
                return Err(Failure::from(&error));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }
}

async fn about(State(gateway): State<Arc<Gateway>>) -> Json<About> {
    Json(About::new(gateway.cores().await))
}

async fn ready(State(gateway): State<Arc<Gateway>>) -> Response {
    match gateway.cores().await {
        0 => (StatusCode::SERVICE_UNAVAILABLE, "there is no executor\n").into_response(),
        cores => format!("{cores} cores\n").into_response(),
    }
}

async fn answer(State(gateway): State<Arc<Gateway>>, body: Bytes) -> Response {
    match rows(gateway, &body).await {
        Ok(rows) => rows,
        Err(failure) => (StatusCode::UNPROCESSABLE_ENTITY, Json(failure)).into_response(),
    }
}

async fn rows(gateway: Arc<Gateway>, body: &[u8]) -> std::result::Result<Response, Failure> {
    let question = Arc::new(Question::read(body)?);
    let mut tries = TRIES;
    let run = question.run(&gateway, &mut tries).await?;
    let (give, take) = mpsc::channel(2);
    tokio::spawn(async move {
        if let Err(failure) = hand_over(&gateway, &question, run, &mut tries, &give).await {
            // The session sees an answer that breaks off.
            let _ = give.send(Err(std::io::Error::other(Error::from(failure).to_string()))).await;
        }
    });
    let chunks = futures::stream::unfold(take, |mut take| async move { Some((take.recv().await?, take)) });
    Ok(Body::from_stream(chunks).into_response())
}

/// A plan, and what it is run with.
struct Question {
    context: Arc<SessionContext>,
    plan: Arc<dyn ExecutionPlan>,
}

impl Question {
    fn read(body: &[u8]) -> std::result::Result<Self, Failure> {
        let (job, plan) = Job::read(body).map_err(|error| Failure::from(&error))?;
        Self::decoded(job, &plan).map_err(|error| Failure::from(&task_error(&error)))
    }

    fn decoded(job: Job, plan: &[u8]) -> Result<Self> {
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
        only_reads(&plan)?;
        Ok(Self { context, plan })
    }

    /// Has the plan run without the loss of an executor, and says where its rows are.
    async fn run(&self, gateway: &Arc<Gateway>, tries: &mut usize) -> std::result::Result<Run, Failure> {
        loop {
            *tries = tries.saturating_sub(1);
            let failure = match self.once(gateway).await? {
                Ended::Whole(run) => return Ok(run),
                Ended::Lost(failure) => failure,
            };
            if *tries == 0 {
                return Err(failure);
            }
            log::warn!("a question is run once more, since executors were lost");
        }
    }

    async fn once(&self, gateway: &Arc<Gateway>) -> std::result::Result<Ended, Failure> {
        gateway.executors().await?;
        let mut losses = gateway.losses.clone();
        losses.mark_unchanged();
        let (subscriber, mut told) = mpsc::channel(16);
        let (context, plan) = (Arc::clone(&self.context), Arc::clone(&self.plan));
        let id = gateway.scheduler.submit_physical_plan("tracelake", context, plan, Some(subscriber)).await;
        let internal = |text: String| Failure::from(&Error::new(ErrorKind::Internal, text));
        let id = id.map_err(|error| internal(format!("the scheduler did not take the plan: {error}")))?;
        let mut run = Run { id, gateway: Arc::clone(gateway), ended: false, locations: Vec::new() };
        loop {
            let status = tokio::select! {
                biased;
                Ok(()) = losses.changed() => return Ok(Ended::Lost(lost())),
                status = told.recv() => status,
            };
            let Some(status) = status else {
                return Err(internal("the scheduler stopped before the answer".to_owned()));
            };
            match status.status {
                Some(job_status::Status::Failed(failed)) => {
                    run.ended = true;
                    if reason::is_loss(&failed.error) {
                        return Ok(Ended::Lost(lost()));
                    }
                    return Err(said(&failed.error));
                }
                Some(job_status::Status::Successful(done)) => {
                    run.ended = true;
                    run.locations = done.partition_location;
                    return Ok(Ended::Whole(run));
                }
                _ => {}
            }
        }
    }
}

/// How a job ended.
enum Ended {
    Whole(Run),
    /// Executors went away meanwhile; what to say if that goes on.
    Lost(Failure),
}

fn lost() -> Failure {
    let error = Error::new(ErrorKind::Unreachable, "the cluster lost executors again and again")
        .with_hint("see in their logs why they end, such as for want of memory");
    Failure::from(&error)
}

/// A plan comes from whoever reaches the port: it may read Parquet, and write nothing.
fn only_reads(plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
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

/// What the scheduler says about a job that failed.
fn said(text: &str) -> Failure {
    log::warn!("a job failed: {text}");
    reason::read(text).unwrap_or_else(|| {
        let undistributable = text.starts_with(NO_STAGES);
        let what = if undistributable {
            "the cluster cannot answer this question: it cannot cut the plan into stages"
        } else {
            "the cluster did not answer: a task failed again and again"
        };
        let kind = if undistributable { ErrorKind::Query } else { ErrorKind::Unreachable };
        let error = Error::new(kind, what).with_context("cause", text.lines().next().unwrap_or_default());
        let mut failure = Failure::from(&error);
        failure.undistributable = undistributable;
        failure
    })
}

/// A job; it is cancelled when nobody waits for it any more, and its rows are removed when they were read.
struct Run {
    id: JobId,
    gateway: Arc<Gateway>,
    ended: bool,
    locations: Vec<PartitionLocation>,
}

impl Drop for Run {
    fn drop(&mut self) {
        let (gateway, id) = (Arc::clone(&self.gateway), self.id.clone());
        if self.ended {
            gateway.scheduler.state.executor_manager.clean_up_job_data(id);
        } else {
            tokio::spawn(async move { gateway.scheduler.cancel_job(id).await });
        }
    }
}

type Give = mpsc::Sender<std::result::Result<Bytes, std::io::Error>>;

/// Sends the rows; if they are gone before any was sent, the plan is run once more.
async fn hand_over(
    gateway: &Arc<Gateway>,
    question: &Question,
    mut run: Run,
    tries: &mut usize,
    give: &Give,
) -> std::result::Result<(), Failure> {
    loop {
        let mut sent = false;
        let error = match send(&run.locations, question.plan.schema(), give, &mut sent).await {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        if sent || *tries == 0 {
            return Err(Failure::from(&task_error(&error)));
        }
        log::warn!("job {} is run once more: its rows are gone: {error}", run.id);
        run = question.run(gateway, tries).await?;
    }
}

async fn send(locations: &[PartitionLocation], schema: SchemaRef, give: &Give, sent: &mut bool) -> Result<()> {
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
            *sent = true;
            if give.send(Ok(std::mem::take(out.get_mut()).into())).await.is_err() {
                return Ok(()); // nobody reads any more
            }
        }
    }
    let mut out = match writer {
        Some(out) => out,
        None => StreamWriter::try_new(Vec::new(), &schema)?,
    };
    out.finish()?;
    // Nobody reads any more, or all has been read.
    let _ = give.send(Ok(std::mem::take(out.get_mut()).into())).await;
    Ok(())
}
