//! Fetches the rows of one partition of a result from the executor that has them.

use ballista_core::client::BallistaClient;
use ballista_core::serde::protobuf::PartitionLocation;
use datafusion::common::{DataFusionError, Result, exec_err};
use datafusion::execution::SendableRecordBatchStream;

use crate::MESSAGE_BYTES;

/// Number of attempts to connect.
const ATTEMPTS: u8 = 3;

/// Milliseconds between two attempts.
const WAIT_MS: u64 = 500;

pub(crate) async fn fetch(location: PartitionLocation) -> Result<SendableRecordBatchStream> {
    let layout = location.layout();
    let (Some(executor), Some(partition)) = (location.executor_meta, location.partition_id) else {
        return exec_err!("the scheduler does not say where the answer is");
    };
    let Ok(port) = u16::try_from(executor.port) else {
        return exec_err!("executor {} has port {}", executor.id, executor.port);
    };
    let failed = |error| DataFusionError::External(Box::new(error));
    let client =
        BallistaClient::try_new(&executor.host, port, MESSAGE_BYTES as usize, false, None, ATTEMPTS, WAIT_MS, 0, 0);
    let mut client = client.await.map_err(failed)?;
    let (partition, id) = (partition.into(), executor.id);
    let rows = client.fetch_partition_proxied(&id, &partition, location.file_id, layout, &executor.host, port, true);
    rows.await.map_err(failed)
}
