//! The execution engine of an executor. It wraps Ballista's engine with two additions: it reports
//! the error of a task in a format that a session can read, and it reads the footer of a data file
//! with one request.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ballista_core::JobId;
use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::error::{BallistaError, Result as BallistaResult};
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::serde::protobuf::failed_task::FailedReason;
use ballista_core::serde::protobuf::{
    FailedTask, RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_core::utils::GrpcClientConfig;
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use parking_lot::Mutex;

use crate::reason;

/// Bytes at the end of a data file that are read with the footer. It is DataFusion's default, which
/// is not part of a plan.
const FOOTER_BYTES: usize = 512 << 10;

/// Ballista's engine with the two additions.
pub(crate) struct StageEngine(DefaultExecutionEngine);

impl Default for StageEngine {
    fn default() -> Self {
        Self(DefaultExecutionEngine::with_client_pool(Arc::new(ClientPool::default())))
    }
}

impl ExecutionEngine for StageEngine {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        global_output_partition_ids: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let plan = plan.transform_down(with_footer_hint)?.data;
        let ids = global_output_partition_ids;
        let file = first_file(&plan)?;
        let stage = self.0.create_query_stage_exec(job_id, stage_id, task_id, ids, plan, work_dir, config)?;
        Ok(Arc::new(ReportingStage { stage, file }))
    }
}

fn with_footer_hint(node: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let scan = node.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
    let Some((files, source)) = scan else { return Ok(Transformed::no(node)) };
    let source = source.clone().with_metadata_size_hint(FOOTER_BYTES);
    let files = FileScanConfigBuilder::from(files.clone()).with_source(Arc::new(source)).build();
    Ok(Transformed::yes(DataSourceExec::from_data_source(files) as Arc<dyn ExecutionPlan>))
}

/// The store and the path of a data file.
type StageFile = (ObjectStoreUrl, Path);

/// Returns the first data file that a stage reads.
fn first_file(plan: &Arc<dyn ExecutionPlan>) -> Result<Option<StageFile>> {
    let mut first_file = None;
    plan.apply(|node| {
        let scan = node.downcast_ref::<DataSourceExec>();
        if let Some((scan, _)) = scan.and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>) {
            let first = scan.file_groups.iter().flat_map(FileGroup::iter).next();
            first_file = first.map(|file| (scan.object_store_url.clone(), file.object_meta.location.clone()));
        }
        Ok(if first_file.is_some() { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(first_file)
}

#[derive(Debug)]
struct ReportingStage {
    stage: Arc<dyn QueryStageExecutor>,
    file: Option<StageFile>,
}

impl ReportingStage {
    /// Returns the error of the store for one data file. The Parquet reader reports such an error
    /// only as text, so the request is repeated, only after an error.
    async fn store_error(&self, context: &TaskContext) -> Option<DataFusionError> {
        let (url, path) = self.file.as_ref()?;
        let store = context.runtime_env().object_store(url).ok()?;
        store.head(path).await.err().map(|error| DataFusionError::ObjectStore(Box::new(error)))
    }
}

impl fmt::Display for ReportingStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stage.fmt(f)
    }
}

#[async_trait::async_trait]
impl QueryStageExecutor for ReportingStage {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        let error = match self.stage.execute_query_stage(task_id, Arc::clone(&context)).await {
            Ok(partitions) => return Ok(partitions),
            Err(error) => Arc::new(error),
        };
        let shared = DataFusionError::Shared(Arc::clone(&error));
        // For these errors Ballista would repeat the stage. `gateway` repeats the whole query
        // instead.
        let text = match FailedTask::from(BallistaError::from(shared)).failed_reason {
            Some(FailedReason::FetchPartitionError(_) | FailedReason::IoError(_)) => reason::encode_loss(&error),
            _ => reason::encode(self.store_error(&context).await.as_ref().unwrap_or(&error)),
        };
        Err(DataFusionError::Execution(text))
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.stage.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.stage.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.stage.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.stage.collect_column_stats()
    }
}

/// Connections to other executors. All requests to an executor share one connection. Ballista's own
/// pool is private.
#[derive(Default)]
struct ClientPool(Mutex<HashMap<(String, u16), BallistaClient>>);

impl fmt::Debug for ClientPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientPool")
    }
}

#[async_trait::async_trait]
impl BallistaClientPool for ClientPool {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        endpoint: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> BallistaResult<PooledClient> {
        let key = (host.to_owned(), port);
        let known = self.0.lock().get(&key).cloned();
        let client = match known {
            Some(client) => client,
            None => {
                let client = BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    config.use_tls,
                    endpoint,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    config.initial_connection_window_size,
                    config.initial_stream_window_size,
                );
                let client = client.await?;
                self.0.lock().insert(key, client.clone());
                client
            }
        };
        Ok(PooledClient::new(client, Box::new(drop)))
    }

    async fn evict_idle(&self) {}
}
