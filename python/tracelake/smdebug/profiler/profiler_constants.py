"""The constants of smdebug for writing and reading profiles."""

# folders below the root of a profile
DEFAULT_PREFIX = "framework/pevents"
DEFAULT_SYSTEM_PROFILER_PREFIX = "system"
TRACE_DIRECTORY_FORMAT = "%Y%m%d%H"
BASE_FOLDER_DEFAULT = "/opt/ml/output/profiler"
CONFIG_PATH_DEFAULT = "/opt/ml/input/config/profilerconfig.json"

# endings of file names
PYTHONTIMELINE_SUFFIX = "pythontimeline.json"
MODELTIMELINE_SUFFIX = "model_timeline.json"
TENSORBOARDTIMELINE_SUFFIX = "trace.json.gz"
HOROVODTIMELINE_SUFFIX = "horovod_timeline.json"
SMDATAPARALLELTIMELINE_SUFFIX = "smdataparallel_timeline.json"
MERGEDTIMELINE_SUFFIX = "merged_timeline.json"

# phases of data loaders
PT_DATALOADER_WORKER = "DataLoaderWorker"
PT_DATALOADER_ITER = "DataLoaderIter"
PT_DATALOADER_INITIALIZE = "DataLoaderIterInitialize"
TF_DATALOADER_ITER = "DataIterator"

# smdebug searches files this far outside of a range; a lake does not need it, since it has the times of every file
ENV_TIME_BUFFER = "TIME_BUFFER_MICROSECONDS"
TIME_BUFFER_DEFAULT = 3 * 60 * 1_000_000
ENV_TRAIILING_DURATION = "TRAILING_DURATION_MICROSECONDS"
TRAILING_DURATION_DEFAULT = 5 * 60 * 1_000_000

CONVERT_TO_MICROSECS = 1_000_000  # microseconds in a second
CONVERT_MICRO_TO_NS = 1_000

# limits at which smdebug starts a new timeline file
MAX_FILE_SIZE_DEFAULT = 10 * 1024 * 1024
CLOSE_FILE_INTERVAL_DEFAULT = 60
FILE_OPEN_FAIL_THRESHOLD_DEFAULT = 50

# Python profiles
PYTHON_PROFILING_START_STEP_DEFAULT = 9
PROFILING_NUM_STEPS_DEFAULT = 1
PROFILER_DURATION_DEFAULT = float("inf")
CPROFILE_NAME = "cprofile"
CPROFILE_STATS_FILENAME = "python_stats"
PYINSTRUMENT_NAME = "pyinstrument"
PYINSTRUMENT_JSON_FILENAME = "python_stats.json"
PYINSTRUMENT_HTML_FILENAME = "python_stats.html"

# TensorFlow
TF_METRICS_PREFIX = "aws_marker-"
TF_DATALOADER_START_FLAG_FILENAME = "tf_dataloader_start_flag.tmp"
TF_DATALOADER_END_FLAG_FILENAME = "tf_dataloader_end_flag.tmp"
