//! The rows of a part of an answer, from the executor that has them.

use ballista_core::client::BallistaClient;
use ballista_core::serde::protobuf::PartitionLocation;
use datafusion::common::{DataFusionError, Result, exec_err};
use datafusion::execution::SendableRecordBatchStream;

use crate::MESSAGE_BYTES;

/// Times that a connection is tried, and milliseconds between.
const TRIES: (u8, u64) = (3, 500);

pub(crate) async fn fetch(from: PartitionLocation) -> Result<SendableRecordBatchStream> {
    let layout = from.layout();
    let (Some(executor), Some(partition)) = (from.executor_meta, from.partition_id) else {
        return exec_err!("the scheduler does not say where the answer is");
    };
    let Ok(port) = u16::try_from(executor.port) else {
        return exec_err!("executor {} has port {}", executor.id, executor.port);
    };
    let failed = |error| DataFusionError::External(Box::new(error));
    let (tries, wait) = TRIES;
    let client =
        BallistaClient::try_new(&executor.host, port, MESSAGE_BYTES as usize, false, None, tries, wait, 0, 0).await;
    let mut client = client.map_err(failed)?;
    let (partition, id) = (partition.into(), executor.id);
    let rows = client.fetch_partition_proxied(&id, &partition, from.file_id, layout, &executor.host, port, true);
    rows.await.map_err(failed)
}
