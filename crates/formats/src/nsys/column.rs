//! The columns of an export that tracelake reads, and their names. Columns are looked up by name: an export may have
//! them in any order, and may lack any of them.

macro_rules! columns {
    ($($column:ident),* $(,)?) => {
        /// A column that some table of an export has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(non_camel_case_types, reason = "the names in the export")]
        pub(super) enum NsysColumn {
            $($column),*
        }

        /// The names of the columns, in the order of [`NsysColumn`].
        pub(super) const COLUMN_NAMES: &[&str] = &[$(stringify!($column)),*];
    };
}

columns! {
    address, apiCallId, blockX, blockY, blockZ, busLocation, bytes, bytesProcessed, callchainId, category, chipName,
    clockRate, clusterX, clusterY, clusterZ, computeMajor, computeMinor, contextId, copyCount, copyKind, correlationId,
    cpu, cpuCycles, cudaId, cuDevice, demangledName, deviceId, domainId, doubleValue, dstDeviceId, dstKind,
    dynamicSharedMemory, end, endedAt, endGlobalTid, eventClass, eventId, eventType, fileAccessId, filePath, floatValue,
    globalPid, globalTid, gpuId, graphExecId, graphId, graphNodeId, gridX, gridY, gridZ, id, int32Value, int64Value,
    isSchedIn, jsonText, jsonTextId, l2CacheSize, launchType, localMemoryPerThread, maxWarpsPerSm, memKind,
    memoryBandwidth, memoryOperationType, metricId, metricName, migrationCause, name, nameId, nestingLevel,
    originalGraphId, originalGraphNodeId, overheadType, processId, rank, registersPerThread, remoteRank, returnValue,
    rootRank, severity, shortName, size, smCount, srcDeviceId, srcKind, stackDepth, start, startedAt,
    staticSharedMemory, streamId, symbol, syncType, tag, text, textId, threadBlock, threadId, threadState, timestamp,
    totalMemory, typeId, uint32Value, uint64Value, utcEpochNs, uuid, value, virtualAddress,
}

impl NsysColumn {
    /// The name of the column in the export.
    pub(super) fn name(self) -> &'static str {
        COLUMN_NAMES[self as usize]
    }
}

/// The label of an enum value; `None` if the value is unknown.
pub(super) fn enum_label(labels: &'static [&'static str], value: Option<i64>) -> Option<&'static str> {
    labels.get(usize::try_from(value?).ok()?).copied()
}
