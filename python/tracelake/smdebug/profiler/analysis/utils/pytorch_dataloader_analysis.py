"""Analyses whether data loading slowed down a PyTorch training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._libraries import DataFrame, Series, pd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame

__all__ = ["PT_dataloader_analysis"]

STAMP = "%Y-%m-%dT%H:%M:%S:%f"
WAITS = ["start_time", "end_time", "duration_us", "worker_id"]
ITERATORS = ["_MultiProcessingDataLoaderIter.__init__", "_SingleProcessDataLoaderIter.__init__"]
ABSENT = "Trace events corresponding to {} are not present"
OUTLIERS = "Start time and End time for {} that are outliers (duration > 2 * median)"


class PT_dataloader_analysis:  # noqa: N801 - as in smdebug
    """Four analyses of PyTorch's data loader; each prints its results, and returns the outliers.

    An outlier takes at least twice the median of its kind.

    Args:
        pandas_frame: The profile.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
        >>> from tracelake.smdebug.profiler.analysis.utils.pytorch_dataloader_analysis import PT_dataloader_analysis
        >>> analysis = PT_dataloader_analysis(PandasFrame(profile))
        >>> len(analysis.analyze_dataloaderWorkers())
        Total number of workers spun off during the training 32
        Median Duration 15051580.5 and Maximum duration for worker processes 37059136
        Start time and End time for iterator initialization that are outliers (duration > 2 * median)
        8
    """

    def __init__(self, pandas_frame: PandasFrame) -> None:
        """Reads the events of the loaders."""
        self.pd_data_frame = pandas_frame
        selections = [[".*DataLoaderIter::GetNext"], ["DataLoaderIterInitialize"], ["DataLoaderWorker"]]
        frames = pandas_frame.get_dataloader_metrics_by_selection(selections)
        self.dataIter_metric, self.initialize_metric, self.dataWorker_metric = frames
        self.analyze_dataIter = not self.dataIter_metric.empty
        self.analyze_initializer = not self.initialize_metric.empty
        self.analyze_workers = not self.dataWorker_metric.empty

    def analyze_dataloaderIter_initialization(self) -> None:  # noqa: N802 - as in smdebug
        """Prints the settings of iterators over a loader, the time of their initialization, and its outliers."""
        for iterator in ITERATORS:
            self._initialization(iterator)

    def _initialization(self, iterator: str) -> None:
        if not self.analyze_initializer:
            print(ABSENT.format("DataLoaderIter initialization"))
            return
        frame = self.initialize_metric
        frame = frame[frame["framework_metric"] == iterator]
        if frame.empty:
            print(f"Training is not configured to use {iterator} iterator")
            return
        pin_memory, num_workers = frame["pin_memory"].iloc[0], frame["num_workers"].iloc[0]
        print(
            f"Training is configured to use {iterator} with pin_memory enabled = {pin_memory}"
            f" and number of workers = {num_workers}"
        )
        print(f"The {iterator} is initialized for {len(frame)} times during training")
        _print_durations(frame, "initialization of iterators")
        outliers = _at_least_twice_the_median(frame, ["start_time", "end_time", "duration_us"], "duration_us")
        if not outliers.empty:
            print(OUTLIERS.format("iterator initialization"), outliers.to_string(index=False), sep="\n")

    def analyze_dataloaderWorkers(self) -> DataFrame | None:  # noqa: N802 - as in smdebug
        """Prints the lifetimes of worker processes.

        Returns:
            The outliers, longest first: `start_time`, `end_time`, `duration_us`, `worker_id`; None without outliers.
        """
        if not self.analyze_workers:
            print(ABSENT.format("DataLoaderWorker processes"))
            return None
        print(f"Total number of workers spun off during the training {len(self.dataWorker_metric)}")
        _print_durations(self.dataWorker_metric, "worker processes")
        frame, kind = self.dataWorker_metric, "iterator initialization"
        return _find_outliers(frame, WAITS, "duration_us", kind, nothing="dataloader workers")

    def analyze_dataloader_getnext(self) -> DataFrame | None:
        """Prints the waits of the training for batches.

        Returns:
            The outliers, longest first: `start_time`, `end_time`, `duration_us`, `worker_id`; None without outliers.
        """
        if not self.analyze_dataIter:
            print(ABSENT.format("DataLoaderIter::GetNext calls"))
            return None
        print(f"Total number of GetNext calls made during the training {len(self.dataIter_metric)}")
        _print_durations(self.dataIter_metric, "worker processes")
        nothing = "dataloader getnext invocations."
        return _find_outliers(self.dataIter_metric, WAITS, "duration_us", "GetNext durations", nothing=nothing)

    def analyze_batchtime(
        self,
        start_timestamp: float | None = None,
        end_timestamp: float | None = None,
        select_events: Sequence[str] = (".*",),
        select_dimensions: Sequence[str] = (".*",),
    ) -> DataFrame | None:
        """Prints the median time between two batches of a process.

        Args:
            start_timestamp: Excludes batches that were requested before this time (us since the epoch).
            end_timestamp: Excludes batches that were requested after this time.
            select_events: Regular expressions; one of them must match the name of the event or of its phase.
            select_dimensions: Without effect: it selects system metrics, as for `plot_the_window`.

        Returns:
            The outliers, longest first: `previous_batch_start`, `start_time`, `BatchTime_in_seconds`, `worker_id`; None
            without outliers.
        """
        del select_dimensions
        if not self.analyze_dataIter:
            print(ABSENT.format("DataLoaderIter::GetNext calls"))
            return None
        frame = self.dataIter_metric
        origin = self.pd_data_frame.start_time
        if start_timestamp is not None:
            frame = frame[frame["start_time_us"] >= start_timestamp - origin]
        if end_timestamp is not None:
            frame = frame[frame["start_time_us"] <= end_timestamp - origin]
        matches = [_matches_any(frame[column], select_events) for column in ("framework_metric", "process")]
        frame = frame[matches[0] | matches[1]]
        times = {name: pd.to_datetime(frame[name], format=STAMP) for name in ("start_time", "end_time")}
        frame = frame.assign(**times).sort_values(by=["node_id", "pid", "end_time"])
        batches = frame.groupby(["node_id", "pid"])["start_time"]
        frame["BatchTime_in_seconds"] = batches.diff().dt.total_seconds()
        previous = batches.shift().astype("object")
        frame["previous_batch_start"] = previous.where(previous.notna(), -1)
        if len(frame) == len(self.dataIter_metric):
            self.dataIter_metric = frame
        median = frame["BatchTime_in_seconds"].median()
        print(f"Median time spent on each batch of data = {median} seconds")
        columns = ["previous_batch_start", "start_time", "BatchTime_in_seconds", "worker_id"]
        nothing = "time taken to process the databatches."
        return _find_outliers(frame, columns, "BatchTime_in_seconds", "processing the databatches", nothing=nothing)

    def plot_the_window(
        self,
        start_timestamp: float = 0,
        end_timestamp: float | None = None,
        select_events: Sequence[str] = (".*",),
        select_dimensions: Sequence[str] = (".*",),
    ) -> Any:  # noqa: ANN401 - a TimelineCharts
        """Draws charts of system metrics and events for a time window, or for the whole run.

        Args:
            start_timestamp: Start of the window, in us since the epoch.
            end_timestamp: End of the window. The default is the end of the run.
            select_events: Regular expressions that select metrics and events by name.
            select_dimensions: Regular expressions that select metrics by dimension.
        """
        from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import (  # noqa: PLC0415 - needs Plotly
            TimelineCharts,
        )

        system, framework = self.pd_data_frame.system_metrics_reader, self.pd_data_frame.framework_metrics_reader
        framework.refresh_event_file_list()
        system.refresh_event_file_list()
        return TimelineCharts(
            system,
            framework,
            starttime=start_timestamp,
            endtime=end_timestamp,
            select_events=list(select_events),
            select_dimensions=list(select_dimensions),
        )


def _print_durations(frame: DataFrame, what: str) -> None:
    durations = frame["duration_us"]
    print(f"Median Duration {durations.median()} and Maximum duration for {what} {durations.max()}")


def _at_least_twice_the_median(frame: DataFrame, columns: list[str], duration: str) -> DataFrame:
    return frame.loc[frame[duration] >= 2 * frame[duration].median(), columns]


def _find_outliers(frame: DataFrame, columns: list[str], duration: str, what: str, *, nothing: str) -> DataFrame | None:
    """Returns the rows with at least twice the median duration, longest first; prints a line if there are none."""
    outliers = _at_least_twice_the_median(frame, columns, duration)
    if outliers.empty:
        print(f"No outliers found in {nothing}")
        return None
    print(OUTLIERS.format(what))
    return outliers.sort_values(by=[duration], ascending=False).reset_index(drop=True)


def _matches_any(texts: Series, patterns: Sequence[str]) -> Series:
    return texts.str.contains("|".join(f"(?:{pattern})" for pattern in patterns), regex=True)
