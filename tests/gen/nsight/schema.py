"""Tables, columns and enumerations of an export, in both generations."""

from __future__ import annotations

VERSIONS = {"old": ("2024.5.1.113", "3.13.2"), "new": ("2025.5.2.266", "3.24.0")}

# A column is INTEGER NOT NULL; `?` may be null, `$` is TEXT, `%` is REAL, `#` is the primary key. One with `-` before
# it is of the old generation only, one with `+` of the new.
_HEAD = "start end deviceId contextId greenContextId? streamId correlationId? globalPid?"
_CALL = "start end eventClass globalTid?"
_FRAME = "kernelMode? thumbCode? unresolved? specialEntry? originalIP? unwindMethod? stackDepth"
_SHAPE = "gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory localMemoryPerThread"
_LATE = "+qmdBulkReleaseDone? +qmdPreexitDone? +qmdLastCtaDone? +graphId? +clusterX? +clusterY? +clusterZ?"
_ENDS = "srcKind? dstKind? srcDeviceId? srcContextId? dstDeviceId? dstContextId? migrationCause? graphNodeId?"
_PAYLOAD = "uint64Value? int64Value? doubleValue%? uint32Value? int32Value? floatValue%? jsonTextId? jsonText$?"
_GPU = (
    "vmId id name$? busLocation$? isDiscrete? l2CacheSize? totalMemory? memoryBandwidth? clockRate? smCount? pwGpuId? "
    "uuid$? luid? chipName$? cuDevice? ctxswDevPath$? ctrlDevPath$? revision? nodeMask? constantMemory? maxIPC? "
    "maxRegistersPerBlock? maxShmemPerBlock? maxShmemPerBlockOptin? maxShmemPerSm? maxRegistersPerSm? threadsPerWarp? "
    "asyncEngines? maxWarpsPerSm? maxBlocksPerSm? maxThreadsPerBlock? maxBlockDimX? maxBlockDimY? maxBlockDimZ? "
    "maxGridDimX? maxGridDimY? maxGridDimZ? computeMajor? computeMinor? smMajor? smMinor?"
)
TABLES = {
    "StringIds": "id# value$",
    "ANALYSIS_DETAILS": "globalVid duration startTime stopTime",
    "ANALYSIS_FILE": "id# -filename$ -content$ +filename$? +contentId? globalPid",
    "PROCESSES": "globalPid? pid? name$?",
    "ProcessStreams": "globalPid filenameId contentId",
    "ThreadNames": "nameId priority? globalTid?",
    "META_DATA_CAPTURE": "name$ value$?",
    "META_DATA_EXPORT": "name$ value$?",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs? utcTime$? localTime$?",
    "TARGET_INFO_SYSTEM_ENV": "globalVid? devStateName$ name$ nameEnum value$",
    "TARGET_INFO_GPU": _GPU,
    "TARGET_INFO_CUDA_CONTEXT_INFO": "nullStreamId hwId vmId processId deviceId contextId parentContextId? "
    "isGreenContext?",
    "TARGET_INFO_CUDA_STREAM": "streamId hwId vmId processId contextId priority flag",
    "TARGET_INFO_CUDA_DEVICE": "+gpuId? +cudaId +pid",
    "TARGET_INFO_GPU_METRICS": "typeId sourceId typeName$ metricId metricName$",
    "CUPTI_ACTIVITY_KIND_RUNTIME": f"{_CALL} correlationId? nameId returnValue callchainId?",
    "CUPTI_ACTIVITY_KIND_KERNEL": f"{_HEAD} demangledName shortName mangledName? launchType? cacheConfig? "
    f"registersPerThread {_SHAPE} localMemoryTotal gridId sharedMemoryExecuted? graphNodeId? sharedMemoryLimitConfig? "
    f"{_LATE} +clusterSchedulingPolicy? +maxPotentialClusterSize? +maxActiveClusters?",
    "CUPTI_ACTIVITY_KIND_MEMCPY": f"{_HEAD} bytes copyKind deprecatedSrcId? {_ENDS} virtualAddress? +copyCount?",
    "CUPTI_ACTIVITY_KIND_MEMSET": f"{_HEAD} value bytes graphNodeId? memKind?",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": f"{_HEAD} +deprecatedSyncType? syncType eventId +eventSyncId?",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "+timestamp? deviceId contextId greenContextId? streamId correlationId? "
    "globalPid? eventId +eventSyncId?",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": f"{_HEAD} graphId graphExecId",
    "CUPTI_ACTIVITY_KIND_OVERHEAD": "+start +end +eventClass +globalTid? +correlationId? +nameId? +overheadType",
    "CUDA_GRAPH_EVENTS": f"{_CALL} nameId graphId? originalGraphId? graphExecId?",
    "CUDA_GRAPH_NODE_EVENTS": f"{_CALL} nameId graphNodeId originalGraphNodeId?",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "start globalPid deviceId contextId address pc bytes memKind memoryOperationType "
    "name$? correlationId? +streamId? localMemoryPoolAddress? localMemoryPoolReleaseThreshold? localMemoryPoolSize? "
    "localMemoryPoolUtilizedSize? importedMemoryPoolAddress? importedMemoryPoolProcessId?",
    "NVTX_EVENTS": "start end? eventType rangeId? category? color? text$? globalTid? endGlobalTid? textId? domainId? "
    f"{_PAYLOAD} +binaryData$?",
    "OSRT_API": f"{_CALL} nameId returnValue nestingLevel? callchainId +argumentsId",
    "OSRT_CALLCHAINS": f"id symbol module {_FRAME}",
    "OSRT_FILE_ACCESS_DESCRIPTORS": "+fileAccessId +processId +openedAt +closedAt +filePath$",
    "OSRT_FILE_ACCESS_EVENTS": "+fileAccessId +threadId +startedAt +endedAt +eventType +apiCallId +bytesProcessed",
    "COMPOSITE_EVENTS": "id# start cpu? threadState? globalTid? cpuCycles",
    "SAMPLING_CALLCHAINS": f"id symbol module {_FRAME}",
    "SCHED_EVENTS": "start cpu isSchedIn globalTid? threadState? threadBlock?",
    "GPU_METRICS": "+rawTimestamp? timestamp? typeId metricId value",
    "DIAGNOSTIC_EVENT": "timestamp timestampType source severity text$ globalPid?",
    "PROFILER_OVERHEAD": "start end globalTid? nameId -returnValue +overheadType",
    "FUTURE_EVENTS": "start end weight%? label$",  # an unknown table
}
KEYED = ("OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS")  # primary key (id, stackDepth)
UNREAD = ["FUTURE_EVENTS"]

COPIES = [
    "UNKNOWN",
    "HTOD",
    "DTOH",
    "HTOA",
    "ATOH",
    "ATOA",
    "ATOD",
    "DTOA",
    "DTOD",
    "HTOH",
    "PTOP",
    "UVM_HTOD",
    "UVM_DTOH",
    "UVM_DTOD",
]
COPY_LABELS = [
    "Unknown",
    "Host-to-Device",
    "Device-to-Host",
    "Host-to-Array",
    "Array-to-Host",
    "Array-to-Array",
    "Array-to-Device",
    "Device-to-Array",
    "Device-to-Device",
    "Host-to-Host",
    "Peer-to-Peer",
    "Unified Host-to-Device",
    "Unified Device-to-Host",
    "Unified Device-to-Device",
]
STATES = [
    "Unknown",
    "Running",
    "Interruptible",
    "Uninterruptible",
    "Stopped",
    "Terminated",
    "Unscheduled",
    "Waiting",
    "OSRuntime",
]
ENUMS = {
    "CUDA_MEMCPY_OPER": {i: (f"CUDA_MEMCPY_KIND_{n}", COPY_LABELS[i]) for i, n in enumerate(COPIES)},
    "CUDA_MEM_KIND": {
        i: (f"CUDA_MEMOPR_MEMORY_KIND_{n.upper().replace(' ', '_')}", n)
        for i, n in enumerate(
            ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"]
        )
    },
    "CUDA_KERNEL_LAUNCH_TYPE": {
        0: ("CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN", "Unknown"),
        1: ("CUDA_KERNEL_LAUNCH_TYPE_REGULAR", "Regular"),
    },
    "CUDA_DEV_MEM_EVENT_OPER": {
        0: ("CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation"),
        1: ("CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation"),
    },
    "CUDA_UNIF_MEM_MIGRATION": {
        1: ("CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_USER", "User prefetch"),
        2: ("CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE", "Page fault"),
    },
    "CUPTI_STREAM_TYPE": {
        1: ("CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT", "Default stream"),
        2: ("CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING", "Non-blocking stream"),
        3: ("CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL", "Null stream"),
    },
    "CUPTI_SYNC_TYPE": {
        0: ("CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN", "Unknown"),
        1: ("CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync"),
        2: ("CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", "Stream wait sync"),
        3: ("CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync"),
        4: ("CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"),
    },
    "NSYS_EVENT_CLASS": {
        i: (f"TRACE_PROCESS_EVENT_{name}", label)
        for i, name, label in [
            (0, "CUDA_RUNTIME", "CUDA runtime"),
            (1, "CUDA_DRIVER", "CUDA driver"),
            (27, "OS_RUNTIME", "OSRT runtime"),
            (31, "OS_RUNTIME_START", "OSRT start"),
            (32, "OS_RUNTIME_FINISH", "OSRT finish"),
            (77, "CUDA_GRAPH_NODE_CREATION", "CUDA graph node creation"),
            (94, "CUDA_GRAPHEXEC_CREATION", "CUDA graph exec creation"),
            (95, "CUDA_GRAPH_CREATION", "CUDA graph creation"),
        ]
    },
    "NSYS_EVENT_TYPE": {
        i: (n, n)
        for i, n in {
            33: "NvtxCategory",
            34: "NvtxMark",
            39: "NvtxThread",
            59: "NvtxPushPopRange",
            60: "NvtxStartEndRange",
            75: "NvtxDomainCreate",
            76: "NvtxDomainDestroy",
        }.items()
    },
    "SAMPLING_THREAD_STATE": {i: (n, "OS runtime" if n == "OSRuntime" else n) for i, n in enumerate(STATES)},
    "SCHEDULING_THREAD_BLOCK": {i: (n, n) for i, n in enumerate(["NonBlocked", "Unknown", "SigSuspend", "Stopped"])},
    "DIAGNOSTIC_SEVERITY_LEVEL": {
        i: (n, n.removesuffix("Level")) for i, n in enumerate(["UnknownLevel", "Info", "Warning", "Error", "Verbose"])
    },
    "DIAGNOSTIC_SOURCE_TYPE": {1: ("Injection", "Injection"), 2: ("Daemon", "Daemon"), 3: ("Analysis", "Analysis")},
    "STACK_UNWIND_METHOD": {
        0: ("Unknown", "Unknown"),
        1: ("FramePointer", "Frame pointer"),
        7: ("DWARF_DF", "DWARF DF"),
    },
}
NEW_ENUMS = {
    "CUPTI_OVERHEAD_TYPE": {
        3: ("OVERHEAD_CUPTI_BUFFER_FLUSH", "Buffer flush (Profiler)"),
        7: ("OVERHEAD_LAZY_FUNCTION_LOADING", "Lazy function loading (CUDA)"),
    },
    "OSRT_FILE_ACCESS_EVENT_TYPE": {1: ("Open", "OSRT Open File Action"), 3: ("Read", "OSRT Read from File Action")},
}


def columns(table: str, *, new: bool) -> list[tuple[str, str]]:
    """Returns the columns of a table with their declarations; empty if the generation lacks the table."""
    declared = []
    for word in TABLES[table].split():
        if word[0] == ("-" if new else "+"):
            continue
        name = word.strip("+-?$%#")
        kind = "TEXT" if "$" in word else "REAL" if "%" in word else "INTEGER"
        declared.append((name, kind + ("" if "?" in word else " NOT NULL") + (" PRIMARY KEY" if "#" in word else "")))
    return declared
