"""Recorders: record a training loop as a profile for the lake.

Wrap a loader, or put a `with` around a step. Queries work on the recording as on any other profile:

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with tl.record.LoaderProfiler([[1, 2], [3, 4]], folder, name="train") as loader:
    ...     for batch in loader:
    ...         pass
    >>> with tl.open(folder, ephemeral=True) as session:
    ...     session.sql("select batch, batch_size from loader where kind = 'next'").to_csv().split()
    ['batch,batch_size', '0,2', '1,2']

No other library is needed: torch, Lightning, psutil and NVML are used if the program has them. docs/recorder.md
describes the format of the recordings.
"""

from tracelake.record.hardware.machine import Machine
from tracelake.record.lightning import TracelakeCallback, TracelakeProfiler
from tracelake.record.loader.batch import batch_size
from tracelake.record.loader.comparison import plot_comparison
from tracelake.record.loader.evaluator import EvaluatedPass, LoaderEvaluator, train_one_epoch
from tracelake.record.loader.measure import measure_loading_overhead, measure_throughput
from tracelake.record.loader.monitor import MonitoredDataLoader
from tracelake.record.loader.profiler import LoaderProfiler
from tracelake.record.loader.times import Epoch, Times
from tracelake.record.output.recording import Recording
from tracelake.record.recorder import Recorder, Span
from tracelake.record.tuning.diagnose import diagnose_dataloader
from tracelake.record.tuning.diagnosis import Diagnosis
from tracelake.record.tuning.interval import Interval
from tracelake.record.tuning.optimization import Attempt, Optimization
from tracelake.record.tuning.search import optimize
from tracelake.record.tuning.setting import Remake, Setting
from tracelake.record.tuning.trial import Trial

__all__ = [
    "Attempt",
    "Diagnosis",
    "Epoch",
    "EvaluatedPass",
    "Interval",
    "LoaderEvaluator",
    "LoaderProfiler",
    "Machine",
    "MonitoredDataLoader",
    "Optimization",
    "Recorder",
    "Recording",
    "Remake",
    "Setting",
    "Span",
    "Times",
    "TracelakeCallback",
    "TracelakeProfiler",
    "Trial",
    "batch_size",
    "diagnose_dataloader",
    "measure_loading_overhead",
    "measure_throughput",
    "optimize",
    "plot_comparison",
    "train_one_epoch",
]
