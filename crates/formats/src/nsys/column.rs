//! The columns of an export that tracelake reads, and their names. Columns are looked up by name: an export may have
//! them in any order, and may lack any of them.

macro_rules! columns {
    ($($column:ident $name:literal),* $(,)?) => {
        /// A column that some table of an export has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum NsysColumn {
            $(#[doc = $name] $column),*
        }

        /// The names of the columns, in the order of [`NsysColumn`].
        pub(super) const COLUMN_NAMES: &[&str] = &[$($name),*];
    };
}

columns! {
    Address "address",
    ApiCallId "apiCallId",
    BlockX "blockX",
    BlockY "blockY",
    BlockZ "blockZ",
    Bytes "bytes",
    BytesProcessed "bytesProcessed",
    BusLocation "busLocation",
    CallchainId "callchainId",
    CategoryId "category",
    ChipName "chipName",
    ClockRate "clockRate",
    ClusterX "clusterX",
    ClusterY "clusterY",
    ClusterZ "clusterZ",
    ComputeMajor "computeMajor",
    ComputeMinor "computeMinor",
    ContextId "contextId",
    CopyCount "copyCount",
    CopyKind "copyKind",
    CorrelationId "correlationId",
    Cpu "cpu",
    CpuCycles "cpuCycles",
    CuDevice "cuDevice",
    CudaId "cudaId",
    DemangledName "demangledName",
    DeviceId "deviceId",
    DomainId "domainId",
    DoubleValue "doubleValue",
    DstDeviceId "dstDeviceId",
    DstKind "dstKind",
    DynamicSharedMemory "dynamicSharedMemory",
    End "end",
    EndGlobalTid "endGlobalTid",
    EndedAt "endedAt",
    EventClass "eventClass",
    EventId "eventId",
    EventType "eventType",
    FileAccessId "fileAccessId",
    FilePath "filePath",
    FloatValue "floatValue",
    GlobalPid "globalPid",
    GlobalTid "globalTid",
    GpuId "gpuId",
    GraphExecId "graphExecId",
    GraphId "graphId",
    GraphNodeId "graphNodeId",
    GridX "gridX",
    GridY "gridY",
    GridZ "gridZ",
    Id "id",
    Int32Value "int32Value",
    Int64Value "int64Value",
    IsSchedIn "isSchedIn",
    JsonText "jsonText",
    JsonTextId "jsonTextId",
    L2CacheSize "l2CacheSize",
    LaunchType "launchType",
    LocalMemoryPerThread "localMemoryPerThread",
    MaxWarpsPerSm "maxWarpsPerSm",
    MemKind "memKind",
    MemoryBandwidth "memoryBandwidth",
    MemoryOperationType "memoryOperationType",
    MetricId "metricId",
    MetricName "metricName",
    MigrationCause "migrationCause",
    Name "name",
    NameId "nameId",
    NestingLevel "nestingLevel",
    OriginalGraphId "originalGraphId",
    OriginalGraphNodeId "originalGraphNodeId",
    OverheadType "overheadType",
    ProcessId "processId",
    Rank "rank",
    RegistersPerThread "registersPerThread",
    RemoteRank "remoteRank",
    ReturnValue "returnValue",
    RootRank "rootRank",
    Severity "severity",
    ShortName "shortName",
    Size "size",
    SmCount "smCount",
    SrcDeviceId "srcDeviceId",
    SrcKind "srcKind",
    StackDepth "stackDepth",
    Start "start",
    StartedAt "startedAt",
    StaticSharedMemory "staticSharedMemory",
    StreamId "streamId",
    Symbol "symbol",
    SyncType "syncType",
    Tag "tag",
    Text "text",
    TextId "textId",
    ThreadBlock "threadBlock",
    ThreadId "threadId",
    ThreadState "threadState",
    Timestamp "timestamp",
    TotalMemory "totalMemory",
    TypeId "typeId",
    Uint32Value "uint32Value",
    Uint64Value "uint64Value",
    UtcEpochNs "utcEpochNs",
    Uuid "uuid",
    Value "value",
    VirtualAddress "virtualAddress",
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
