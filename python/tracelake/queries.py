"""The canned queries: one class per family, one method per query.

generated from sql/ by `make update`; do not edit
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from tracelake.family import Family

if TYPE_CHECKING:
    from tracelake.frame import Frame

__all__ = [
    "Action",
    "Annotation",
    "Change",
    "Event",
    "Families",
    "Finding",
    "Fleet",
    "Function",
    "Incident",
    "Job",
    "Kernel",
    "Loader",
    "Memory",
    "Operator",
    "Rank",
    "Rules",
    "Runtime",
    "Step",
    "Trace",
    "Utilization",
]


class Families(ABC):
    """The families as attributes of a session."""

    @abstractmethod
    def query(self, name: str, /, run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401
        """The result of the canned query of this name."""

    @property
    def action(self) -> Action:
        """Queries of the family `action`: `summary`, `tree`."""
        return Action(self)

    @property
    def annotation(self) -> Annotation:
        """Queries of the family `annotation`: `gpu_projection`, `summary`."""
        return Annotation(self)

    @property
    def change(self) -> Change:
        """Queries of the family `change`: `measures`, `report`, `roles`, `steps`, `work`."""
        return Change(self)

    @property
    def event(self) -> Event:
        """Queries of the family `event`: `at_times`, `in_windows`."""
        return Event(self)

    @property
    def finding(self) -> Finding:
        """Queries of the family `finding`.

        `accelerator_utilization_low`, `balanced`, `batch_time_unsteady`, `batch_too_small`, `between_batches_slow`,
        `checkpoint_stalls`, `communication_exposed`, `communication_high`, `cpu_bottleneck`, `data_parallel`,
        `ddp_without_nccl`, `evaluation_share`, `evidence_corrupt`, `first_batch_slow`, `gpu_between`,
        `gpu_fluctuating`, `gpu_low_not_loader`, `gpu_memory_growth`, `gpu_memory_peak`, `gpu_starved_by_loader`,
        `gpu_underused`, `host_memory_growth`, `host_to_device_copy`, `ideal_speedup`, `input_ready`, `io_bottleneck`,
        `launch_bound`, `load_share_high`, `load_share_startup_only`, `loader_outliers`, `loader_reinitialized`,
        `loader_straggler`, `no_workers`, `out_of_memory`, `pin_memory_off`, `profiler_overhead`, `rank_imbalance`,
        `rank_straggler`, `slow_initialization`, `slow_sample`, `small_kernels`, `step_outliers`, `tensor_cores_unused`,
        `unattributed`, `very_slow_sample`, `warmup_steps`, `worker_count_vs_cores`, `worker_exit`, `worker_timeout`,
        `workers_needed`, `workers_saturated`.
        """
        return Finding(self)

    @property
    def fleet(self) -> Fleet:
        """Queries of the family `fleet`: `regressions`, `runs`, `trend`, `waste`."""
        return Fleet(self)

    @property
    def function(self) -> Function:
        """Queries of the family `function`.

        `by_phase`, `by_window`, `callers`, `modules`, `profiles`, `python_trace`, `top`.
        """
        return Function(self)

    @property
    def incident(self) -> Incident:
        """Queries of the family `incident`: `summary`."""
        return Incident(self)

    @property
    def job(self) -> Job:
        """Queries of the family `job`.

        `attributes`, `decision_tree`, `key_metrics`, `overview`, `phases`, `phases_by_rank`, `verdict`.
        """
        return Job(self)

    @property
    def kernel(self) -> Kernel:
        """Queries of the family `kernel`.

        `by_operator`, `by_type`, `comm_overlap`, `counters`, `diff`, `frequent_sequences`, `idle_breakdown`,
        `launch_delay_by_operator`, `launch_stats`, `launches`, `occupancy`, `queue_full_time`, `queue_length`,
        `queue_length_over_time`, `queue_length_summary`, `summary`, `temporal_breakdown`.
        """
        return Kernel(self)

    @property
    def loader(self) -> Loader:
        """Queries of the family `loader`.

        `active_workers`, `batch_time`, `batch_time_outliers`, `batches`, `during_outliers`, `epochs`, `first_batch`,
        `init`, `init_outliers`, `items`, `jitter`, `next`, `next_outliers`, `next_over_time`, `real_vs_ideal`,
        `scaling`, `share`, `slow_batches`, `throughput`, `trials`, `utilization`, `worker_outliers`, `workers`,
        `workers_compared`, `workers_timeline`.
        """
        return Loader(self)

    @property
    def memory(self) -> Memory:
        """Queries of the family `memory`.

        `bandwidth`, `bandwidth_over_time`, `bandwidth_summary`, `by_operator`, `curve`, `peak`, `transfers`.
        """
        return Memory(self)

    @property
    def operator(self) -> Operator:
        """Queries of the family `operator`: `by_shape`, `by_stack`, `call_tree`, `diff`, `flops`, `summary`."""
        return Operator(self)

    @property
    def rank(self) -> Rank:
        """Queries of the family `rank`: `communication`, `imbalance`, `stragglers`."""
        return Rank(self)

    @property
    def rules(self) -> Rules:
        """Queries of the family `rules`.

        `batch_size`, `compared`, `cpu_bottleneck`, `dataloader`, `gpu_memory_increase`, `io_bottleneck`,
        `load_balancing`, `low_gpu_utilization`, `max_initialization_time`, `overall_framework_metrics`,
        `overall_system_usage`, `report`, `reported`, `step_outlier`.
        """
        return Rules(self)

    @property
    def runtime(self) -> Runtime:
        """Queries of the family `runtime`: `os_calls`, `summary`."""
        return Runtime(self)

    @property
    def step(self) -> Step:
        """Queries of the family `step`.

        `breakdown`, `critical_path`, `critical_path_summary`, `duration`, `duration_by_metric`, `duration_by_process`,
        `duration_by_rank`, `histogram`, `intervals`, `loader_share`, `outliers`, `over_time`, `recorded`, `scalars`.
        """
        return Step(self)

    @property
    def trace(self) -> Trace:
        """Queries of the family `trace`: `timeline`."""
        return Trace(self)

    @property
    def utilization(self) -> Utilization:
        """Queries of the family `utilization`.

        `buckets`, `by_phase`, `cpu_bottleneck`, `device_stats`, `gpu_balance`, `gpu_from_kernels`, `gpu_load`,
        `io_bottleneck`, `over_time`, `ranges`, `summary`.
        """
        return Utilization(self)


class Action(Family):
    """Queries of the family `action`, as `s.action`."""

    __slots__ = ()

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How long did each action of a PyTorch Lightning job take, with and without the actions inside it?

        One row per action of a report of SimpleProfiler or AdvancedProfiler, longest first. Actions are nested, so
        `total_s` and `percent` do not add up. `own_s` excludes the actions directly inside and does add up
        (`action.tree`). If a later report continues an earlier one, the earlier one is excluded (view `action_latest`),
        so that nothing is counted twice. For example, the report of a test continues that of the fit before it.

        Times are as printed: with five digits by SimpleProfiler, with three decimals by AdvancedProfiler.
        AdvancedProfiler stops the time of an action when another action begins inside it. `truncated` marks such
        actions. Do not compare their times with other times.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `object`, `report`, `total_s desc`, `action`, with
            these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `object` (bigint, id): file of the row, see table object
            - `report` (bigint, id): report within the file, from 0
            - `stage` (text, name): stage of Lightning: fit, validate, test or predict; null when unknown
            - `action` (text, name): name of the action of Lightning
            - `calls` (bigint, count): calls; null from AdvancedProfiler
            - `mean_s` (double, s): mean duration; null from AdvancedProfiler
            - `total_s` (double, s): total duration
            - `percent` (double, percent): share of the time since the profiler was made, as reported
            - `own_s` (double, s): time in it alone; without the actions directly within; null when unknown
            - `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small

        Example:
            >>> s.action.summary().columns[0]
            'run'
        """
        return self._session.query("action.summary", run)

    def tree(self, run: str | list[str] | None = None) -> Frame:
        """Which actions of a PyTorch Lightning job ran inside which others, and where did the time go?

        The rows of `action.summary`, depth first: each action is below the action that encloses it, and the longest is
        first. The nesting is known from Lightning's loops, not from the report (view `action_nested`). For each parent,
        the `parent_ratio` of its actions and the share of its `own_s` add up to 1.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `object`, `report`, `sort_path`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `object` (bigint, id): file of the row, see table object
            - `report` (bigint, id): report within the file, from 0
            - `sort_path` (text, id): sorts the actions of a report depth first
            - `depth` (bigint, count): rows that enclose it
            - `action` (text, name): name of the action of Lightning
            - `parent_action` (text, name): action around it; null for one that stands by itself
            - `calls` (bigint, count): calls; null from AdvancedProfiler
            - `total_s` (double, s): total duration
            - `own_s` (double, s): time in it alone; without the actions directly within; null when unknown
            - `parent_ratio` (double, ratio): `total_s` over that of `parent_action`; null where that was cut short
            - `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small

        Example:
            >>> s.action.tree().columns[0]
            'run'
        """
        return self._session.query("action.tree", run)


class Annotation(Family):
    """Queries of the family `annotation`, as `s.annotation`."""

    __slots__ = ()

    def gpu_projection(self, run: str | list[str] | None = None) -> Frame:
        """What did the marked ranges of the program run on the device, and how long did that take there?

        One row per name and process rank, for ranges on the host that contain launches of device work. Ranges are
        annotations, step marks, calls of a data loader, collectives and operators. Kernels, copies and fills belong to
        a range if the call that launched them lies inside it, on the same thread of the same process. The projection of
        a range lasts from the start of its first device work to the end of its last, on any device and stream. Gaps
        count. Work that other threads launched in the meantime does not count. Work belongs to all ranges around its
        call, not only to the innermost one, so sums over different names count it more than once. If ranges overlap in
        part, each range has the work of the calls inside it.

        The definition is that of the report `nvtx_gpu_proj_sum` of `nsys stats`, which writes the domain in front of
        the name of the range. A graph that was recorded as a whole is one operation. A trace of PyTorch has other
        ranges, drawn on the device (`annotation.summary`, `device`). `operator.summary` adds up the durations of device
        work instead.

        Excluded: ranges without device work, ranges that ended on another thread, ranges that were never closed, and
        work without a recorded launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `category`, `projected_sum desc`, `name`, `domain`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `category` (text, name): annotation, step, loader, communication or operator
            - `name` (text, name): name of the range
            - `domain` (text, name): domain of NVTX it was marked in; null for none, and outside of NVTX
            - `n` (bigint, count): ranges with device work
            - `ops` (bigint, count): kernels, copies and fills launched within
            - `projected_sum` (bigint, ns): time from the first start to the last end on the device, added up over the
              ranges
            - `projected_mean` (double, ns): mean of that
            - `projected_std` (double, ns): standard deviation; null for a single one
            - `projected_min` (bigint, ns): shortest
            - `projected_p50` (double, ns): median
            - `projected_max` (bigint, ns): longest
            - `dur_sum` (bigint, ns): sum of the durations

        Example:
            >>> s.annotation.gpu_projection().columns[0]
            'run'
        """
        return self._session.query("annotation.gpu_projection", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How long did the marked ranges of the program last, on the host and on the device?

        One row per name, device, process rank and domain. An annotation is a range that the program or PyTorch marked:
        `record_function`, ranges of NVTX, optimizer steps, collectives, calls of a data loader and step marks. On the
        host it lasts as long as the marked code. On a device, the profiler of PyTorch draws it from the first to the
        last kernel launched inside. For recordings of Nsight Systems, `annotation.gpu_projection` computes this.

        `dur_sum` adds up durations, so parallel or nested ranges count more than once. `busy` is the time in which at
        least one of that name ran. Percentiles are exact, with linear interpolation between the closest values.

        The numbers are those of `get_gpu_user_annotation_breakdown` of HTA with all its steps, and of the report
        `nvtx_sum` of `nsys stats`. That report writes the domain in front of the name of the range.

        Excluded: operators, which PyTorch also marks with NVTX (`operator.summary`), and ranges that were never closed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `category`, `name`, `domain`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `device` (text, name): cpu, or the device it is drawn on (gpu0)
            - `category` (text, name): annotation, step, loader or communication
            - `name` (text, name): name of the annotation
            - `n` (bigint, count): how often it was marked
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for a single one
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest
            - `domain` (text, name): domain of NVTX it was marked in; null for none, and outside of NVTX

        Example:
            >>> s.annotation.summary().columns[0]
            'run'
        """
        return self._session.query("annotation.summary", run)


class Change(Family):
    """Queries of the family `change`, as `s.change`."""

    __slots__ = ()

    def measures(
        self,
        run: str | list[str] | None = None,
        *,
        a: list[str] | tuple[str, ...] | None = None,
        b: list[str] | tuple[str, ...] | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        a_span: int | None = None,
        b_span: int | None = None,
    ) -> Frame:
        """Did the share of time spent waiting for data, the load of the machines or the memory in use change?

        One row per quantity. Quantities are the share of time in which processes waited for data (`job.key_metrics`)
        and the maximum memory in use on each device. Means of the measurements of cores, GPUs, memory, disks and
        network are also quantities. `a` and `b` are lists of runs, which the query compares as two groups. Without `b`,
        it compares each run by itself with side a. With `a_span` and `b_span`, it compares two recordings of a run.

        Each run has one value. The interval therefore covers the noise between runs, but not the variation within a run
        (`change.steps`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, the baseline; null for the runs of side b. Default: null.
            b: Runs of side b, the candidates, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, relative to the value, at least 0. Default: 0.005.
            confidence: Share of such intervals that contain the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: Only this recording of the runs of side b; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `subject`, `name`, `unit`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): loader, utilization or memory
            - `name` (text, name): quantity or device
            - `statistic` (text, name): mean or max
            - `unit` (text, name): unit as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            - `kind` (text, name): added, gone, more, less, or same when it may be noise
            - `runs_a` (bigint, count): runs of side a with values
            - `runs_b` (bigint, count): the same of side b

        Example:
            >>> s.change.measures().columns[0]
            'run'
        """
        return self._session.query(
            "change.measures",
            run,
            a=None if a is None else list(a),
            b=None if b is None else list(b),
            noise=noise,
            confidence=confidence,
            a_span=a_span,
            b_span=b_span,
        )

    def report(
        self,
        run: str | list[str] | None = None,
        *,
        a: list[str] | tuple[str, ...] | None = None,
        b: list[str] | tuple[str, ...] | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        a_span: int | None = None,
        b_span: int | None = None,
        top: int = 20,
    ) -> Frame:
        """What changed between two runs or groups of runs, and by how much?

        The rows of `change.steps`, `change.roles`, `change.measures` and `change.work` in one result. Rows that are not
        part of a step come first, then the rows that add most to a step. Rows that became faster come last. Of
        operators and kernels, only those with the largest changes are shown. The rows of steps, roles, operators and
        kernels describe the same time in four ways: add up those of one subject only.

        `a` and `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run by
        itself with side a. With `a_span` and `b_span`, it compares two recordings of a run. `change.steps` explains the
        intervals.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, the baseline; null for the runs of side b. Default: null.
            b: Runs of side b, the candidates, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, relative to the value, at least 0. Default: 0.005.
            confidence: Share of such intervals that contain the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: Only this recording of the runs of side b; null for all. Default: null.
            top: Number of operators and kernels shown per run, those with the largest changes, at least 0. Default: 20.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `subject`, `name`, `statistic`, `unit`, with these
            columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): step, role, loader, utilization, memory, operator or kernel
            - `name` (text, name): mode, role, quantity, device, operator or kernel
            - `statistic` (text, name): p50, p95, mean, max or sum
            - `unit` (text, name): unit as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            - `kind` (text, name): added, gone, slower, faster (more or less if it is not a time), or same when it may
              be noise
            - `runs_a` (bigint, count): runs of side a with values
            - `runs_b` (bigint, count): the same of side b

        Example:
            >>> s.change.report().columns[0]
            'run'
        """
        return self._session.query(
            "change.report",
            run,
            a=None if a is None else list(a),
            b=None if b is None else list(b),
            noise=noise,
            confidence=confidence,
            a_span=a_span,
            b_span=b_span,
            top=top,
        )

    def roles(
        self,
        run: str | list[str] | None = None,
        *,
        a: list[str] | tuple[str, ...] | None = None,
        b: list[str] | tuple[str, ...] | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        a_span: int | None = None,
        b_span: int | None = None,
    ) -> Frame:
        """Which part of a step became slower or faster: device, communication, data loading, host?

        One row per role of `step.breakdown`, with its mean time in a step of a rank. The changes of all roles add up to
        the change of the mean step. `a` and `b` are lists of runs, which the query compares as two groups. Without `b`,
        it compares each run by itself with side a. With `a_span` and `b_span`, it compares two recordings of a run.

        Intervals are those of a mean and include the noise between runs that `change.steps` explains. Small roles vary
        a lot.

        Excluded: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, the baseline; null for the runs of side b. Default: null.
            b: Runs of side b, the candidates, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, relative to the value, at least 0. Default: 0.005.
            confidence: Share of such intervals that contain the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: Only this recording of the runs of side b; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `name`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): role
            - `name` (text, name): kernel, memcpy, memset, communication, runtime, loader, cpu or other
            - `statistic` (text, name): mean
            - `unit` (text, name): unit as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            - `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            - `runs_a` (bigint, count): runs of side a with values
            - `runs_b` (bigint, count): the same of side b

        Example:
            >>> s.change.roles().columns[0]
            'run'
        """
        return self._session.query(
            "change.roles",
            run,
            a=None if a is None else list(a),
            b=None if b is None else list(b),
            noise=noise,
            confidence=confidence,
            a_span=a_span,
            b_span=b_span,
        )

    def steps(
        self,
        run: str | list[str] | None = None,
        *,
        a: list[str] | tuple[str, ...] | None = None,
        b: list[str] | tuple[str, ...] | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        a_span: int | None = None,
        b_span: int | None = None,
    ) -> Frame:
        """Did steps become slower or faster, and is that more than noise?

        One row per mode of the steps and statistic. `change_steps(['before'], ['after'])` compares two runs. `a` and
        `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run by itself with
        side a. With `a_span` and `b_span`, it compares two recordings of a run. For several runs, a value is the mean
        over the runs. Durations are those of `step.duration`.

        `low` and `high` are the ends of an interval of the ratio, with the given `confidence`. The interval covers two
        kinds of noise. The first is the variation of the steps within a run, by their order statistics. The second is
        the noise between runs of the same code. It is estimated from the runs of a side and from `noise`, which counts
        as if it had been measured on five runs. An end is null if there are too few steps for it: a 95th percentile
        needs about 73. A change is `significant` if the interval excludes 1.

        Excluded: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, the baseline; null for the runs of side b. Default: null.
            b: Runs of side b, the candidates, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, relative to the value, at least 0. Default: 0.005.
            confidence: Share of such intervals that contain the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: Only this recording of the runs of side b; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `name`, `statistic`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): step
            - `name` (text, name): mode of the steps; step when the profiler did not say
            - `statistic` (text, name): p50, p95 or mean
            - `unit` (text, name): unit as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            - `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            - `runs_a` (bigint, count): runs of side a with values
            - `runs_b` (bigint, count): the same of side b

        Example:
            >>> s.change.steps().columns[0]
            'run'
        """
        return self._session.query(
            "change.steps",
            run,
            a=None if a is None else list(a),
            b=None if b is None else list(b),
            noise=noise,
            confidence=confidence,
            a_span=a_span,
            b_span=b_span,
        )

    def work(
        self,
        run: str | list[str] | None = None,
        *,
        a: list[str] | tuple[str, ...] | None = None,
        b: list[str] | tuple[str, ...] | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        a_span: int | None = None,
        b_span: int | None = None,
    ) -> Frame:
        """Which operators and kernels take more or less of the time of a step?

        One row per operator, with its host time without the calls inside it. One row per kernel or copy, with its time
        on the devices. Both times are summed and divided by the number of steps. `a` and `b` are lists of runs, which
        the query compares as two groups. Without `b`, it compares each run by itself with side a. With `a_span` and
        `b_span`, it compares two recordings of a run.

        Each run has one value. The interval therefore covers the noise between runs, but not the variation within a run
        (`change.steps`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, the baseline; null for the runs of side b. Default: null.
            b: Runs of side b, the candidates, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, relative to the value, at least 0. Default: 0.005.
            confidence: Share of such intervals that contain the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: Only this recording of the runs of side b; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `subject`, `name`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): operator or kernel
            - `name` (text, name): name of the operator or kernel
            - `statistic` (text, name): sum over a step
            - `unit` (text, name): unit as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            - `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            - `runs_a` (bigint, count): runs of side a with values
            - `runs_b` (bigint, count): the same of side b

        Example:
            >>> s.change.work().columns[0]
            'run'
        """
        return self._session.query(
            "change.work",
            run,
            a=None if a is None else list(a),
            b=None if b is None else list(b),
            noise=noise,
            confidence=confidence,
            a_span=a_span,
            b_span=b_span,
        )


class Event(Family):
    """Queries of the family `event`, as `s.event`."""

    __slots__ = ()

    def at_times(
        self,
        run: str | list[str] | None = None,
        *,
        times: list[int] | tuple[int, ...] | None = None,
    ) -> Frame:
        """What was running at given times?

        One row per name of an event, with the number of times at which at least one event of that name was running.
        `track_n` counts the same for the whole track of the event: its phase, thread or stream. Ranks and machines are
        taken together. To find the cause of a bottleneck, compare a list of times inside it with a list of other times.
        Without a list, the query profiles the whole run at 100 evenly spread times. An event runs from its start until
        just before its end. A time that is given twice counts once.

        `get_framework_metrics_by_timesteps` of smdebug instead adds up the full durations of the events, once for each
        time, and excludes the last time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            times: Times in ns since the Unix epoch; null for 100 times evenly spread over the run. Default: null.

        Returns:
            One frame, ordered by `run`, `category`, `track`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `category` (text, name): what sort of work it is
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `name` (text, name): name of the event
            - `n` (bigint, count): times at which it ran
            - `ratio` (double, ratio): their share of all given times
            - `track_n` (bigint, count): times at which anything ran on the track
            - `track_ratio` (double, ratio): their share of all given times

        Example:
            >>> s.event.at_times().columns[0]
            'run'
        """
        return self._session.query("event.at_times", run, times=None if times is None else list(times))

    def in_windows(
        self,
        run: str | list[str] | None = None,
        *,
        starts: list[int] | tuple[int, ...] | None = None,
        ends: list[int] | tuple[int, ...] | None = None,
    ) -> Frame:
        """What ran during given time windows, and for what share of them?

        Window number i begins at `starts[i]` and ends before `ends[i]`. Overlapping windows count as one. One row per
        name of an event, with the time in which at least one event of that name was running. `track_busy` is the same
        for the whole track of the event: its phase, thread or stream. If an event reaches beyond a window, only the
        part inside counts. Ranks and machines are taken together. For example, compare the windows of slow steps with
        those of the other steps. Without lists, the windows are the steps of the run.

        `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events that
        touch a window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            starts: Starts of the windows in ns since the Unix epoch; null for the steps of the run. Default: null.
            ends: Ends of the windows in ns since the Unix epoch, one for each start. Default: null.

        Returns:
            One frame, ordered by `run`, `category`, `track`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `category` (text, name): what sort of work it is
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `name` (text, name): name of the event
            - `busy` (bigint, ns): time in which at least one ran; within the windows
            - `ratio` (double, ratio): its share of the time in the windows
            - `track_busy` (bigint, ns): time in the windows in which anything ran on the track
            - `track_ratio` (double, ratio): its share of the time in the windows

        Example:
            >>> s.event.in_windows().columns[0]
            'run'
        """
        return self._session.query(
            "event.in_windows",
            run,
            starts=None if starts is None else list(starts),
            ends=None if ends is None else list(ends),
        )


class Finding(Family):
    """Queries of the family `finding`, as `s.finding`."""

    __slots__ = ()

    def accelerator_utilization_low(self, run: str | list[str] | None = None, *, target: float = 0.9) -> Frame:
        """Is accelerator utilization below the MLPerf Storage target?

        Accelerator utilization is compute time divided by the sum of compute time and waiting time. The first batch of
        each pass is excluded. The value is the mean of the loops (`loader.utilization`). It does not show what the
        accelerator did while the loop computed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: Accelerator utilization below which it is low; MLPerf Storage requires 0.7 for some models. Default:
                0.9.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.accelerator_utilization_low().columns[0]
            'run'
        """
        return self._session.query("finding.accelerator_utilization_low", run, target=target)

    def balanced(self, run: str | list[str] | None = None, *, target: float = 0.8) -> Frame:
        """Is the GPU busy most of the time?

        GPU utilization is that of view `evidence_gpu`. Above `target`, data loading does not limit training, even if
        the share of waiting is large. This finding is a good sign, not a problem. Its severity is always notice.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: GPU utilization above which the GPU counts as busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.balanced().columns[0]
            'run'
        """
        return self._session.query("finding.balanced", run, target=target)

    def batch_time_unsteady(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Do the waits for batches vary a lot?

        The value is the 95th percentile of the waits divided by their median. First batches of a pass are excluded. Too
        few workers deliver batches in bursts. In that case, the number of batches from one long wait to the next equals
        the number of workers.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Ratio of the 95th percentile to the median above which the finding is a notice. Default: 2.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.batch_time_unsteady().columns[0]
            'run'
        """
        return self._session.query("finding.batch_time_unsteady", run, factor=factor)

    def batch_too_small(self, run: str | list[str] | None = None, *, limit: float = 0.7, patience: int = 1000) -> Frame:
        """Is there room for larger batches?

        This is smdebug's rule BatchSize, evaluated at the end of each minute once there are more than `patience`
        values. It takes the 95th percentile of the last 500 values of three series: the mean utilization of the cores,
        the utilization of a GPU, and the use of the memory of that GPU. All three percentiles must be below `limit`.
        The largest of the three counts. The value is its minimum over all GPUs and minutes (view `evidence_minute`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 95th percentile below which cores, GPU and memory have room. Default: 0.7.
            patience: Number of values of each series; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.batch_too_small().columns[0]
            'run'
        """
        return self._session.query("finding.batch_too_small", run, limit=limit, patience=patience)

    def between_batches_slow(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.2,
        notice: float = 0.05,
    ) -> Frame:
        """Is there much time between batches although the next batch is ready?

        A pause is a batch that takes at least twice the median of its loop and spends more of the extra time on other
        work than on waiting for data. The value is the extra time of all pauses divided by the time of the loop (view
        `evidence_pause`). First batches of a pass are excluded.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share of loop time above which the finding is a warning. Default: 0.2.
            notice: Share of loop time above which the finding is a notice. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.between_batches_slow().columns[0]
            'run'
        """
        return self._session.query("finding.between_batches_slow", run, warning=warning, notice=notice)

    def checkpoint_stalls(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.2,
        notice: float = 0.05,
    ) -> Frame:
        """Does training stop while checkpoints are saved?

        The value is the share of time, from the first to the last step, that is spent in long gaps between steps during
        which something was saved. With a report of Lightning's SimpleProfiler, it is the share of training time that
        the report attributes to saving (view `evidence_checkpoint`). Above `notice` the finding is a notice, above
        `warning` a warning. If no recording shows whether something was saved in the long gaps, there is not enough
        data.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share above which the finding is a warning. Default: 0.2.
            notice: Share above which the finding is a notice. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.checkpoint_stalls().columns[0]
            'run'
        """
        return self._session.query("finding.checkpoint_stalls", run, warning=warning, notice=notice)

    def communication_exposed(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.5,
        notable: float = 0.05,
    ) -> Frame:
        """Is most of the communication exposed, that is, not hidden by computation?

        The value is the share of communication kernel time during which no compute kernel runs (exposed communication:
        1 minus HTA's overlap). The finding also requires that exposed communication takes more than `notable` of step
        time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of communication time above which exposed communication is high. Default: 0.5.
            notable: Share of step time above which exposed communication matters. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.communication_exposed().columns[0]
            'run'
        """
        return self._session.query("finding.communication_exposed", run, high=high, notable=notable)

    def communication_high(
        self,
        run: str | list[str] | None = None,
        *,
        notice: float = 0.1,
        warning: float = 0.2,
    ) -> Frame:
        """Do collectives take a large share of the step?

        The value is the share of step time in which a rank only communicates (exposed communication, view
        `evidence_role`), for the rank with the largest share. It includes waiting for the other ranks. It is the
        TensorBoard plugin's share of communication.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notice: Share above which the finding is a notice. Default: 0.1.
            warning: Share above which the finding is a warning. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.communication_high().columns[0]
            'run'
        """
        return self._session.query("finding.communication_high", run, notice=notice, warning=warning)

    def cpu_bottleneck(self, run: str | list[str] | None = None, *, limit: float = 0.5, patience: int = 1000) -> Frame:
        """Are GPUs idle because the CPU cannot keep up?

        This is smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is below
        10 % while that of a core is above 90 %. More than `patience` snapshots are required. A snapshot is a set of
        samples with nearly the same time. It counts if it has samples of both a GPU and the cores (view
        `evidence_machine`). `rules.cpu_bottleneck` counts all snapshots.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Share of snapshots above which the CPU is a bottleneck. Default: 0.5.
            patience: Number of snapshots; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.cpu_bottleneck().columns[0]
            'run'
        """
        return self._session.query("finding.cpu_bottleneck", run, limit=limit, patience=patience)

    def data_parallel(self, run: str | list[str] | None = None) -> Frame:
        """Does one process drive several GPUs with DataParallel?

        The finding applies if a trace contains calls of DataParallel and its process used more than one device.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.data_parallel().columns[0]
            'run'
        """
        return self._session.query("finding.data_parallel", run)

    def ddp_without_nccl(self, run: str | list[str] | None = None) -> Frame:
        """Do the ranks of a GPU job communicate through a backend other than NCCL?

        Checks the backend that the trace names (`distributedInfo`). The finding applies only to jobs with several ranks
        and GPU work.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.ddp_without_nccl().columns[0]
            'run'
        """
        return self._session.query("finding.ddp_without_nccl", run)

    def evaluation_share(self, run: str | list[str] | None = None, *, notice: float = 0.2) -> Frame:
        """What share of the loop is evaluation?

        The value is evaluation time divided by the sum of training and evaluation time (view `evidence_evaluation`). It
        includes the time between the steps. The times come from steps with a recorded mode, or from the training epochs
        in a report of Lightning's SimpleProfiler. In such a report, the sanity check counts as evaluation.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notice: Share above which the finding is a notice. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.evaluation_share().columns[0]
            'run'
        """
        return self._session.query("finding.evaluation_share", run, notice=notice)

    def evidence_corrupt(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Are the recorded files corrupt or incomplete?

        Counts entries that were skipped or repaired, files that are truncated, empty or unreadable, and recordings
        without an end (view `evidence_problem`). The other findings of such a run use only the remaining data.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Corrupt entries and unreadable files above which the finding is a notice, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.evidence_corrupt().columns[0]
            'run'
        """
        return self._session.query("finding.evidence_corrupt", run, limit=limit)

    def first_batch_slow(self, run: str | list[str] | None = None, *, factor: float = 10.0) -> Frame:
        """Is the first batch of an epoch much slower than the others?

        In each pass, the wait for the first batch is divided by the median of the other waits. The value is the maximum
        over the passes.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Ratio of the first wait to the median of the others above which the finding is a notice. Default:
                10.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.first_batch_slow().columns[0]
            'run'
        """
        return self._session.query("finding.first_batch_slow", run, factor=factor)

    def gpu_between(self, run: str | list[str] | None = None, *, low: float = 0.5, target: float = 0.8) -> Frame:
        """Is GPU utilization neither low nor high?

        PyTorch's tutorial calls GPU utilization below `low` a problem and above `target` the goal. It does not rate the
        values in between, which include both limits. This finding reports such a value without rating it. GPU
        utilization is that of view `evidence_gpu`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: GPU utilization below which the GPU counts as idle. Default: 0.5.
            target: GPU utilization above which the GPU counts as busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_between().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_between", run, low=low, target=target)

    def gpu_fluctuating(
        self,
        run: str | list[str] | None = None,
        *,
        limit: float = 0.1,
        busy: float = 0.7,
        patience: int = 1000,
    ) -> Frame:
        """Does a GPU alternate between busy and idle?

        This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than
        `patience` values. Of the last 500 values of a GPU, the 95th percentile is above `busy` and the 5th percentile
        is below `limit`. The value is the minimum 5th percentile over all GPUs and minutes in which the 95th percentile
        is above `busy` (view `evidence_minute`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 5th percentile of utilization below which a GPU that is busy at other times fluctuates. Default: 0.1.
            busy: 95th percentile of utilization above which the GPU is busy at other times. Default: 0.7.
            patience: Number of values; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_fluctuating().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_fluctuating", run, limit=limit, busy=busy, patience=patience)

    def gpu_low_not_loader(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.5,
        notable: float = 0.05,
    ) -> Frame:
        """Is the GPU idle for a reason other than data loading?

        GPU utilization is below `low`, although the share of waiting (view `evidence_load`) is not above `notable`.
        With a larger share, waiting for data is a cause: see `load_share_high` and `gpu_starved_by_loader`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: GPU utilization below which the GPU counts as idle. Default: 0.5.
            notable: Share of waiting up to which waiting for data is not a cause. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_low_not_loader().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_low_not_loader", run, low=low, notable=notable)

    def gpu_memory_growth(
        self,
        run: str | list[str] | None = None,
        *,
        points: float = 5.0,
        factor: float = 1.1,
        rising: float = 0.8,
        min_values: int = 50,
    ) -> Frame:
        """Does the memory use of a GPU keep growing?

        With more than 1000 samples in percent, this is smdebug's rule GPUMemoryIncrease: the mean of ten values exceeds
        the mean of the values before by more than `points` percentage points. With fewer samples, or if the memory
        allocated by an allocator was logged instead, the last tenth of the values is compared with the second tenth, as
        in `host_memory_growth`. Column `threshold` has the limit that applies.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            points: Growth in percentage points of device memory above which the finding is a warning. Default: 5.
            factor: Ratio of the last tenth to the second tenth above which memory grows. Default: 1.1.
            rising: Minimum share of the changes between tenths that go up. Default: 0.8.
            min_values: Minimum number of values, at least 10. Default: 50.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_memory_growth().columns[0]
            'run'
        """
        return self._session.query(
            "finding.gpu_memory_growth",
            run,
            points=points,
            factor=factor,
            rising=rising,
            min_values=min_values,
        )

    def gpu_memory_peak(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.97,
        notice: float = 0.9,
    ) -> Frame:
        """Is the memory of a GPU nearly full?

        The value is the maximum share of device memory that an allocator had allocated, or that samples show in use
        (view `evidence_memory`). Samples include memory that the allocator only caches. A high share in samples is
        therefore not always a risk. The sentence names the source.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share above which the finding is a warning. Default: 0.97.
            notice: Share above which the finding is a notice. Default: 0.9.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_memory_peak().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_memory_peak", run, warning=warning, notice=notice)

    def gpu_starved_by_loader(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.5,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Are the GPUs idle because data arrives too slowly?

        GPU utilization is below `low` while the share of waiting (view `evidence_load`) is above `high`: waiting for
        data is the main cause. A share between `notable` and `high` (0.05 and 0.2 by default) is too small for this
        finding. `load_share_high` reports it as a notice, and `unattributed` names it as one cause.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: GPU utilization below which the GPU counts as idle. Default: 0.5.
            high: Share of waiting above which it is high. Default: 0.2.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_starved_by_loader().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_starved_by_loader", run, low=low, high=high, notable=notable)

    def gpu_underused(self, run: str | list[str] | None = None, *, limit: float = 0.7, patience: int = 1000) -> Frame:
        """Does a GPU have little work?

        This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than
        `patience` values: the 95th percentile of the last 500 values of a GPU is below `limit`. The value is the
        minimum over all GPUs and minutes (view `evidence_minute`). Minutes at the end of a run, after training has
        ended, count too.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 95th percentile of utilization below which a GPU is underused. Default: 0.7.
            patience: Number of values; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.gpu_underused().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_underused", run, limit=limit, patience=patience)

    def host_memory_growth(
        self,
        run: str | list[str] | None = None,
        *,
        factor: float = 1.1,
        rising: float = 0.8,
        min_values: int = 50,
    ) -> Frame:
        """Does the use of main memory keep growing?

        The mean of the last tenth of the values is above `factor` times that of the second tenth, and at least `rising`
        of the nine changes between the means of the tenths go up (view `evidence_growth`). The main memory of each
        machine is one series. In recordings of `tracelake record`, each process is also a series. The finding checks
        one series: the one that grows most. Series that go up that often have priority.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Ratio of the last tenth to the second tenth above which memory grows. Default: 1.1.
            rising: Minimum share of the changes between tenths that go up. Default: 0.8.
            min_values: Minimum number of values, at least 10. Default: 50.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.host_memory_growth().columns[0]
            'run'
        """
        return self._session.query(
            "finding.host_memory_growth",
            run,
            factor=factor,
            rising=rising,
            min_values=min_values,
        )

    def host_to_device_copy(
        self,
        run: str | list[str] | None = None,
        *,
        notice: float = 0.1,
        warning: float = 0.2,
    ) -> Frame:
        """Do copies to the device delay the steps?

        The value is the share of step time in which a copy runs and no kernel runs (exposed copies, view
        `evidence_role`), for the rank with the largest share. At least half of the copy time must go from host to
        device.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notice: Share from which the finding is a notice. Default: 0.1.
            warning: Share from which the finding is a warning. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.host_to_device_copy().columns[0]
            'run'
        """
        return self._session.query("finding.host_to_device_copy", run, notice=notice, warning=warning)

    def ideal_speedup(
        self,
        run: str | list[str] | None = None,
        *,
        critical: float = 1.5,
        warning: float = 1.1,
    ) -> Frame:
        """How much faster would an epoch be without data loading?

        The value is the real time of a pass divided by its ideal time. The ideal time is that of a pass that replays
        batches cached in memory.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            critical: Speed-up above which the finding is critical: loading is the bottleneck. Default: 1.5.
            warning: Speed-up above which the finding is a warning: there is something to gain. Default: 1.1.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.ideal_speedup().columns[0]
            'run'
        """
        return self._session.query("finding.ideal_speedup", run, critical=critical, warning=warning)

    def input_ready(self, run: str | list[str] | None = None, *, ratio: float = 0.95) -> Frame:
        """Is data ready before the loop requests it?

        The value is the share of waits of at most 50 us. From `ratio` on, data is ready in time because prefetching is
        ahead of training. This finding is for information only: its outcome is `passed` or `no_data`, never `found`. A
        low share is not a problem by itself; `load_share_high` checks whether the waits slow training down.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            ratio: Share of waits of at most 50 us from which data counts as ready. Default: 0.95.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.input_ready().columns[0]
            'run'
        """
        return self._session.query("finding.input_ready", run, ratio=ratio)

    def io_bottleneck(self, run: str | list[str] | None = None, *, limit: float = 0.5, patience: int = 1000) -> Frame:
        """Are GPUs idle because disks or the network cannot keep up?

        This is smdebug's rule IOBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is below 10
        % while a core spends more than half of its time in I/O wait. More than `patience` snapshots are required. A
        snapshot is a set of samples with nearly the same time. It counts if it has samples of both a GPU and the I/O
        wait (view `evidence_machine`). `rules.io_bottleneck` counts all snapshots.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Share of snapshots above which I/O is a bottleneck. Default: 0.5.
            patience: Number of snapshots; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.io_bottleneck().columns[0]
            'run'
        """
        return self._session.query("finding.io_bottleneck", run, limit=limit, patience=patience)

    def launch_bound(self, run: str | list[str] | None = None, *, waiting: float = 0.5, busy: float = 0.8) -> Frame:
        """Is the GPU idle because the host has not launched its next work yet?

        The GPU is not busy, waiting for data explains less than half of its idle time, and most of the idle time of its
        main stream passes before the next work is launched (`host_wait` of HTA's idle time breakdown). Kernels may be
        of any size; `small_kernels` checks whether they are small.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            waiting: Share of idle time above which the host is the cause. Default: 0.5.
            busy: GPU utilization from which the GPU counts as busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.launch_bound().columns[0]
            'run'
        """
        return self._session.query("finding.launch_bound", run, waiting=waiting, busy=busy)

    def load_share_high(
        self,
        run: str | list[str] | None = None,
        *,
        critical: float = 0.3,
        warning: float = 0.2,
        notice: float = 0.05,
    ) -> Frame:
        """Does training wait for data?

        The value is the share of waiting of view `evidence_load`, by the best measure that the profiles allow. The
        sentence names the measure. Above `notice` the finding is a notice, above `warning` a warning, above `critical`
        critical. A value equal to a limit is not above it. The potential saving is the waiting beyond `notice`. First
        batches of a pass are excluded where each batch was timed; `loader_ratio` of `loader.share` includes them.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            critical: Share above which the finding is critical: loading is the bottleneck. Default: 0.3.
            warning: Share above which the finding is a warning. Default: 0.2.
            notice: Share above which the finding is a notice. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.load_share_high().columns[0]
            'run'
        """
        return self._session.query("finding.load_share_high", run, critical=critical, warning=warning, notice=notice)

    def load_share_startup_only(
        self,
        run: str | list[str] | None = None,
        *,
        bottleneck: float = 0.3,
        notable: float = 0.05,
    ) -> Frame:
        """Does only the start of each epoch wait for data?

        The share of waiting over all batches is above `bottleneck`, but without the first batch of each pass it is not.
        A short recording then shows the start of the workers rather than training.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Share above which loading is the bottleneck. Default: 0.3.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.load_share_startup_only().columns[0]
            'run'
        """
        return self._session.query("finding.load_share_startup_only", run, bottleneck=bottleneck, notable=notable)

    def loader_outliers(self, run: str | list[str] | None = None, *, ratio: float = 0.05) -> Frame:
        """Do some batches take much longer than the others?

        Counts waits of at least twice the median. First batches of a pass are excluded from the count and from the
        median. If a run has several loops, the sentence is about the loop with the largest share of such waits. The
        potential saving is the longest wait of that loop.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            ratio: Share of such waits above which the finding is a notice. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.loader_outliers().columns[0]
            'run'
        """
        return self._session.query("finding.loader_outliers", run, ratio=ratio)

    def loader_reinitialized(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.05,
        notice: float = 0.01,
    ) -> Frame:
        """Does the loader restart its workers for every pass?

        A process creates at least two iterators, and at least as many as it makes passes over its data. The value is
        the share of time spent on creating iterators. Above `notice` the finding is a notice, above `warning` a warning
        (view `evidence_setup`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share of the time above which the finding is a warning. Default: 0.05.
            notice: Share of the time above which the finding is a notice. Default: 0.01.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.loader_reinitialized().columns[0]
            'run'
        """
        return self._session.query("finding.loader_reinitialized", run, warning=warning, notice=notice)

    def loader_straggler(
        self,
        run: str | list[str] | None = None,
        *,
        notice: float = 0.1,
        warning: float = 0.2,
    ) -> Frame:
        """Does one rank wait longer for its data than the other ranks?

        The value is the mean wait for a batch on the rank that waits longest, minus the median over the ranks, divided
        by the mean time of a batch (view `evidence_rank`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notice: Share of the time of a batch above which the finding is a notice. Default: 0.1.
            warning: Share of the time of a batch above which the finding is a warning. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.loader_straggler().columns[0]
            'run'
        """
        return self._session.query("finding.loader_straggler", run, notice=notice, warning=warning)

    def no_workers(self, run: str | list[str] | None = None, *, warning: float = 0.2, notable: float = 0.05) -> Frame:
        """Does the training process load its own data and wait for it?

        The loader has no worker processes, and the share of waiting (view `evidence_load`) is above `warning`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share of waiting above which the finding is a warning. Default: 0.2.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.no_workers().columns[0]
            'run'
        """
        return self._session.query("finding.no_workers", run, warning=warning, notable=notable)

    def out_of_memory(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did training run out of memory?

        Counts out-of-memory errors of main memory and of GPU memory that a recording contains, or that CUDA's allocator
        counted (view `evidence_incident`). An error that the program caught also counts.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Errors above which the finding is critical, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.out_of_memory().columns[0]
            'run'
        """
        return self._session.query("finding.out_of_memory", run, limit=limit)

    def pin_memory_off(self, run: str | list[str] | None = None, *, used: float = 0.0) -> Frame:
        """Are batches copied to the GPU from memory that is not pinned?

        A loader has `pin_memory` set to false, and a GPU is used: its utilization is above `used` (view
        `evidence_setup`). A copy from memory that is not pinned is slower, and the host waits for it. The copies in a
        trace show whether that matters.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            used: GPU utilization above which a GPU counts as used. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.pin_memory_off().columns[0]
            'run'
        """
        return self._session.query("finding.pin_memory_off", run, used=used)

    def profiler_overhead(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.2,
        notice: float = 0.05,
    ) -> Frame:
        """Did the profiler itself take much of the recorded time?

        The value is the share of a recording in which the trace reports work of the profiling library (view
        `evidence_profiler`). Above `notice` the finding is a notice, above `warning` a warning. Durations in such a
        recording are longer than in training without the profiler.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share above which the finding is a warning. Default: 0.2.
            notice: Share above which the finding is a notice. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.profiler_overhead().columns[0]
            'run'
        """
        return self._session.query("finding.profiler_overhead", run, warning=warning, notice=notice)

    def rank_imbalance(self, run: str | list[str] | None = None, *, limit: float = 0.2, patience: int = 1000) -> Frame:
        """Do the GPUs of a run have different loads?

        This is smdebug's rule LoadBalancing: the Jensen-Shannon distance between the utilization histograms of two GPUs
        is above `limit`. Each GPU must have more than `patience` values. The value is the maximum distance over all
        pairs (view `evidence_pair`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Distance above which the loads differ; 0 means equal, 0.83 means no overlap. Default: 0.2.
            patience: Number of values of each GPU; more than this many are required, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.rank_imbalance().columns[0]
            'run'
        """
        return self._session.query("finding.rank_imbalance", run, limit=limit, patience=patience)

    def rank_straggler(
        self,
        run: str | list[str] | None = None,
        *,
        warning: float = 0.1,
        critical: float = 0.2,
    ) -> Frame:
        """Does one rank delay the other ranks?

        Checks the rank that delays the others most because it arrives last at collectives (view `evidence_rank`). The
        value is this delay minus that of the rank with the next largest delay, divided by step time. If different ranks
        are late alternately, the value is small. The sentence names the activity that takes the most extra time on that
        rank compared with the others.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            warning: Share of step time above which the finding is a warning. Default: 0.1.
            critical: Share of step time above which the finding is critical. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.rank_straggler().columns[0]
            'run'
        """
        return self._session.query("finding.rank_straggler", run, warning=warning, critical=critical)

    def slow_initialization(self, run: str | list[str] | None = None, *, minutes: float = 20.0) -> Frame:
        """Does it take long until training starts?

        The value is the time from the first sample of the machine to the first step, in minutes. If no steps were
        recorded, it is the time to the first request for a batch (view `evidence_start`). This is smdebug's rule
        MaxInitializationTime, for runs with a known start of the job.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            minutes: Minutes until the start of training above which the finding is a warning. Default: 20.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.slow_initialization().columns[0]
            'run'
        """
        return self._session.query("finding.slow_initialization", run, minutes=minutes)

    def slow_sample(self, run: str | list[str] | None = None, *, limit: int = 10000000, notable: float = 0.05) -> Frame:
        """Does it take long to read one item?

        The value is the mean time of an item, or of a call of `__getitem__` in a Python profile.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Ns above which an item is slow, at least 0. Default: 10000000.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.slow_sample().columns[0]
            'run'
        """
        return self._session.query("finding.slow_sample", run, limit=limit, notable=notable)

    def small_kernels(self, run: str | list[str] | None = None, *, short: int = 25000, busy: float = 0.8) -> Frame:
        """Are the kernels too small to keep the GPU busy?

        The mean kernel duration is at most `short`, the GPU is not busy, and waiting for data explains less than half
        of its idle time. `launch_bound` checks whether the host launches work too late.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            short: Mean kernel duration in ns up to which kernels are small. Default: 25000.
            busy: GPU utilization from which the GPU counts as busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.small_kernels().columns[0]
            'run'
        """
        return self._session.query("finding.small_kernels", run, short=short, busy=busy)

    def step_outliers(self, run: str | list[str] | None = None, *, n_outliers: int = 10, patience: int = 100) -> Frame:
        """Did some steps last much longer than the others, and what took the extra time?

        This is smdebug's rule StepOutlier: more than `n_outliers` steps of a process last longer than the mean plus 3
        standard deviations. More than `patience` steps are required. The sentence names the activity (kernels, copies,
        waiting for data, ...) that takes most of the extra time, if a trace shows it. It also states the number of
        steps between outliers, if that is constant.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            n_outliers: Number of outliers above which the finding is a warning. Default: 10.
            patience: Number of steps; more than this many are required. Default: 100.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.step_outliers().columns[0]
            'run'
        """
        return self._session.query("finding.step_outliers", run, n_outliers=n_outliers, patience=patience)

    def tensor_cores_unused(
        self,
        run: str | list[str] | None = None,
        *,
        capability: float = 7.0,
        eligible: float = 0.0,
    ) -> Frame:
        """Do convolutions and matrix multiplications run without tensor cores?

        A device has tensor cores, no kernel uses them, and there are operators that could use them (view
        `evidence_kernel`). Only NVIDIA devices are checked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            capability: Compute capability from which a device has tensor cores. Default: 7.
            eligible: Share of kernel time that could run on tensor cores above which the finding is a warning. Default:
                0.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.tensor_cores_unused().columns[0]
            'run'
        """
        return self._session.query("finding.tensor_cores_unused", run, capability=capability, eligible=eligible)

    def unattributed(
        self,
        run: str | list[str] | None = None,
        *,
        busy: float = 0.8,
        waiting: float = 0.05,
        communication: float = 0.1,
        copies: float = 0.1,
        short: int = 25000,
        launches: float = 0.5,
    ) -> Frame:
        """Is the GPU idle without a recorded cause?

        The GPU is not busy, and no recorded data shows one of these causes: waiting for data, communication, copies,
        small kernels or late launches. The sentence names the data that was not recorded. The limits are those from
        which the other findings report these activities. For waiting this is the low limit `waiting` (0.05 by default):
        above it, `load_share_high` is a notice and waiting is one cause. `gpu_starved_by_loader` has a higher limit
        (0.2 by default), because it reports waiting as the main cause. With a share between these two limits, both
        findings pass.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            busy: GPU utilization from which the GPU counts as busy. Default: 0.8.
            waiting: Share of waiting for data above which it is a cause. Default: 0.05.
            communication: Share of communication above which it is a cause. Default: 0.1.
            copies: Share of copies from which they are a cause. Default: 0.1.
            short: Mean kernel duration in ns up to which kernels are small. Default: 25000.
            launches: Share of idle time before the next launch above which late launches are a cause. Default: 0.5.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.unattributed().columns[0]
            'run'
        """
        return self._session.query(
            "finding.unattributed",
            run,
            busy=busy,
            waiting=waiting,
            communication=communication,
            copies=copies,
            short=short,
            launches=launches,
        )

    def very_slow_sample(self, run: str | list[str] | None = None, *, limit: int = 1000000000) -> Frame:
        """Do some items take very long to read?

        The value is the longest time of an item. Without recorded item times, the finding uses the incidents of slow
        items that the recorder wrote.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Ns above which an item is very slow, at least 0. Default: 1000000000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.very_slow_sample().columns[0]
            'run'
        """
        return self._session.query("finding.very_slow_sample", run, limit=limit)

    def warmup_steps(self, run: str | list[str] | None = None, *, factor: float = 2.0, min_steps: int = 5) -> Frame:
        """Did the first steps take much longer than the others?

        Compares the first step of a process with the median of its steps (view `evidence_step`). The first step
        includes compilation, allocation and cold caches. A benchmark that counts it measures these too. If steps become
        long again later, for example because a graph is recompiled, `step_outliers` reports them.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Ratio of the first step to the median from which the finding is a notice. Default: 2.0.
            min_steps: Minimum number of steps for a median. Default: 5.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.warmup_steps().columns[0]
            'run'
        """
        return self._session.query("finding.warmup_steps", run, factor=factor, min_steps=min_steps)

    def worker_count_vs_cores(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.7,
        high: float = 2.0,
        seconds: int = 10,
        warning: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Does the loader have too few or too many workers for the cores?

        This is smdebug's rule Dataloader. It counts the live workers of a machine in each second. The value is the
        median of these counts divided by the number of cores, for the machine where it is farthest from one worker per
        core (view `evidence_cores`). The finding is a notice. It is a warning if the share of waiting (view
        `evidence_load`) is above `warning`, because too few or too many workers then slow training down. Only then is
        there a potential saving: the waiting beyond `notable`, above which `load_share_high` is a notice.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Workers per core below which there are too few. Default: 0.7.
            high: Workers per core above which there are too many. Default: 2.0.
            seconds: Number of seconds with workers; more than this many are required. Default: 10.
            warning: Share of waiting above which the finding is a warning. Default: 0.2.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.worker_count_vs_cores().columns[0]
            'run'
        """
        return self._session.query(
            "finding.worker_count_vs_cores",
            run,
            low=low,
            high=high,
            seconds=seconds,
            warning=warning,
            notable=notable,
        )

    def worker_exit(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did a worker of the loader exit unexpectedly?

        Counts the incidents of kind `worker_exit` in recordings (view `evidence_incident`): PyTorch reported that a
        worker exited unexpectedly or was killed by a signal.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Incidents above which the finding is critical, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.worker_exit().columns[0]
            'run'
        """
        return self._session.query("finding.worker_exit", run, limit=limit)

    def worker_timeout(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did training time out while it waited for a worker?

        Counts the incidents of kind `worker_timeout` in recordings (view `evidence_incident`): PyTorch reported
        `DataLoader timed out`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Incidents above which the finding is critical, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.worker_timeout().columns[0]
            'run'
        """
        return self._session.query("finding.worker_timeout", run, limit=limit)

    def workers_needed(self, run: str | list[str] | None = None, *, notable: float = 0.05) -> Frame:
        """Are there too few workers for the pace of training?

        The number of workers needed is the batch size times the mean time of an item, divided by the mean compute time
        of a batch, rounded up. With that many workers, loading keeps up with computation. The finding also requires
        that the share of waiting is above `notable`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notable: Share of waiting above which the finding applies; the potential saving is the waiting beyond it.
                Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.workers_needed().columns[0]
            'run'
        """
        return self._session.query("finding.workers_needed", run, notable=notable)

    def workers_saturated(
        self,
        run: str | list[str] | None = None,
        *,
        gain: float = 0.1,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Do more workers no longer help?

        Compares loops of the same run that have different numbers of workers. The finding requires that the share of
        waiting is above `high`. In addition, the best rate is not reached with the maximum number of workers, or the
        last doubling of workers gained less than `gain`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gain: Minimum share that the last doubling of workers must gain. Default: 0.1.
            high: Share of waiting above which the finding applies. Default: 0.2.
            notable: Acceptable share of waiting; the potential saving is the waiting beyond it. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was checked; null for no_data
            - `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not
              applicable
            - `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of
              findings with one cause
            - `cause` (text, text): cause of the finding
            - `recommendation` (text, text): recommended action
            - `evidence` (text, name): canned queries that return the evidence, separated by commas

        Example:
            >>> s.finding.workers_saturated().columns[0]
            'run'
        """
        return self._session.query("finding.workers_saturated", run, gain=gain, high=high, notable=notable)


class Fleet(Family):
    """Queries of the family `fleet`, as `s.fleet`."""

    __slots__ = ()

    def regressions(
        self,
        run: str | list[str] | None = None,
        *,
        metric: str = "step_p50",
        order_by: str | None = None,
        series: str | None = None,
        max_p: float = 0.01,
        min_runs: int = 5,
        min_change: float = 0.01,
    ) -> Frame:
        """After which runs did the level of a key metric change?

        One row per change of level: `run` is the first run after the change, `previous` the last run before it. The
        query cuts the runs of a series where the ranks of their values before and after differ most. It cuts only if
        chance makes such a difference in at most a share `max_p` of 1000 shuffles of the same runs. Then it searches
        both sides again (window function `change_point`). A single slow run is therefore not a change. No distribution
        is assumed, only that runs are independent of each other: a metric that drifts is cut more than once. A change
        is detected when `min_runs` runs have followed it. With the defaults, ten runs before and five after are enough
        if their values do not overlap.

        `before` and `after` are the medians on both sides, from the previous change to the next one. `confidence` is
        high if no shuffle reached such a difference and both sides have at least ten runs. Otherwise it is medium.
        `worse` says whether the change is for the worse.

        A filter on `run` selects the rows that are shown. The changes are computed over all runs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            metric: Name of the metric, see view `run_metric`. Default: 'step_p50'.
            order_by: Attribute that orders the runs, such as the number of a commit; null for the start. Default: null.
            series: Attribute that divides the runs, such as the model; null for one series. Default: null.
            max_p: Maximum share of shuffles that make such a change by chance. Default: 0.01.
            min_runs: Minimum number of runs on each side of a change, at least 1. Default: 5.
            min_change: Minimum relative change of the median; smaller changes are not shown, at least 0. Default: 0.01.

        Returns:
            One frame, ordered by `series`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `series` (text, name): value of the attribute that divides the runs into series; null without one
            - `position` (bigint, id): position in its group, from 1
            - `started` (bigint, time): earliest time in its profile
            - `order_value` (text, name): value of the attribute that orders the runs; null without one
            - `previous` (text, id): last run before the change
            - `metric` (text, name): name of the metric
            - `before` (double, mixed): median of the runs before
            - `after` (double, mixed): median of the runs behind
            - `relative_change` (double, factor): change relative to the value before, 0.05 is 5 % more; the median
              before the change
            - `worse` (boolean, flag): whether that is to the worse; null where neither direction is
            - `runs_before` (bigint, count): runs before, up to the change before
            - `runs_after` (bigint, count): runs behind, up to the next change
            - `p` (double, ratio): share of 1000 shuffles that make such a change by chance
            - `confidence` (text, name): high or medium

        Example:
            >>> s.fleet.regressions().columns[0]
            'run'
        """
        return self._session.query(
            "fleet.regressions",
            run,
            metric=metric,
            order_by=order_by,
            series=series,
            max_p=max_p,
            min_runs=min_runs,
            min_change=min_change,
        )

    def runs(self, run: str | list[str] | None = None, *, attribute: str | None = None) -> Frame:
        """Which runs are there, and what are the key metrics of each?

        One row per run, from table `run` alone. The query reads no rows of a profile, so it is fast even for thousands
        of runs. The key metrics are those of `job.key_metrics` at the last ingest. `gpu_idle_ratio` and its parts are
        shares of the GPU-seconds. They are upper bounds of the potential saving.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            attribute: Attribute to show in column `attribute_value`, such as commit or model. Default: null.

        Returns:
            One frame, ordered by `started`, `run`, with these columns.

            - `run` (text, id): name of the run
            - `started` (bigint, time): earliest time in its profile
            - `framework` (text, name): framework that wrote the profile
            - `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data;
              `job.verdict` looks closer
            - `steps` (bigint, count): steps over all modes and recordings
            - `step_p50` (double, ns): median step of the main mode
            - `step_p95` (double, ns): 95th percentile of that
            - `loader_ratio` (double, ratio): share of loop time spent waiting for data; waits over waits and steps,
              mean over the processes
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            - `ranks` (bigint, count): ranks; null when none is known
            - `gpus` (bigint, count): devices that worked or were measured
            - `recorded_s` (double, s): time that recordings cover
            - `gpu_s` (double, s): GPU-seconds that the recordings cover
            - `gpu_idle_ratio` (double, ratio): share of the GPU-seconds without computing and copying
            - `gpu_idle_loader_ratio` (double, ratio): share of GPU-seconds idle while the process waited for data; an
              upper bound
            - `gpu_idle_communication_ratio` (double, ratio): share in communication alone
            - `gpu_idle_other_ratio` (double, ratio): share of all else
            - `attribute_value` (text, text): value of the attribute that was asked for
            - `attributes` (text, json): tags, and what the profile says of the whole run

        Example:
            >>> s.fleet.runs().columns[0]
            'run'
        """
        return self._session.query("fleet.runs", run, attribute=attribute)

    def trend(
        self,
        run: str | list[str] | None = None,
        *,
        metric: str = "step_p50",
        order_by: str | None = None,
        series: str | None = None,
        window: int = 20,
    ) -> Frame:
        """How did a key metric change from run to run?

        One row per run with a known value, in the order in which the runs started or in that of an attribute. View
        `run_metric` has the names of the metrics. `median` is that of the `window` runs before it in its series.
        `relative_change` is the difference of the run from that median: 0.05 is 5 % more. Both are null for the first
        run of a series. `fleet.regressions` shows which changes are more than noise.

        A filter on `run` selects the rows that are shown. The medians are those of all runs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            metric: Name of the metric, see view `run_metric`. Default: 'step_p50'.
            order_by: Attribute that orders the runs, such as the number of a commit; null for the start. Default: null.
            series: Attribute that divides the runs, such as the model; null for one series. Default: null.
            window: Number of runs in the rolling median, at least 1. Default: 20.

        Returns:
            One frame, ordered by `series`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `series` (text, name): value of the attribute that divides the runs into series; null without one
            - `position` (bigint, id): position in its group, from 1
            - `started` (bigint, time): earliest time in its profile
            - `order_value` (text, name): value of the attribute that orders the runs; null without one
            - `metric` (text, name): name of the metric
            - `value` (double, mixed): its value, in the unit that it has in table `run`
            - `median` (double, mixed): median of the runs before it
            - `relative_change` (double, factor): change relative to the value before, 0.05 is 5 % more; the median of
              the runs before

        Example:
            >>> s.fleet.trend().columns[0]
            'run'
        """
        return self._session.query("fleet.trend", run, metric=metric, order_by=order_by, series=series, window=window)

    def waste(self, run: str | list[str] | None = None) -> Frame:
        """How much device time was idle, and why?

        One row per run and cause. `communication`: only collectives ran. `loader`: the device had no work while its
        process waited for a batch. `other`: everything else, such as a host that launches too little. `unknown`: idle
        by samples of its utilization, which do not show the cause. The causes of a run add up to all of its idle time.
        Each cause is an upper bound. A device may be idle for two reasons at once, and time saved in one place may be
        spent waiting in the next.

        Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs with known
        devices and are the same in all rows of a cause. A filter on `run` does not change them.

        Excluded: causes without any time, and runs with neither kernels nor samples of GPU utilization.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `idle_cause`, with these columns.

            - `run` (text, id): name of the run
            - `idle_cause` (text, name): communication, loader, other or unknown
            - `idle_s` (double, s): idle GPU-seconds of this cause; an upper bound
            - `gpu_s` (double, s): GPU-seconds that the recordings cover
            - `ratio` (double, ratio): `idle_s` over `gpu_s`
            - `fleet_s` (double, s): idle GPU-seconds of this cause over all runs
            - `fleet_ratio` (double, ratio): that over the GPU-seconds of all runs

        Example:
            >>> s.fleet.waste().columns[0]
            'run'
        """
        return self._session.query("fleet.waste", run)


class Function(Family):
    """Queries of the family `function`, as `s.function`."""

    __slots__ = ()

    def by_phase(
        self,
        run: str | list[str] | None = None,
        *,
        by: str = "own",
        limit: int = 20,
        modes: bool = False,
    ) -> Frame:
        """Which Python functions took most time in each phase of the job?

        One row per phase, function and process. Phases are `initialization` (up to the first step), `training_loop` and
        `finalization` (after the last step). With `modes`, each pair of modes in which profiles begin and end has its
        own rows. All profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of
        pyinstrument are added up separately.

        The phases are those of `fetch_profile_stats_by_job_phase` and, with `modes`,
        `fetch_profile_stats_by_training_phase` of smdebug. The latter has only the last pair of modes for
        `initialization` and `finalization`.

        Excluded: profiles that do not record what they cover.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown for each phase, at least 1. Default: 20.
            modes: Whether each pair of modes has its own rows. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `job_phase`, `start_mode`, `end_mode`, `position`,
            with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `job_phase` (text, name): initialization, training_loop or finalization
            - `start_mode` (text, name): mode in which the profiles begin; null without `modes`
            - `end_mode` (text, name): mode in which the profiles end; null without `modes`
            - `position` (bigint, id): position in its group, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in the file
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in it alone
            - `cumulative_s` (double, s): time in it and all it called
            - `ratio` (double, ratio): `own_s` over that of all functions of the phase

        Example:
            >>> s.function.by_phase().columns[0]
            'run'
        """
        return self._session.query("function.by_phase", run, by=by, limit=limit, modes=modes)

    def by_window(
        self,
        run: str | list[str] | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        first_step: int | None = None,
        last_step: int | None = None,
        mode: str | None = None,
        by: str = "own",
        limit: int = 20,
    ) -> Frame:
        """Which Python functions took most time in a time window or a range of steps?

        One row per function and process. Profiles that overlap the window count as a whole: a profile is a sum and
        cannot be cut. Windows and profiles that only touch do not overlap. A range of steps includes its first and last
        step. It selects profiles that cover a part of one of its steps or lie between two of them. All profiles of a
        process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of pyinstrument are added up
        separately.

        Excluded: profiles that do not record what they cover. `fetch_profile_stats_by_time` of smdebug also excludes a
        profile that contains the window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Start of the window, in ns since the Unix epoch; null for the first profile. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last profile. Default: null.
            first_step: First step of the range; null for all steps up to `last_step`. Default: null.
            last_step: Last step of the range; null for all steps from `first_step` on. Default: null.
            mode: Only profiles that begin and end in this mode: train, eval, predict or global. Default: null.
            by: Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown for each process, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `position` (bigint, id): position in its group, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in the file
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in it alone
            - `cumulative_s` (double, s): time in it and all it called
            - `ratio` (double, ratio): `own_s` over that of all functions of the window

        Example:
            >>> s.function.by_window().columns[0]
            'run'
        """
        return self._session.query(
            "function.by_window",
            run,
            start=start,
            end=end,
            first_step=first_step,
            last_step=last_step,
            mode=mode,
            by=by,
            limit=limit,
        )

    def callers(
        self,
        run: str | list[str] | None = None,
        *,
        function: str | None = None,
        limit: int | None = None,
    ) -> Frame:
        """Which functions called each Python function, and how long did the calls take?

        One row per function, caller and process. A function without any caller has one row with a null caller. All
        profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of pyinstrument are
        added up separately. Times are those of the called function while it was called from this caller. `ratio` is the
        share of its cumulative time.

        Excluded: reports of Lightning, which do not record callers. The dumps of Lightning's profiler do record them.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            function: Text within `file:line(function)` of the called function; null for all. Default: null.
            limit: Rows shown for each process, those with most time; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `function`, `cumulative_s desc`, `caller`, with
            these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `function` (text, name): name of the function; as file:line(function)
            - `function_own_s` (double, s): time in it, from all callers
            - `function_cumulative_s` (double, s): time in it and all it called, from all callers
            - `caller` (text, name): calling function; null if there is none
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in it alone; of its calls from this caller
            - `cumulative_s` (double, s): time in it and all it called; of its calls from this caller
            - `ratio` (double, ratio): `cumulative_s` over that from all callers

        Example:
            >>> s.function.callers().columns[0]
            'run'
        """
        return self._session.query("function.callers", run, function=function, limit=limit)

    def modules(self, run: str | list[str] | None = None) -> Frame:
        """How much time did each module of the model take, on the host and on the device?

        One row per chain of modules on a process rank, from traces that record modules (`with_modules=True` and
        `with_stack=True` of the PyTorch profiler). `path_id` identifies the chain of names and is the same in every
        run. `host_self` excludes the calls inside: other modules, operators and calls into the runtime. `device_self`
        is the device work launched inside this module and no other. `device_total` also has the device work of the
        modules inside. Both add up durations, so parallel device work counts more than once.

        The backward pass runs on another thread, which no module encloses. Its time is in `operator.call_tree`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `depth`, `module`, `path_id`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `path_id` (bigint, id): identifies the path of names from the outermost to this one, in any run
            - `parent_id` (bigint, id): `path_id` of the enclosing row; null for the outermost
            - `depth` (bigint, count): rows that enclose it
            - `module` (text, name): class and number of the module
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside

        Example:
            >>> s.function.modules().columns[0]
            'run'
        """
        return self._session.query("function.modules", run)

    def profiles(self, run: str | list[str] | None = None) -> Frame:
        """Which Python profiles are there, and what do they cover?

        One row per file of cProfile or pyinstrument, as in `list_profile_stats` of smdebug, and one per action in a
        report of Lightning's AdvancedProfiler. Profiles of SageMaker Debugger reach from one phase of a step to
        another. The name of their folder records these phases. Dumps and reports of Lightning record stage and action.
        For other profiles, the coverage is not known.

        A profile of a Lightning action does not contain the functions of the actions inside it: while these run, the
        outer action is not profiled.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `ts`, `profile`, `report`, `stage`, `action`, with
            these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `profile` (text, id): profile within the run: path of its file
            - `job_phase` (text, name): initialization, training_loop or finalization
            - `start_mode` (text, name): mode in which the profiles begin; train, eval, predict, global or, before the
              first step, prestepzero
            - `start_step` (bigint, id): step in which it begins; null before the first
            - `start_phase` (text, name): start, stepstart, forwardpassend or stepend
            - `end_mode` (text, name): mode in which the profiles end; train, eval, predict, global or, after the last
              step, posthookclose
            - `end_step` (bigint, id): step in which it ends; null behind the last
            - `end_phase` (text, name): stepstart, forwardpassend, stepend or end
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length
            - `functions` (bigint, count): functions in it
            - `own_s` (double, s): time in it alone
            - `stage` (text, name): stage of Lightning: fit, validate, test or predict; else null
            - `action` (text, name): name of the action of Lightning; else null
            - `report` (bigint, id): report within the file, from 0; null where a file is one profile

        Example:
            >>> s.function.profiles().columns[0]
            'run'
        """
        return self._session.query("function.profiles", run)

    def python_trace(self, run: str | list[str] | None = None) -> Frame:
        """How much time did each Python function take, and how much device work did it launch?

        One row per function and process rank, from traces that record every call (`with_stack=True` of the PyTorch
        profiler). `host_total` is the time in calls, added up over the threads; recursion counts once. `host_self`
        excludes the Python functions called inside, but not the operators. Modules appear as functions named
        `nn.Module: ...`, and `function.modules` has their tree. A function of the interpreter (`<built-in method ...>`)
        has no file.

        Device work counts for all functions that enclose the launching call on the same thread. Traces of PyTorch 2.3
        to 2.7 have functions on a separate thread, where device work is 0.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `function`, `file`, `line`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `function` (text, name): name of the function
            - `file` (text, name): source file; null for built-in functions and modules
            - `line` (bigint, id): line in the file
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside

        Example:
            >>> s.function.python_trace().columns[0]
            'run'
        """
        return self._session.query("function.python_trace", run)

    def top(self, run: str | list[str] | None = None, *, by: str = "own", limit: int = 20) -> Frame:
        """Which Python functions took most time, or were called most often?

        One row per function and process. All profiles of a process are added up, as `pstats.Stats.add` does. Profiles
        of cProfile, profiles of pyinstrument and reports of Lightning are added up separately. Reports of Lightning
        have file names without folders, and may list only the first functions of each action. `cumulative_s` counts
        recursion once. It includes the time of called functions, so its sum over functions has no meaning. For traces
        that record every call, `function.python_trace` has the same numbers.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown for each process, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or
              lightning_advanced
            - `position` (bigint, id): position in its group, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in the file
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in it alone
            - `cumulative_s` (double, s): time in it and all it called
            - `ratio` (double, ratio): `own_s` over that of all functions of the process

        Example:
            >>> s.function.top().columns[0]
            'run'
        """
        return self._session.query("function.top", run, by=by, limit=limit)


class Incident(Family):
    """Queries of the family `incident`, as `s.incident`."""

    __slots__ = ()

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """What went wrong in the job, how often, and where first?

        One row per run and kind of incident: slow_item, exception, out_of_memory, worker_timeout, worker_exit,
        program_exit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `kind`, with these columns.

            - `run` (text, id): name of the run
            - `kind` (text, name): what happened
            - `incidents` (bigint, count): how often
            - `ranks` (bigint, count): ranks; those with such an incident
            - `workers` (bigint, count): workers that it happened in
            - `items` (bigint, count): different items that it is about
            - `ts` (bigint, time): when it happened first
            - `last_ts` (bigint, time): when it happened last
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `worker` (bigint, id): worker number; of the first incident; null when it was none, or unknown
            - `item` (bigint, id): index of the item; null when it is about none, or unknown
            - `message` (text, text): the message the first time

        Example:
            >>> s.incident.summary().columns[0]
            'run'
        """
        return self._session.query("incident.summary", run)


class Job(Family):
    """Queries of the family `job`, as `s.job`."""

    __slots__ = ()

    def attributes(self, run: str | list[str] | None = None) -> Frame:
        """Which attributes does each run have?

        One row per run and key of table `run_attribute`: tags of the user, and settings and versions from the profile.
        `value` is the value on which all processes and files of the run agree, and null if they differ. `n` is the
        number of different values. A tag of the user overrides the value of a profile. Table `run` has the short
        attributes as JSON in column `attributes`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `key`, with these columns.

            - `run` (text, id): name of the run
            - `key` (text, name): name of the attribute
            - `value` (text, text): its value; null where there are several
            - `n` (bigint, count): different values

        Example:
            >>> s.job.attributes().columns[0]
            'run'
        """
        return self._session.query("job.attributes", run)

    def decision_tree(
        self,
        run: str | list[str] | None = None,
        *,
        load: float = 0.3,
        low: float = 0.5,
        high: float = 0.8,
    ) -> Frame:
        """Which path does each run take through the decision tree of PyTorch's tutorial?

        One row per run and line of the tree. It asks: Is GPU utilization low and, if so, is loading time high? Do
        workers time out? Does memory grow? `holds` marks the questions that can be decided and the answers that follow,
        from the first question to the advice. `not` marks the other answers. If something was not recorded, the
        question and the lines that depend on it are `unknown`, and `evaluation` says what to record.

        The tree gives no numbers; they are from other tables of the tutorial. Utilization (view `evidence_gpu`) is low
        below `low` and good above `high`. Between the two it is `unknown`, because the tutorial does not cover this
        range. Loading time (view `evidence_load`) is high above a share of `load`. The advice is then to use more
        workers, even if no utilization was measured. The other two questions are the findings `worker_timeout` and
        `host_memory_growth`, with their limits. With fewer than two measurements, a question is unknown.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            load: Share of time spent waiting for data above which loading time is high. Default: 0.3.
            low: GPU utilization below which it is low. Default: 0.5.
            high: GPU utilization above which it is good. Default: 0.8.

        Returns:
            One frame, ordered by `run`, `line`, with these columns.

            - `run` (text, id): name of the run
            - `line` (bigint, id): line of the tree, from 1
            - `depth` (bigint, count): rows that enclose it
            - `text` (text, text): the question, or an answer and what to do then
            - `mark` (text, name): holds, not or unknown
            - `evaluation` (text, text): what a question was answered by, or what is missing and how to record it; null
              of answers that ask nothing more
            - `value` (double, mixed): the quantity that a question was answered by; null of answers, and when unknown
            - `threshold` (double, mixed): the limit that the value was compared with; null of answers
            - `drawn` (text, text): the line as it is shown: `>` holds, `?` unknown, indented by depth

        Example:
            >>> s.job.decision_tree().columns[0]
            'run'
        """
        return self._session.query("job.decision_tree", run, load=load, low=low, high=high)

    def key_metrics(self, run: str | list[str] | None = None) -> Frame:
        """What are the key metrics of each run?

        The key metrics in table `run`, computed again. The main mode is `train` if the run has steps of it, else the
        mode with the most time. The durations are those of `step.duration`. If a run recorded no steps but its loader,
        they are those of its batches, including the work on them (view `step_time`).

        `loader_ratio` is the time in which a process waited for a batch, divided by the time in which it did a step or
        waited. It is a mean over the processes that recorded both (view `process_wait`). `gpu_utilization` is the mean
        of all samples of GPU utilization.

        `gpus` and all GPU-seconds are computed from kernels if there are any, else from samples of GPU utilization.
        With kernels, a device counts from the first work, step or wait of its recording to the last one. `idle_s` is
        the time without a computing kernel, copy or fill. It has three parts. In `idle_communication_s`, only
        collectives ran. In `idle_loader_s`, nothing ran and the process waited for a batch. `idle_other_s` is the rest:
        the host launched nothing. With samples, a device counts from its first sample to the last one, and its idle
        time follows from the mean. `idle_loader_s` is then the mean wait of a process times the number of devices, at
        most `idle_s`. The other two parts are null. Each part is an upper bound of the potential saving: a device may
        wait for something else at the same time.

        `verdict` follows the rule of `job.verdict`, with its limits, over these figures alone. It is `no_data` if they
        are null. `job.verdict` also uses the steps of a trace and reports. With kernels, the shares are those of the
        GPU-seconds. Otherwise the input share is `loader_ratio`, or the median share of the batches if that is smaller.
        With samples, the device share is their mean while the run trained.

        `recorded_s` is the union of these times. Without devices it is the time from the first to the last time in the
        profile.

        Excluded from the percentiles: steps that a recording cut short. A figure is null if its rows are missing.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `steps` (bigint, count): steps over all modes and recordings
            - `step_p50` (double, ns): median step of the main mode
            - `step_p95` (double, ns): 95th percentile of that
            - `loader_ratio` (double, ratio): share of loop time spent waiting for data; waits over waits and steps,
              mean over the processes
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            - `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            - `gpus` (bigint, count): devices that worked or were measured
            - `recorded_s` (double, s): time that recordings cover
            - `gpu_s` (double, s): GPU-seconds that the recordings cover
            - `idle_s` (double, s): of these GPU-seconds, without computing and copying
            - `idle_loader_s` (double, s): idle GPU-seconds in which the process waited for data; an upper bound
            - `idle_communication_s` (double, s): of the idle ones, in communication alone
            - `idle_other_s` (double, s): of the idle ones, all else

        Example:
            >>> s.job.key_metrics().columns[0]
            'run'
        """
        return self._session.query("job.key_metrics", run)

    def overview(self, run: str | list[str] | None = None) -> Frame:
        """How long did a job run, and how much of that was spent before, in and after its training loop?

        The job lasts from the first to the last time in its profile, of samples and events alike. Initialization ends
        when the first step starts. The loop lasts until the last step of any mode ends. The rest is finalization. The
        three parts add up to the whole. A profile without steps has no loop, and its parts are null.

        The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts initialization
        from the full minute in the name of the first file of samples, up to 60 s before the first measurement. Here it
        starts at the first recorded time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `started` (bigint, time): earliest time in its profile
            - `ended` (bigint, time): last time in its profile
            - `dur` (bigint, ns): from the first to the last time
            - `init_dur` (bigint, ns): from the first time to the start of the first step
            - `loop_dur` (bigint, ns): from there to the end of the last step
            - `final_dur` (bigint, ns): from there to the last time
            - `init_ratio` (double, ratio): `init_dur` over `dur`
            - `loop_ratio` (double, ratio): `loop_dur` over `dur`
            - `final_ratio` (double, ratio): `final_dur` over `dur`
            - `steps` (bigint, count): steps over all modes and recordings; null when none were marked
            - `ranks` (bigint, count): ranks; null when none is known
            - `nodes` (bigint, count): machines seen

        Example:
            >>> s.job.overview().columns[0]
            'run'
        """
        return self._session.query("job.overview", run)

    def phases(self, run: str | list[str] | None = None) -> Frame:
        """Which phases did a job go through, and when?

        Each stretch of consecutive steps of one mode is a phase. The time before the first step, between two stretches
        and after the last step is also a phase. The names distinguish them: `before train`, `train`, `between train and
        eval`, `eval`, `after eval`. Intervals are half-open: a phase ends where the next one starts, and the last one
        ends with the last recorded time.

        The definition is that of `get_training_phase_intervals` of smdebug over all modes. smdebug gives inclusive
        ends, names the modes of a gap in alphabetical order, and orders steps by their position in the files instead of
        by time.

        Excluded: runs without steps, and gaps of zero length.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `phase` (text, name): name of the phase
            - `mode` (text, name): train, eval, predict or global; null before, between and after
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length
            - `steps` (bigint, count): steps in it; 0 before, between and after

        Example:
            >>> s.job.phases().columns[0]
            'run'
        """
        return self._session.query("job.phases", run)

    def phases_by_rank(self, run: str | list[str] | None = None) -> Frame:
        """Which phases did each rank of a job go through, and when?

        The phases of `job.phases`, for each rank by itself. Each stretch of consecutive steps of one mode is a phase.
        The time before the first step, between two stretches and after the last step is also a phase. A rank that
        starts late or waits for the others is visible here. The phases of the whole job, in contrast, begin with its
        first rank and end with its last one. Intervals are half-open. The first one begins and the last one ends with
        the run.

        Excluded: ranks without steps, and gaps of zero length.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `ts`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `phase` (text, name): name of the phase
            - `mode` (text, name): train, eval, predict or global; null before, between and after
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length
            - `steps` (bigint, count): steps in it; 0 before, between and after

        Example:
            >>> s.job.phases_by_rank().columns[0]
            'run'
        """
        return self._session.query("job.phases_by_rank", run)

    def verdict(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.2,
        near: float = 2.0,
        idle: float = 0.5,
        busy: float = 0.8,
    ) -> Frame:
        """What is each run bound by: its input, computing, communication, or the host that launches the work?

        One row per run, from the evidence that the findings of `diagnosis` use. A stall is a share of the loop or of
        the steps in which the run could not continue. `input_ratio` is the share of waiting for data, by the best
        measure of the profiles (view `evidence_load`), for the rank that waits most. `communication_ratio` is the share
        in which only collectives ran (`step.breakdown`), for the rank with the largest share. `host_ratio` is the rest
        of the time in which the device did nothing. With the kernels of a trace, it is the share of the steps in which
        only calls, operators or nothing recorded ran. With samples of the GPU, it is the idle time that input and
        communication do not explain. `compute_ratio` is the share in which the device worked.

        The first rule that applies decides. If the GPU is busy for more than `busy`, waiting for data does not count as
        a stall. (1) Fewer than two steps: `no_data`. (2) The two largest stalls are above `high` and within `near` of
        each other: `mixed`. (3) The largest stall is above `high`, and is input or communication: `input-bound` or
        `communication-bound`. (4) The device idles for more than `idle`, and input and communication explain less than
        half of that: `host-bound`. (5) No stall is above `high`, and the device works for more than `busy`:
        `compute-bound`. (6) Input and device were both recorded: `mixed`, without a single bottleneck. (7) Otherwise
        `no_data`; the sentence says what to record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which a stall counts (XProf). Default: 0.2.
            near: Factor within which two stalls count as about the same (our own). Default: 2.0.
            idle: Share of idle time above which the host can be the cause (PyTorch's tutorial). Default: 0.5.
            busy: Share of device work above which a device is busy (PyTorch's tutorial). Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            - `sentence` (text, text): the numbers that decided, and what they rest on
            - `steps` (bigint, count): steps, batches or samples that they rest on; null when unknown
            - `input_ratio` (double, ratio): share of waiting for data; null when unknown
            - `compute_ratio` (double, ratio): share in which the device worked; null when unknown
            - `communication_ratio` (double, ratio): share in which only collectives ran; null when unknown
            - `host_ratio` (double, ratio): share in which the device waited for the host; null when unknown

        Example:
            >>> s.job.verdict().columns[0]
            'run'
        """
        return self._session.query("job.verdict", run, high=high, near=near, idle=idle, busy=busy)


class Kernel(Family):
    """Queries of the family `kernel`, as `s.kernel`."""

    __slots__ = ()

    def by_operator(self, run: str | list[str] | None = None) -> Frame:
        """Which operators launched which kernels, with what shape, and how well did the kernels fill the device?

        One row per process, kernel, operator and shape of the launch. The operator is the innermost one that encloses
        the launch on its thread. It is null if the recording does not show it. `dur_sum` adds up durations, so parallel
        kernels count more than once. `blocks_per_sm` and `occupancy` are means of the values that the profiler wrote
        for each kernel, weighted by its duration. `blocks_per_sm` is the number of blocks of the grid divided by the
        number of multiprocessors of the device. `occupancy` is the estimated share of active warps. Both are null if
        the profiler does not write them, as on AMD. Recordings of a process are taken together.

        The table is the kernel table by operator of the TensorBoard plugin. The plugin finds the operator by its
        external id. If ids are missing or wrong, it finds no operator or a wrong one.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `name`, `operator`, `grid`, `block`,
            `registers`, `shared_memory_bytes`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the kernel
            - `operator` (text, name): name of the operator; the innermost one around the launch
            - `grid` (text, json): blocks of the grid in x, y, z
            - `block` (text, json): threads of a block in x, y, z
            - `registers` (bigint, count): registers per thread
            - `shared_memory_bytes` (bigint, bytes): shared memory of a block
            - `n` (bigint, count): how often it ran
            - `dur_sum` (bigint, ns): sum of the durations
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_max` (bigint, ns): longest
            - `blocks_per_sm` (double, factor): blocks over multiprocessors of the device, mean weighted by duration
            - `occupancy` (double, ratio): estimated occupancy, mean over the kernels weighted by their time
            - `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name

        Example:
            >>> s.kernel.by_operator().columns[0]
            'run'
        """
        return self._session.query("kernel.by_operator", run)

    def by_type(self, run: str | list[str] | None = None) -> Frame:
        """How much device time went into computation, communication and memory, alone and in parallel?

        One row per recording of a process and set of types that ran at the same time, over all its devices and streams
        together. Each moment of device work counts in exactly one row, so the rows of a recording add up to the time in
        which anything ran. `types` names the set, such as `computation` or `computation overlapping communication`.
        `memory` means copies and fills.

        The table is HTA's `get_gpu_kernel_breakdown`, which adds up all ranks.

        Excluded: sets that did not occur.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `types`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `types` (text, name): types that ran at the same time
            - `dur` (bigint, ns): time in which exactly these ran
            - `ratio` (double, ratio): `dur` over the time in which anything ran

        Example:
            >>> s.kernel.by_type().columns[0]
            'run'
        """
        return self._session.query("kernel.by_type", run)

    def comm_overlap(self, run: str | list[str] | None = None) -> Frame:
        """How much of the communication was hidden behind computation?

        One row per recording of a process, over all its devices and streams together. `communication` is the time in
        which at least one communication kernel ran. `overlap` is the part of it in which a computing kernel ran too.
        `exposed` is the rest, for which the process waited. Copies and fills do not count on either side. Collectives
        that run on the host (gloo) are not kernels; `step.breakdown` has them.

        `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication. A recording without
        kernels has no row.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `n` (bigint, count): communicating kernels
            - `communication` (bigint, ns): time in which a collective ran; kernels of collectives
            - `computation` (bigint, ns): time in which a computing kernel ran
            - `overlap` (bigint, ns): time in which communication and computation both ran
            - `exposed` (bigint, ns): time in which a communicating kernel ran and no computing one
            - `overlap_ratio` (double, ratio): `overlap` over `communication`

        Example:
            >>> s.kernel.comm_overlap().columns[0]
            'run'
        """
        return self._session.query("kernel.comm_overlap", run)

    def counters(self, run: str | list[str] | None = None) -> Frame:
        """What did the hardware counters measure for each operator?

        One row per process, operator and counter of CUPTI's range profiler, which measures one kernel after the other.
        Its recordings do not show to which launch a range belongs. The query matches the ranges of a file, in the order
        of time, with its calls that launch kernels, as HTA's `get_cupti_counter_data_with_operators` does. If the
        numbers of ranges and calls differ, the operators are null. `operator` is the innermost one around the launch,
        `outer_operator` the outermost. `flops` is the number of operations that the counter represents. It is two for
        each instruction that multiplies and adds, and one for each other instruction of the counters of additions and
        multiplications. It is null for other counters. Recordings of a process are taken together.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `outer_operator`, `operator`, `counter`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `outer_operator` (text, name): outermost operator around the launch
            - `operator` (text, name): name of the operator; the innermost one around the launch
            - `counter` (text, name): counter, as the profiler names it
            - `n` (bigint, count): kernels
            - `value_sum` (double, count): sum over the kernels
            - `value_mean` (double, count): mean
            - `value_min` (double, count): minimum
            - `value_max` (double, count): maximum
            - `flops` (double, count): floating-point operations

        Example:
            >>> s.kernel.counters().columns[0]
            'run'
        """
        return self._session.query("kernel.counters", run)

    def diff(
        self,
        run: str | list[str] | None = None,
        *,
        base: str | None = None,
        rank: int | None = None,
        span: int | None = None,
        step: int | None = None,
        base_rank: int | None = None,
        base_span: int | None = None,
        base_step: int | None = None,
    ) -> Frame:
        """How did the time of kernels and copies change compared with another run, recording, rank or step?

        One row per name, with counts and summed durations on both sides and their differences. The run of the row is
        one side, `base` is the other: `kernel_diff('before') where run = 'after'`. Without `base`, a run is compared
        with itself: `kernel_diff(base_span => 0, span => 1)` compares its second recording with its first. `base_step`
        and `step` do the same for steps, `base_rank` and `rank` for ranks. If a parameter of the base is not given, the
        base uses the value of the other side. For example, `kernel_diff('before', rank => 0, step => 7)` compares step
        7 of rank 0 in both runs. Without a selection, all ranks, recordings and steps are added up. Without any
        parameter, both sides are equal.

        `change_kind` depends on the counts: added and deleted names are on one side only. Durations are added up, so
        parallel work counts more than once. `steps` and `base_steps` are the numbers of steps that were added up, over
        all ranks, because the two sides may differ. A kernel belongs to the step that launched it (view `event_step`).
        It belongs to no step if its launch is before the recording.

        Counts, durations and categories are those of HTA's TraceDiff for the device. TraceDiff compares one step of one
        rank and counts synchronization as work.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            base: Run to compare with; null for the run itself. Default: null.
            rank: Only this rank; null for all. Default: null.
            span: Only this recording; null for all. Default: null.
            step: Only this step; null for all. Default: null.
            base_rank: Only this rank of the base; null for that of `rank`. Default: null.
            base_span: Only this recording of the base; null for that of `span`. Default: null.
            base_step: Only this step of the base; null for that of `step`. Default: null.

        Returns:
            One frame, ordered by `run`, `dur_diff desc`, `type`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `base` (text, id): run that it is compared with
            - `type` (text, name): computation, communication or memory (copies and fills)
            - `name` (text, name): name of the kernel or copy
            - `change_kind` (text, name): added, deleted, increased, decreased or unchanged, by the counts
            - `base_n` (bigint, count): how often it ran in the base
            - `n` (bigint, count): how often it ran
            - `n_diff` (bigint, count): `n` less `base_n`
            - `base_dur_sum` (bigint, ns): sum of the durations in the base
            - `dur_sum` (bigint, ns): sum of the durations
            - `dur_diff` (bigint, ns): `dur_sum` less `base_dur_sum`
            - `dur_ratio` (double, factor): `dur_sum` over `base_dur_sum`; null where the base has none
            - `base_steps` (bigint, count): steps that were added up in the base, each rank's; 0 without step marks
            - `steps` (bigint, count): steps that were added up, each rank's

        Example:
            >>> s.kernel.diff().columns[0]
            'run'
        """
        return self._session.query(
            "kernel.diff",
            run,
            base=base,
            rank=rank,
            span=span,
            step=step,
            base_rank=base_rank,
            base_span=base_span,
            base_step=base_step,
        )

    def frequent_sequences(
        self,
        run: str | list[str] | None = None,
        *,
        operator: str = "aten::",
        min_kernels: int = 3,
        top: int = 10,
    ) -> Frame:
        """Which sequences of kernels do operators launch most often?

        One row per process, name of a call and sequence of device work: candidates for fusion, a graph or a better
        kernel. Calls are operators, annotations, collectives, modules and Python functions with `operator` in their
        name. Of nested calls, only the outermost counts. Its sequence contains all work launched inside it on its
        thread, including copies and fills, in the order in which the work began. Names are joined by ` -> `. Only
        sequences of at least `min_kernels` count. For each process, the `top` most frequent sequences are shown. Of
        equally frequent ones, those with the most time on the device come first. Recordings of a process are taken
        together.

        HTA's `get_frequent_cuda_kernel_sequences` takes the calls at the minimum depth at which the name occurs, and
        includes synchronization in the kernels. It raises an error if calls begin at the same time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            operator: Text that the names of the calls contain. Default: 'aten::'.
            min_kernels: Minimum number of kernels, copies and fills in a sequence, at least 1. Default: 3.
            top: Sequences shown for each process, at least 1. Default: 10.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `n desc`, `kernel_sum desc`, `name`, `sequence`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the call
            - `sequence` (text, name): names of the kernels, copies and fills, in the order in which they began
            - `n` (bigint, count): calls with this sequence
            - `kernels` (bigint, count): kernels, copies and fills of the sequence
            - `kernel_sum` (bigint, ns): sum of the durations of the kernels
            - `host_sum` (bigint, ns): durations of the calls, added up

        Example:
            >>> s.kernel.frequent_sequences().columns[0]
            'run'
        """
        return self._session.query(
            "kernel.frequent_sequences",
            run,
            operator=operator,
            min_kernels=min_kernels,
            top=top,
        )

    def idle_breakdown(self, run: str | list[str] | None = None, *, threshold: int = 30000) -> Frame:
        """Why did each stream of a device wait for work?

        One row per stream and cause. A stream is idle from the end of all its work so far to the start of its next
        work. The cause of such an interval is the first of these that applies. `unknown`: no launch of the next work
        was recorded. `host_wait`: the next work was launched after the interval had begun, so the stream waited for the
        host. `kernel_wait`: the interval is shorter than `threshold`, the cost of starting one kernel after another.
        `other`: everything else, such as a wait for another stream. The time before the first and after the last work
        of a stream is not an interval. `ratio` is the share in the idle time of the stream.

        Causes and threshold are those of HTA's `get_idle_time_breakdown`. HTA measures from the end of the previous
        kernel, so overlapping work counts as negative idle time. If no launch was recorded, HTA uses the length alone.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            threshold: Length in ns from which an interval is longer than the wait for the next kernel, at least 0.
                Default: 30000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `idle_cause`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `idle_cause` (text, name): host_wait, kernel_wait, other or unknown
            - `n` (bigint, count): intervals
            - `dur_sum` (bigint, ns): sum of the durations
            - `ratio` (double, ratio): `dur_sum` over the idle time of the stream
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for a single one
            - `dur_min` (bigint, ns): shortest
            - `dur_p25` (double, ns): 25th percentile
            - `dur_p50` (double, ns): median
            - `dur_p75` (double, ns): 75th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.kernel.idle_breakdown().columns[0]
            'run'
        """
        return self._session.query("kernel.idle_breakdown", run, threshold=threshold)

    def launch_delay_by_operator(self, run: str | list[str] | None = None) -> Frame:
        """How long after the start of an operator, and after its launch, do its kernels begin?

        One row per process, operator and sequence of kernels. Only calls of an operator with recorded launches count. A
        launch belongs to the innermost operator around it on its thread (`event_operator`). `kernel_names` are the
        names in the order of their launches, joined by ` -> `. `operator_delay_mean` is the mean time from the start of
        the operator to its first launch: host work before the device gets anything to do. `launch_delay_mean` is the
        mean time from the start of the first launch to the start of its kernel. It is long if the device is busy with
        earlier work. Copies and fills do not count. Recordings of a process are taken together.

        The means are those of HTA's `get_aten_op_kernels_and_delay`. HTA knows only operators of ATen and launches by
        CUDA, and takes the operator from any thread.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `n desc`, `operator`, `kernel_names`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `operator` (text, name): name of the operator
            - `kernel_names` (text, name): names of the kernels that it launched, in that order
            - `n` (bigint, count): calls of the operator
            - `operator_delay_mean` (double, ns): from the start of the operator to its first launch, mean
            - `operator_delay_max` (bigint, ns): longest of these
            - `launch_delay_mean` (double, ns): from the start of the first launch to the start of its kernel, mean
            - `launch_delay_max` (bigint, ns): longest of these
            - `kernel_sum` (bigint, ns): sum of the durations of the kernels

        Example:
            >>> s.kernel.launch_delay_by_operator().columns[0]
            'run'
        """
        return self._session.query("kernel.launch_delay_by_operator", run)

    def launch_stats(
        self,
        run: str | list[str] | None = None,
        *,
        host_limit: int = 50000,
        delay_limit: int = 100000,
    ) -> Frame:
        """How long do launches take on the host, and how long is the delay until their work begins?

        One row per recording of a process and kind of work: kernels, copies (`memcpy`) and fills (`memset`). A call
        that launches several work items, as a graph does, is one launch, and their durations are added up. `delay` is
        the time from the end of the call to the start of its first work. It is 0 if the work began before the end of
        the call. Short delays and a queue that runs empty mean that the device waits for the host. `short_launches`
        counts work that took less time on the device than its call on the host. It counts only calls of at most
        `host_limit`. Such a launch costs more time than its work. `slow_calls` counts longer calls. `late_launches`
        counts work with a delay above `delay_limit`. Percentiles are exact, with linear interpolation between the
        closest values.

        Times and counts are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver,
        no HIP, no graphs). `kernel.launches` has single launches.

        Excluded: work without a recorded launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            host_limit: Duration in ns above which a call is slow, at least 0. Default: 50000.
            delay_limit: Delay in ns above which work is late, at least 0. Default: 100000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `category`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `category` (text, name): kernel, memcpy or memset
            - `n` (bigint, count): launches
            - `host_mean` (double, ns): mean duration of the calls
            - `host_p50` (double, ns): median of that
            - `host_p95` (double, ns): 95th percentile of that
            - `host_max` (bigint, ns): longest call
            - `delay_mean` (double, ns): mean delay
            - `delay_p50` (double, ns): median delay
            - `delay_p95` (double, ns): 95th percentile of the delays
            - `delay_max` (bigint, ns): longest delay
            - `device_mean` (double, ns): mean duration of the work
            - `device_p50` (double, ns): median of that
            - `short_launches` (bigint, count): work that took less time on the device than on the host, in calls that
              are not slow
            - `slow_calls` (bigint, count): calls that took longer than `host_limit`
            - `late_launches` (bigint, count): work with a delay above `delay_limit`

        Example:
            >>> s.kernel.launch_stats().columns[0]
            'run'
        """
        return self._session.query("kernel.launch_stats", run, host_limit=host_limit, delay_limit=delay_limit)

    def launches(
        self,
        run: str | list[str] | None = None,
        *,
        host_limit: int = 50000,
        delay_limit: int = 100000,
    ) -> Frame:
        """How long did each launch take on the host, how long until its work began, and how long on the device?

        One row per call that launched kernels, copies or fills. A call that launched several kinds of work or used
        several streams, as a graph does, has one row per stream and kind. `delay` is the time from the end of the call
        to the start of its first work. It is 0 if the work began before the end of the call. Three columns mark
        launches. `is_short`: the work took less time on the device than the call took on the host, and the call took at
        most `host_limit`. `slow_call`: the call took longer than `host_limit`. `is_late`: the delay is above
        `delay_limit`.

        Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver,
        no HIP, no graphs). For many launches, `kernel.launch_stats` has their statistics.

        Excluded: work without a recorded launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            host_limit: Duration in ns above which a call is slow, at least 0. Default: 50000.
            delay_limit: Delay in ns above which work is late, at least 0. Default: 100000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `launch_ts`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `launch_ts` (bigint, time): start of the call that launched it
            - `launch_name` (text, name): name of the call
            - `launch_dur` (bigint, ns): duration of the call
            - `delay` (bigint, ns): from the end of the call to the start of the work, at least 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `category` (text, name): kernel, memcpy or memset
            - `name` (text, name): name of the kernel or copy, of several the first
            - `ts` (bigint, time): start of the work
            - `dur` (bigint, ns): duration of the work, of several their sum
            - `correlation` (bigint, id): ties a call to the work that it launched
            - `is_short` (boolean, flag): whether it took less time on the device than on the host, in a call that is
              not slow
            - `slow_call` (boolean, flag): whether the call took longer than `host_limit`
            - `is_late` (boolean, flag): whether the delay was above `delay_limit`
            - `n` (bigint, count): kernels, copies or fills that it launched

        Example:
            >>> s.kernel.launches().columns[0]
            'run'
        """
        return self._session.query("kernel.launches", run, host_limit=host_limit, delay_limit=delay_limit)

    def occupancy(self, run: str | list[str] | None = None) -> Frame:
        """How well were the devices used: busy, filled with blocks and warps, on tensor cores?

        One row per recording of a process and device, over the time of view `profiled_window`. It lasts from the first
        step to the last one, including the work that they launched. Without steps it is the whole recording. Of each
        kernel, only the part inside this time counts. `gpu_utilization` is the share of that time in which at least one
        kernel ran. `sm_efficiency` weights each moment by the blocks per multiprocessor of the running kernels, at most
        1. A kernel with fewer blocks than multiprocessors leaves some of them idle. `occupancy` is the mean of the
        estimated occupancy of the kernels, weighted by their time. `tensor_core_ratio` is the share of kernel time in
        kernels on tensor cores, by their names. Copies and fills do not count.

        The first three are those of the TensorBoard plugin. Its share of tensor cores does not know names later than
        Ampere, and counts only kernels for which it found the operator. `sm_efficiency` and `occupancy` are null if the
        profiler writes neither blocks nor occupancy for kernels, as on AMD.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `ts` (bigint, time): start of the time
            - `dur` (bigint, ns): length of the time
            - `kernels` (bigint, count): kernels in it
            - `busy` (bigint, ns): time in which at least one ran
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            - `sm_efficiency` (double, ratio): share of the multiprocessors that had a block, mean over the time
            - `occupancy` (double, ratio): estimated occupancy, mean over the kernels weighted by their time
            - `tensor_core_ratio` (double, ratio): time of kernels on tensor cores over that of all kernels

        Example:
            >>> s.kernel.occupancy().columns[0]
            'run'
        """
        return self._session.query("kernel.occupancy", run)

    def queue_full_time(self, run: str | list[str] | None = None, *, limit: int = 1024) -> Frame:
        """For how long was the queue of a stream full, so that the host had to wait for the device?

        One row per stream of a recording. The queue counts as full while at least `limit` launches wait in it. CUDA
        usually holds 1024 launches, and then blocks the calls that launch more. `ratio` is the share in the time from
        the first launch to the last start of work on any stream of the recording. A queue that is full much of the time
        is a good sign: the device is the limit, not the host. `kernel.queue_length` defines a launch.

        Time and share are those of HTA's `get_time_spent_blocked_on_full_queue`, which covers only one stream of a
        rank.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Number of launches from which the queue is full, at least 1. Default: 1024.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `length_max` (bigint, count): maximum length of the queue
            - `n` (bigint, count): how often the queue became full
            - `dur_sum` (bigint, ns): sum of the durations; of the times in which the queue was full
            - `ratio` (double, ratio): `dur_sum` over the time of the recording's launches

        Example:
            >>> s.kernel.queue_full_time().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_full_time", run, limit=limit)

    def queue_length(self, run: str | list[str] | None = None) -> Frame:
        """How long was the queue of each stream of a device after every change?

        Two rows per launch and stream. The call on the host adds the launch to the queue of the stream (`delta` 1). The
        start of its work removes it (`delta` -1). `length` is the number of launches in the queue from `ts` on. A
        stream with an empty queue waits for the host next. A host with a full queue (usually 1024 launches,
        `kernel.queue_full_time`) waits for the device. A call that launches several work items onto a stream, as a
        graph does, is one launch. If the clocks put a start before its call, the start counts at the time of the call.

        The length is that of HTA's `get_queue_length_time_series`. HTA knows only some names of calls (no graphs, no
        cooperative launches) and does not define the order of changes at the same time. Here calls come before starts.

        Excluded: work without a recorded launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `ts`, `delta desc`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `ts` (bigint, time): when the length changed
            - `dur` (bigint, ns): from there to the next change; null for the last one
            - `delta` (bigint, count): 1 for a launch, -1 for the start of its work
            - `length` (bigint, count): launches in the queue afterwards

        Example:
            >>> s.kernel.queue_length().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_length", run)

    def queue_length_over_time(
        self,
        run: str | list[str] | None = None,
        *,
        bins: int = 200,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How did the length of the queue of each stream change over a recording?

        The time from the first launch to the last start of device work in a recording is divided into at most `bins`
        bins of equal length. The bins are the same for all processes and streams of a run. A change belongs to the bin
        in which it happens. `length_min` and `length_max` are the minimum and maximum length of the queue in the bin.
        `length_last` is the length at its end. There are never more than two bins for each work item of one stream.
        `kernel.queue_length` defines a launch.

        With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has
        the length from before the window.

        Excluded: bins without a change of the stream, in which the length stays the same.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins, at least 1. Default: 200.
            start: Start of the window, in ns since the Unix epoch; null for the first launch. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last start of work. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): changes in it
            - `length_min` (bigint, count): minimum launches in the queue
            - `length_max` (bigint, count): maximum length of the queue
            - `length_last` (bigint, count): launches in the queue after the last change of the bin, and so until the
              next bin

        Example:
            >>> s.kernel.queue_length_over_time().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_length_over_time", run, bins=bins, start=start, end=end)

    def queue_length_summary(self, run: str | list[str] | None = None) -> Frame:
        """How long was the queue of each stream of a device on average?

        One row per stream of a recording. `length_mean` weights each length by the time for which it lasted.
        `empty_ratio` is the share of the time in which no launch waited: the device is then about to wait for the host.
        The other columns on the length are over its `n` values after each change, regardless of the time between
        changes. They are those of HTA's `get_queue_length_summary`: HTA's mean is `point_mean`. `kernel.queue_length`
        defines a launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `ts` (bigint, time): first launch
            - `dur` (bigint, ns): from there to the last start of work
            - `launches` (bigint, count): launches
            - `length_mean` (double, count): mean length over the time
            - `empty_ratio` (double, ratio): share of the time in which the queue was empty
            - `n` (bigint, count): changes of the length
            - `point_mean` (double, count): mean length after a change
            - `point_std` (double, count): standard deviation of that
            - `point_p25` (double, count): 25th percentile of that
            - `point_p50` (double, count): median of that
            - `point_p75` (double, count): 75th percentile of that
            - `length_max` (bigint, count): maximum length of the queue

        Example:
            >>> s.kernel.queue_length_summary().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_length_summary", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How much device time did each kernel and copy take?

        One row per process and name. `dur_sum` adds up durations, so parallel work counts more than once. `busy` is the
        time in which at least one of that name ran. `ratio` is `dur_sum` divided by that of all kernels and copies of
        the process. Percentiles are exact, with linear interpolation between the closest values. Recordings of a
        process are taken together.

        The sums are those of the kernel table of the TensorBoard plugin, and of HTA's `get_gpu_kernel_breakdown` for
        all kernels. HTA's default computes mean, minimum and maximum over sums, not over kernels.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `type`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `type` (text, name): computation, communication or memory (copies and fills)
            - `name` (text, name): name of the kernel or copy
            - `n` (bigint, count): how often it ran
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `ratio` (double, ratio): `dur_sum` over that of all kernels and copies of the process
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for a single one
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest
            - `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name; null for copies and
              fills

        Example:
            >>> s.kernel.summary().columns[0]
            'run'
        """
        return self._session.query("kernel.summary", run)

    def temporal_breakdown(self, run: str | list[str] | None = None) -> Frame:
        """How much of the time was a device computing, doing something else, or idle?

        One row per recording of a process, over all its devices and streams together. `dur` is the time from the start
        of its first kernel, copy or fill to the end of the last one. `computation` is the time in which at least one
        computing kernel ran. `non_computation` is the time in which only communication, copies or fills ran. `idle` is
        the rest. The three add up to `dur`. `kernel`, `communication` and `memory` are the times in which at least one
        kernel, one communication kernel, or one copy or fill ran. Only `kernel_sum` adds up durations, so parallel
        kernels count more than once there.

        The three parts are those of HTA's `get_temporal_breakdown`. HTA rounds times with fractions to whole
        microseconds, drops the last step, and counts synchronization as work. A recording without device work has no
        row.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `ts` (bigint, time): start of the first kernel, copy or fill
            - `dur` (bigint, ns): from there to the end of the last one
            - `computation` (bigint, ns): time in which a computing kernel ran
            - `non_computation` (bigint, ns): time in which only communication, copies or fills ran
            - `idle` (bigint, ns): time in which nothing ran
            - `computation_ratio` (double, ratio): `computation` over `dur`
            - `non_computation_ratio` (double, ratio): `non_computation` over `dur`
            - `idle_ratio` (double, ratio): `idle` over `dur`
            - `kernels` (bigint, count): kernels
            - `kernel_sum` (bigint, ns): sum of the durations of the kernels
            - `kernel` (bigint, ns): time in which a kernel ran
            - `communication` (bigint, ns): time in which a collective ran; kernels of collectives
            - `memory` (bigint, ns): time in which a copy or fill ran

        Example:
            >>> s.kernel.temporal_breakdown().columns[0]
            'run'
        """
        return self._session.query("kernel.temporal_breakdown", run)


class Loader(Family):
    """Queries of the family `loader`, as `s.loader`."""

    __slots__ = ()

    def active_workers(self, run: str | list[str] | None = None) -> Frame:
        """How many data loader workers were alive in each second, and how many cores did the machine have?

        One row per machine and second of the clock in which a worker was alive or a batch was requested. `alive` counts
        the worker processes that lived at any time in that second. `delivering` counts the workers of the batches that
        were requested in it. `cores` counts the cores that were sampled on the machine. With far more workers than
        cores, the workers compete for the cores. With far fewer, the machine is idle while the training waits.

        Excluded: workers without a recorded time, and workers that lived for more than a week.

        smdebug's rule Dataloader counts the processes of all loader events in the second in which an event starts. This
        includes the training processes.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `ts` (bigint, time): start of the second
            - `alive` (bigint, count): worker processes that lived in it
            - `delivering` (bigint, count): workers with a batch that was requested in it
            - `cores` (bigint, count): cores of the machine; null when none was sampled
            - `relative` (double, factor): `alive` over `cores`

        Example:
            >>> s.loader.active_workers().columns[0]
            'run'
        """
        return self._session.query("loader.active_workers", run)

    def batch_time(self, run: str | list[str] | None = None) -> Frame:
        """How much time passes from one batch to the next?

        The time between the starts of two consecutive calls for a batch in one process: the wait for the batch and the
        work on it. It shows the pace of the input side of the loop and needs no step marks. Breaks between epochs are
        included. Percentiles are exact, with linear interpolation between the closest values.

        Excluded: the first call of each process, which ends no interval, and calls without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `n` (bigint, count): intervals
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.loader.batch_time().columns[0]
            'run'
        """
        return self._session.query("loader.batch_time", run)

    def batch_time_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """After which batches did the request for the next batch come much later than usual?

        The query compares the time between the starts of two consecutive calls of one process with the median of its
        run, over all processes. It is an outlier when it lasted at least `factor` times the median. Breaks between
        epochs also count as outliers.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of an outlier, as a multiple of the median. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `ts` (bigint, time): start of the earlier call
            - `dur` (bigint, ns): from there to the start of the later call
            - `worker` (bigint, id): worker number; of the later call
            - `epoch` (bigint, id): epoch as recorded
            - `batch` (bigint, id): batch number as recorded; of the later call
            - `dur_p50` (double, ns): median; of the run
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.batch_time_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.batch_time_outliers", run, factor=factor)

    def batches(self, run: str | list[str] | None = None, *, bins: int = 500) -> Frame:
        """How did the waits for batches and the work on them change from batch to batch?

        One row per bin of consecutive batches of a loop. A loop with more than `bins` batches gets at most `bins` bins,
        with equally many batches in each. A shorter loop gets one bin per batch. A bin ends early at the end of a pass,
        so there may be a few more bins. `load_so_far` is the mean wait from the first batch of the loop to the end of
        the bin. A monitor that never resets its counters prints this value, which hides a loader that slows down late.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins of a loop, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `position` (bigint, id): position in its group, from 0
            - `n` (bigint, count): batches in the bin
            - `ts` (bigint, time): start of the first wait; null when no time was recorded
            - `load_mean` (double, ns): mean wait
            - `load_min` (bigint, ns): shortest wait
            - `load_max` (bigint, ns): longest wait
            - `compute_mean` (double, ns): mean work on a batch; null when unknown
            - `load_so_far` (double, ns): mean wait up to the end of the bin, over all passes of the loop

        Example:
            >>> s.loader.batches().columns[0]
            'run'
        """
        return self._session.query("loader.batches", run, bins=bins)

    def during_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """What did the machines and the framework do while the training process waited unusually long for a batch?

        A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any rank. The
        query compares everything recorded during these waits with everything else from the start of the first call to
        the end of the last call. Set-up and shutdown are therefore not counted. For samples, the values are means,
        separately for each machine and quantity. For events, the values are shares of the time: 0.25 means that at
        least one event of that name was running in a quarter of the time of the long waits. Events that overlap count
        once. An event that is partly inside a long wait counts with that part.

        A run without a long wait has no rows. Waits are often shorter than the pause between two samples: `n_during` is
        the number of samples in a mean. The rows include the events of the loader itself, which show the waits.

        Excluded: waits of an ideal replay, everything without a time, and events without a length.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of a long wait, as a multiple of the median. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `source`, `node`, `category`, `name`, `unit`, with these columns.

            - `run` (text, id): name of the run
            - `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            - `node` (text, id): machine; null for events, which are taken over all machines
            - `category` (text, name): resource of the samples, or category of the events
            - `name` (text, name): metric of the samples, or name of the events
            - `unit` (text, name): unit as recorded; `ratio` for events
            - `during` (double, mixed): value during the long waits; null when nothing was sampled in them
            - `otherwise` (double, mixed): value at all other times between the first and the last call
            - `difference` (double, mixed): `during` less `otherwise`
            - `n_during` (bigint, count): samples during the long waits; null for events
            - `n_otherwise` (bigint, count): samples at the other times; null for events

        Example:
            >>> s.loader.during_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.during_outliers", run, factor=factor)

    def epochs(self, run: str | list[str] | None = None) -> Frame:
        """How long were the waits for batches in each epoch?

        One row per pass of a loop over its data. A new pass begins where the epoch changes, where a recording begins,
        and where the process makes a new iterator. The numbers are those of the DataLoaderProfiler of PyTorch's
        tutorial, but for the waits only. The tutorial has a clock at the top of the loop, which also includes the work
        on the previous batch (`loader.jitter`, part `interval`).

        The standard deviation has the divisor n-1 and is null for one batch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `pass`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `batches` (bigint, count): batches
            - `load` (bigint, ns): time waited for batches
            - `load_mean` (double, ns): mean wait
            - `load_std` (double, ns): standard deviation of the waits, divisor n-1
            - `load_min` (bigint, ns): shortest wait
            - `load_max` (bigint, ns): longest wait
            - `load_first` (bigint, ns): wait for the first batch; null if it was excluded as corrupt
            - `compute` (bigint, ns): time of the work on the batches; of those with a known time; null when unknown
            - `loader_ratio` (double, ratio): share of loop time spent waiting for data
            - `batches_per_s` (double, per_s): batches over the time of the loop; null when unknown

        Example:
            >>> s.loader.epochs().columns[0]
            'run'
        """
        return self._session.query("loader.epochs", run)

    def first_batch(self, run: str | list[str] | None = None, *, factor: float = 10.0) -> Frame:
        """Was the first batch of an epoch much slower than the others?

        One row per pass of a loop. `relative` is the wait for its first batch over the median of its other waits. A
        large value comes from the start of the workers, a cold cache or a compiler. `persistent_workers=True` and a few
        warm-up batches help. A slow first batch says nothing about the steps after it. A recording that begins in the
        middle of an epoch does not contain the first batch of that epoch and does not show its wait.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: The first wait is slow above this multiple of the median of the other waits. Default: 10.0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `pass`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `rest` (bigint, count): other batches
            - `load_first` (bigint, ns): wait for the first batch; null if it was excluded as corrupt
            - `rest_p50` (double, ns): median wait for the others; null if there are none
            - `relative` (double, factor): `load_first` over `rest_p50`
            - `slow` (boolean, flag): whether `relative` lies above `factor`; null when it is unknown

        Example:
            >>> s.loader.first_batch().columns[0]
            'run'
        """
        return self._session.query("loader.first_batch", run, factor=factor)

    def init(self, run: str | list[str] | None = None) -> Frame:
        """How long did it take to set up the data loader, and how was it configured?

        One row per process rank, iterator and configuration. Unless its workers persist, a loader is set up again for
        every pass over the data, and this time recurs in every epoch.

        Excluded: initializations without a duration.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `num_workers`, `prefetch_factor`,
            `persistent_workers`, `pin_memory`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader or iterator
            - `num_workers` (bigint, count): worker processes of the loader
            - `prefetch_factor` (bigint, count): batches that each worker prepares ahead
            - `persistent_workers` (boolean, flag): whether workers outlive a pass
            - `pin_memory` (boolean, flag): whether batches go to pinned memory
            - `n` (bigint, count): initializations
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.loader.init().columns[0]
            'run'
        """
        return self._session.query("loader.init", run)

    def init_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Which initializations of the data loader took much longer than usual?

        An initialization is an outlier when it lasted at least `factor` times the median of its run and iterator, over
        all processes.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of an outlier, as a multiple of the median. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `loader` (text, name): name of the loader or iterator
            - `num_workers` (bigint, count): worker processes of the loader
            - `ts` (bigint, time): start; null when no time was recorded
            - `dur` (bigint, ns): duration
            - `dur_p50` (double, ns): median; of its run and iterator
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.init_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.init_outliers", run, factor=factor)

    def items(self, run: str | list[str] | None = None, *, limit: int = 20) -> Frame:
        """Which items of the dataset took longest to read, and which worker read them?

        One row per item, with its slowest access, for the slowest items of each loader. An item is what the dataset
        returns for one index. For an iterable dataset, each worker numbers its items separately. `relative` compares
        with the median over all accesses of the loader. The file is known only if the dataset has a list of files and
        the item was slow enough for an incident.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Number of items per loader, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader or iterator
            - `position` (bigint, id): position in its group, from 1
            - `item` (bigint, id): index of the item; null where it has none
            - `worker` (bigint, id): worker number; of the slowest access; null in the training process
            - `pid` (bigint, id): operating system process id
            - `ts` (bigint, time): start of the slowest access
            - `accesses` (bigint, count): how often it was read
            - `dur_max` (bigint, ns): longest
            - `dur_mean` (double, ns): mean
            - `dur_p50` (double, ns): median; of all accesses of the loader
            - `relative` (double, factor): `dur_max` over `dur_p50`
            - `bytes` (bigint, bytes): size of the item
            - `message` (text, text): what the incident of a slow item says, such as its file

        Example:
            >>> s.loader.items().columns[0]
            'run'
        """
        return self._session.query("loader.items", run, limit=limit)

    def jitter(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """How much do the waits for batches, and the steps around them, vary?

        One row per loop and part of a step. `load` is the wait. `load_rest` is the wait without the first batch of each
        pass: judge a loader by this part. `compute` is the work on a batch. `step` is wait and work together.
        `interval` is the time from batch to batch, as a clock at the top of the loop measures it. Unknown parts have no
        row.

        `unsteadiness` is the 95th percentile over the median. Above 2, the loader or its storage delivers in bursts.
        Outliers lasted at least `factor` times the median; `loader.slow_batches` lists them. Percentiles are exact,
        with linear interpolation between the closest values.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of an outlier, as a multiple of the median. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `variant`, `part`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `part` (text, name): load, load_rest, compute, step or interval
            - `n` (bigint, count): durations
            - `dur` (bigint, ns): their sum
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for one
            - `variation` (double, factor): `dur_std` over `dur_mean`
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p90` (double, ns): 90th percentile
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest
            - `unsteadiness` (double, factor): `dur_p95` over `dur_p50`
            - `outliers` (bigint, count): durations of at least `factor` times the median; null if that is 0
            - `outlier_ratio` (double, ratio): `outliers` over `n`

        Example:
            >>> s.loader.jitter().columns[0]
            'run'
        """
        return self._session.query("loader.jitter", run, factor=factor)

    def next(self, run: str | list[str] | None = None) -> Frame:
        """How long did the training process wait for its batches?

        One row per process rank. A wait is one call for the next batch. `wait` is the time in which at least one call
        was waiting: calls that overlap count once. `loader.share` has the share of the loop. Percentiles are exact,
        with linear interpolation between the closest values.

        Excluded: waits of an ideal replay. `wait` is null when the profile recorded no times.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `n` (bigint, count): calls
            - `wait` (bigint, ns): time in which at least one call was waiting
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.loader.next().columns[0]
            'run'
        """
        return self._session.query("loader.next", run)

    def next_outliers(
        self,
        run: str | list[str] | None = None,
        *,
        factor: float = 2.0,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """For which batches did the training process wait much longer than usual?

        A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes.

        Excluded: waits of an ideal replay.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of an outlier, as a multiple of the median. Default: 2.0.
            start: Only waits that begin at this time or later, in ns since the Unix epoch; null for all. Default: null.
            end: Only waits that begin before this time, in ns since the Unix epoch; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, `epoch`, `batch`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker number
            - `epoch` (bigint, id): epoch as recorded
            - `batch` (bigint, id): batch number as recorded
            - `ts` (bigint, time): start of the wait; null when no time was recorded
            - `dur` (bigint, ns): length of the wait
            - `dur_p50` (double, ns): median; of the run
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.next_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.next_outliers", run, factor=factor, start=start, end=end)

    def next_over_time(
        self,
        run: str | list[str] | None = None,
        *,
        bins: int = 200,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How did the waits for batches change in the course of a run?

        The query divides the time from the first to the last call of a run into at most `bins` bins of equal length,
        the same for all ranks. A call belongs to the bin in which it starts. The number of bins is at most the largest
        number of calls of a rank.

        Excluded: empty bins and calls without a time. With `start` or `end`, calls that begin outside of that window
        are also excluded. The bins then divide the time from the first to the last call in the window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins, at least 1. Default: 200.
            start: Start of the window, in ns since the Unix epoch; null for the first call. Default: null.
            end: End of the window (exclusive), in ns since the Unix epoch; null for the last call. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): calls that start in it
            - `wait_min` (bigint, ns): shortest wait
            - `wait_mean` (double, ns): mean wait
            - `wait_max` (bigint, ns): longest wait

        Example:
            >>> s.loader.next_over_time().columns[0]
            'run'
        """
        return self._session.query("loader.next_over_time", run, bins=bins, start=start, end=end)

    def real_vs_ideal(
        self,
        run: str | list[str] | None = None,
        *,
        bottleneck: float = 1.5,
        potential: float = 1.1,
        across: bool = False,
    ) -> Frame:
        """How much faster would an epoch be if loading its data took no time?

        For DALI's Loader Evaluator, the query compares each real pass with each ideal pass of the same run, or of any
        run if `across` is true. An ideal pass is a replay of cached batches. `speedup` is the real time over the ideal
        time. Both passes must have ended and must have the same number of batches. If they do not, or if a pass has no
        counterpart, `why` gives the reason. A replay repeats a few batches, so caches, and work that depends on the
        input, make the ideal pass look too fast. It does not include the start of workers. One pass on each side has no
        error bar.

        For other loops, the ideal is the same steps without their waits (`measure` steps or calls). It stands for a
        loader that never makes the loop wait and costs the steps nothing. This ideal time is computed; that of a replay
        is measured.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator). Default:
                1.5.
            potential: Speed-up above which loading may be a bottleneck. Default: 1.1.
            across: Whether passes of different runs are compared with each other. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `ideal_run`, `ideal_loader`,
            `ideal_object`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object
            - `ideal_run` (text, id): run of the ideal side; null when there is none
            - `ideal_loader` (text, name): loader of the ideal side
            - `ideal_object` (bigint, id): file of the ideal side
            - `measure` (text, name): replay, steps or calls; null when nothing was recorded to compare with
            - `batches` (bigint, count): batches; of the real side
            - `ideal_batches` (bigint, count): batches of the ideal side
            - `load_mean` (double, ns): mean wait; of the real side
            - `real` (bigint, ns): time on the real side; null when unknown
            - `ideal` (bigint, ns): time on the ideal side; null when unknown
            - `speedup` (double, factor): how many times as fast
            - `saved` (bigint, ns): `real` without `ideal`
            - `saved_ratio` (double, ratio): `saved` over `real`
            - `rating` (text, name): bottleneck, potential or none; null when there is no speed-up
            - `why` (text, text): why the result is null; else null

        Example:
            >>> s.loader.real_vs_ideal().columns[0]
            'run'
        """
        return self._session.query(
            "loader.real_vs_ideal",
            run,
            bottleneck=bottleneck,
            potential=potential,
            across=across,
        )

    def scaling(self, run: str | list[str] | None = None, *, baseline: str | None = None) -> Frame:
        """How does the training speed change with the settings of the data loader?

        One row per loop, over all runs: the settings of its loader (view `loader_setup`) and the speed of its steps.
        `speedup` compares with the baseline: by samples if both batch sizes are known, otherwise by batches. `baseline`
        names the loader or the run of the baseline. Without it, or if several loops match, the baseline is the loop
        with the fewest workers, and the slowest of these. If a format does not record the number of workers, set it
        with a tag: `ingest(..., tags={"num_workers": 4})`.

        Change one setting at a time, with the same sampler and the same model. `speedup_rest` excludes the first batch
        of each pass, and with it the start of the workers, which short recordings overstate.

        A filter on `run` selects the rows; the baseline is always that of all runs.

        Excluded: replays, and loops without a time to compare their batches with.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            baseline: Loader or run to compare the others with; null for the loop with the fewest workers. Default:
                null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `num_workers` (bigint, count): worker processes of the loader; null when unknown
            - `batch_size` (bigint, count): items in a batch; null when unknown
            - `prefetch_factor` (bigint, count): batches that each worker prepares ahead; null when unknown
            - `persistent_workers` (boolean, flag): whether workers outlive a pass; null when unknown
            - `pin_memory` (boolean, flag): whether batches go to pinned memory; null when unknown
            - `batches` (bigint, count): batches; those with a time
            - `batches_per_s` (double, per_s): batches over the time of the loop
            - `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            - `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            - `is_baseline` (boolean, flag): whether it is the baseline that others are compared with
            - `speedup` (double, factor): how many times as fast; relative to the baseline; null without one
            - `speedup_rest` (double, factor): the same without the first batch of each pass

        Example:
            >>> s.loader.scaling().columns[0]
            'run'
        """
        return self._session.query("loader.scaling", run, baseline=baseline)

    def share(
        self,
        run: str | list[str] | None = None,
        *,
        by: str = "loader",
        bottleneck: float = 0.3,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """What share of the training loop was spent waiting for data, and is that a bottleneck?

        One row per loop, or per pass of a loop if `by` is epoch. Each row has the share of all batches and the share
        without the first batch of each pass. With worker processes, the first wait includes their start. This alone can
        lift the share of a short recording above the limit. `is_bottleneck` compares `loader_ratio_rest` with
        `bottleneck`, or `loader_ratio` if that is null.

        `measure` is what the waits are compared with. `steps`: the sum of load and compute that a loop recorded.
        `calls`: the time from call to call. `pass`: the whole pass that DALI's Loader Evaluator timed; workers that
        start in it make the share too small. `report`: the time of the training epochs in a report of Lightning's
        SimpleProfiler. It includes validation, and it does not show the first batch separately. Compare only shares of
        the same measure. `step.loader_share` is a different measure: waits that no other work hid.

        Excluded: replays of cached batches, which load nothing (see `loader.real_vs_ideal`). If `by` is epoch, also
        Lightning's reports.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: One row per loader (all passes together) or per epoch: loader or epoch. Default: 'loader'.
            bottleneck: Share above which loading is the bottleneck (PyTorch's tutorial). Default: 0.3.
            high: Share above which loading is high (XProf). Default: 0.2.
            notable: Share above which loading is notable (XProf, TensorBoard plugin). Default: 0.05.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `measure`, `pass`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `pass` (bigint, id): pass of the loop, from 0; null unless `by` is epoch
            - `epoch` (bigint, id): epoch as recorded; null when unknown, or unless `by` is epoch
            - `measure` (text, name): steps, calls, pass or report; null when nothing was recorded to compare the waits
              with
            - `batches` (bigint, count): batches
            - `load` (bigint, ns): time waited for batches; null when `total` is
            - `total` (bigint, ns): time that the ratios of the row are a share of; `loader_ratio_rest` excludes the
              first batch of each pass from it
            - `loader_ratio` (double, ratio): share of loop time spent waiting for data
            - `loader_ratio_rest` (double, ratio): the same without the first batch of each pass; null when unknown
            - `band` (text, name): ok, notable, high or bottleneck, by `loader_ratio`
            - `band_rest` (text, name): the same by `loader_ratio_rest`
            - `is_bottleneck` (boolean, flag): whether `loader_ratio_rest`, or `loader_ratio` where there is none, lies
              above `bottleneck`
            - `disagree` (boolean, flag): whether all batches and the rest lie on different sides of `bottleneck`; null
              when one is unknown
            - `why` (text, text): why the result is null; else null

        Example:
            >>> s.loader.share().columns[0]
            'run'
        """
        return self._session.query("loader.share", run, by=by, bottleneck=bottleneck, high=high, notable=notable)

    def slow_batches(
        self,
        run: str | list[str] | None = None,
        *,
        factor: float = 2.0,
        part: str = "load_rest",
    ) -> Frame:
        """For which batches was the wait, or the work, much longer than for others?

        The query lists a batch when its part of the step lasted at least `factor` times the median of that part in its
        loop. By default (`part` is load_rest), first batches of a pass are excluded from both the list and the median.
        `loader.next_outliers` compares calls with the median of their whole run instead.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of a listed part, as a multiple of the median of its loop. Default: 2.0.
            part: Load_rest (waits without the first of each pass), load, compute, step or interval: load_rest, load,
                compute, step or interval. Default: 'load_rest'.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `position` (bigint, id): position in its group, from 0
            - `batch` (bigint, id): batch number as recorded; null when unknown
            - `ts` (bigint, time): start of the wait; null when no time was recorded
            - `dur` (bigint, ns): duration of the part
            - `dur_p50` (double, ns): median; of the loop
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.slow_batches().columns[0]
            'run'
        """
        return self._session.query("loader.slow_batches", run, factor=factor, part=part)

    def throughput(self, run: str | list[str] | None = None) -> Frame:
        """How many batches and samples per second did a training loop process?

        One row per loop. The rates are over the time of the steps, waits and work together. If only whole passes were
        timed, the rates are over the time of the passes. Each row has the rate of all batches and the rate without the
        first batch of each pass. `loads_per_s` is what the loader would deliver to a loop that only waits for it. If it
        is close to `batches_per_s`, the loader sets the pace. Samples need a batch size (view `loader_setup`); the last
        batch of an epoch counts as a full batch.

        `load`, `compute`, `total` and their means are those of `measure_loading_overhead` of PyTorch's tutorial, for
        real steps.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `variant`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `measure` (text, name): steps, calls or pass, as in `loader.share`; null when there is no total
            - `batches` (bigint, count): batches; those with a time
            - `load` (bigint, ns): time waited for batches
            - `compute` (bigint, ns): time of the work on the batches; of measure pass with all else that happened in it
            - `total` (bigint, ns): time that the ratios of the row are a share of
            - `load_mean` (double, ns): mean wait
            - `compute_mean` (double, ns): mean work on a batch
            - `batches_per_s` (double, per_s): batches over the time of the loop
            - `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            - `loads_per_s` (double, per_s): batches over `load`; null for a loader that was never waited for
            - `batch_size` (bigint, count): items in a batch; null when unknown
            - `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`

        Example:
            >>> s.loader.throughput().columns[0]
            'run'
        """
        return self._session.query("loader.throughput", run)

    def trials(self, run: str | list[str] | None = None) -> Frame:
        """Which data loader settings did the search try, and how fast was each?

        One row per setting that `tracelake.record.optimize` tried, and one for the replay from memory (`variant`
        ideal). The replay shows the speed if loading data took no time. A trial is one pass with a setting. `dur` of a
        trial is the time per batch over a whole epoch, including start-up. The rate is that of the median trial; its
        range is from the slowest to the fastest trial. The range of n trials contains the true median in 1 - 2^(1-n) of
        all cases: in 94 % for 5 trials.

        The search compares settings by trials of the same round. Of settings that are equally fast, it takes the one
        that needs fewer resources. The chosen setting is therefore not always the fastest here. Trials of one process
        count together, even if it searched several times.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `variant desc`, `num_workers`, `batch_size`, `loader`,
            with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `loader` (text, name): name of the loader or iterator; `replay` of the replay
            - `variant` (text, name): real or ideal, of tools that time a replay
            - `num_workers` (bigint, count): worker processes of the loader
            - `batch_size` (bigint, count): items in a batch; null when unknown
            - `prefetch_factor` (bigint, count): batches that each worker prepares ahead; null for the default
            - `persistent_workers` (boolean, flag): whether workers outlive a pass
            - `pin_memory` (boolean, flag): whether batches go to pinned memory
            - `trials` (bigint, count): trials that gave a time
            - `batches_per_s` (double, per_s): batches over the time of the loop; in the median trial; null if all
              failed
            - `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`; null where a batch does not show how
              many it has
            - `low_per_s` (double, per_s): the slowest trial, in samples where these are known, else in batches
            - `high_per_s` (double, per_s): the fastest trial, likewise
            - `dur_p50` (double, ns): median; of the trials
            - `bytes` (bigint, bytes): most resident memory at the end of a trial, of the process and its workers; null
              when unknown
            - `limit_bytes` (bigint, bytes): memory above which a setting was not taken; null for none
            - `is_baseline` (boolean, flag): whether it is the baseline that others are compared with
            - `chosen` (boolean, flag): whether the search found it best; the baseline if nothing was surely faster
            - `failed` (text, text): why it was given up; null if it was not

        Example:
            >>> s.loader.trials().columns[0]
            'run'
        """
        return self._session.query("loader.trials", run)

    def utilization(self, run: str | list[str] | None = None, *, target: float = 0.9) -> Frame:
        """How busy does the data loader keep an accelerator, by the definition of MLPerf Storage?

        One row per loop. Accelerator utilization is the computing time over the sum of computing time and waits for
        data. MLPerf Storage excludes the first step (`accelerator_utilization_rest`), requires 90 % for its image
        models and 70 % for CosmoFlow, and takes the mean over ranks and epochs. Accelerator utilization is 1 minus the
        share of `loader.share`. It does not show what the accelerator did while the loop computed:
        `utilization.gpu_load` shows that, from samples.

        A pass that was timed only as a whole has no utilization. Its time outside of the waits includes the start of
        the workers, which would count as computing.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: Minimum accelerator utilization. Default: 0.9.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file of the row, see table object; null where calls have times
            - `measure` (text, name): steps, calls or pass, as in `loader.share`; null when nothing was recorded to
              compare the waits with
            - `compute` (bigint, ns): time of the work on the batches; null when unknown
            - `total` (bigint, ns): time that the ratios of the row are a share of
            - `accelerator_utilization` (double, ratio): `compute` over `total`
            - `accelerator_utilization_rest` (double, ratio): the same without the first batch of each pass
            - `reached` (boolean, flag): whether `accelerator_utilization_rest` is at least `target`; null when unknown
            - `why` (text, text): why the result is null; else null

        Example:
            >>> s.loader.utilization().columns[0]
            'run'
        """
        return self._session.query("loader.utilization", run, target=target)

    def worker_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Which data loader workers lived much longer than usual?

        A worker is an outlier when it lived for at least `factor` times the median of its run, over all processes. The
        workers of a training loader live longer than those of a short evaluation and are then the outliers. Compare
        only workers of the same loader.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum lifetime of an outlier, as a multiple of the median. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `worker`, `pid`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker number
            - `ts` (bigint, time): start of its life; null when no time was recorded
            - `dur` (bigint, ns): length of its life
            - `dur_p50` (double, ns): median; of the run
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.worker_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.worker_outliers", run, factor=factor)

    def workers(self, run: str | list[str] | None = None) -> Frame:
        """When did each data loader worker live, and for how long?

        One row per life of a worker, from its start to its exit. Workers that live for only one epoch are started again
        for the next one.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `worker`, `pid`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker number
            - `ts` (bigint, time): start of its life; null when no time was recorded
            - `dur` (bigint, ns): length of its life

        Example:
            >>> s.loader.workers().columns[0]
            'run'
        """
        return self._session.query("loader.workers", run)

    def workers_compared(self, run: str | list[str] | None = None) -> Frame:
        """Which worker of the loader is slow, and is the time in its items or in its collate calls?

        One row per worker of a loader, or for the training process if it reads the items itself. `relative` is the
        worker's median time of an item over the median of these medians for all workers of the loader. A worker with a
        value of about 1 is like the others.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `worker`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader or iterator
            - `worker` (bigint, id): worker number; null for the training process
            - `items` (bigint, count): items read
            - `item_p50` (double, ns): median time of an item
            - `item_max` (bigint, ns): its slowest item
            - `item_dur` (bigint, ns): time in items
            - `collates` (bigint, count): collate calls
            - `collate_p50` (double, ns): median time of a collate call
            - `collate_dur` (bigint, ns): time in collate calls
            - `relative` (double, factor): `item_p50` over the median of all workers of the loader

        Example:
            >>> s.loader.workers_compared().columns[0]
            'run'
        """
        return self._session.query("loader.workers_compared", run)

    def workers_timeline(self, run: str | list[str] | None = None) -> Frame:
        """When did each worker of the loader make each batch, and how long did the batch wait for the training?

        One row per batch that a worker made, see `worker_batch`. `queue_dur` is the time from when the worker finished
        the batch until the training process received it. It includes the transfer between the processes. Long times in
        the queue mean that the workers are ahead of the training. With no time in the queue, the training waits for the
        workers.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `worker`, `pid`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader or iterator
            - `worker` (bigint, id): worker number; null in the training process
            - `pid` (bigint, id): operating system process id
            - `epoch` (bigint, id): epoch as recorded; null where the worker does not know it
            - `batch` (bigint, id): batch number as recorded; null where the worker does not know it
            - `ts` (bigint, time): start of its first item
            - `dur` (bigint, ns): until the end of its collate call
            - `items` (bigint, count): items read
            - `item_dur` (bigint, ns): time in items
            - `collate_dur` (bigint, ns): time in collate calls; null if it was never made
            - `queue_dur` (bigint, ns): until the training process had it; null where that is not known

        Example:
            >>> s.loader.workers_timeline().columns[0]
            'run'
        """
        return self._session.query("loader.workers_timeline", run)


class Memory(Family):
    """Queries of the family `memory`, as `s.memory`."""

    __slots__ = ()

    def bandwidth(self, run: str | list[str] | None = None) -> Frame:
        """How fast did copies and fills move memory after every change?

        Two rows per copy or fill: its bandwidth is added at its start and subtracted at its end. `name` is the
        direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, ...; `Memcpy Unknown` if it was not
        recorded) or `Memset`. `bytes_per_s` is the sum over all that run on the device in that direction, from `ts` on.
        The bandwidth of a copy is the one that the profiler wrote (GB of 10^9 bytes), else its bytes divided by its
        duration. A copy with a duration of 0, shorter than the resolution of the clock, counts as one microsecond long.

        The series is that of HTA's `get_memory_bw_time_series`. HTA adds up all devices of a rank and does not define
        the order of changes at the same time. Here ends come before starts.

        Excluded: copies with neither a recorded bandwidth nor a recorded size.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, `ts`, `change_bytes_per_s`, with
            these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `name` (text, name): direction of the copies, or Memset
            - `ts` (bigint, time): when the bandwidth changed
            - `dur` (bigint, ns): from there to the next change; null for the last one
            - `change_bytes_per_s` (double, bytes_per_s): bandwidth of the copy that began, less than 0 for one that
              ended
            - `bytes_per_s` (double, bytes_per_s): bandwidth of all afterwards

        Example:
            >>> s.memory.bandwidth().columns[0]
            'run'
        """
        return self._session.query("memory.bandwidth", run)

    def bandwidth_over_time(
        self,
        run: str | list[str] | None = None,
        *,
        bins: int = 200,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How fast did copies and fills move memory over a recording?

        The time from the start of the first copy to the end of the last one in a recording is divided into at most
        `bins` bins of equal length. The bins are the same for all processes, devices and directions of a run. A change
        belongs to the bin in which it happens. `max_bytes_per_s` is the maximum bandwidth in the bin.
        `last_bytes_per_s` is the bandwidth at its end, which lasts until the next bin. `copied_bytes` is the size of
        the copies that began in it. There are never more bins than changes in one direction. `memory.bandwidth` defines
        the directions and the bandwidth.

        With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has
        the bandwidth from before the window.

        Excluded: bins without a change, in which the bandwidth stays the same.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins, at least 1. Default: 200.
            start: Start of the window, in ns since the Unix epoch; null for the first copy. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last copy. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `name` (text, name): direction of the copies, or Memset
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): copies that began in it
            - `copied_bytes` (bigint, bytes): sum of the sizes; null where none is on record
            - `max_bytes_per_s` (double, bytes_per_s): maximum bandwidth
            - `last_bytes_per_s` (double, bytes_per_s): bandwidth after the last change of the bin

        Example:
            >>> s.memory.bandwidth_over_time().columns[0]
            'run'
        """
        return self._session.query("memory.bandwidth_over_time", run, bins=bins, start=start, end=end)

    def bandwidth_summary(self, run: str | list[str] | None = None) -> Frame:
        """How fast did copies and fills move memory on average?

        One row per recording of a process, device and direction. `mean_bytes_per_s` is the mean over the time in which
        a copy of that direction ran (`busy`). The columns `point_*` are over the `n` values of the bandwidth above 0
        after each change, regardless of the time between changes. They are those of HTA's `get_memory_bw_summary`:
        HTA's mean is `point_mean_bytes_per_s`. `memory.bandwidth` defines the directions and the bandwidth.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `name` (text, name): direction of the copies, or Memset
            - `copies` (bigint, count): copies or fills
            - `copied_bytes` (bigint, bytes): sum of the sizes; null where none is on record
            - `busy` (bigint, ns): time in which at least one ran
            - `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in the time in which at least one ran
            - `n` (bigint, count): values of the bandwidth above 0
            - `point_mean_bytes_per_s` (double, bytes_per_s): mean of these
            - `point_std_bytes_per_s` (double, bytes_per_s): standard deviation of these; null for a single one
            - `min_bytes_per_s` (double, bytes_per_s): minimum of these
            - `p25_bytes_per_s` (double, bytes_per_s): 25th percentile
            - `p50_bytes_per_s` (double, bytes_per_s): median
            - `p75_bytes_per_s` (double, bytes_per_s): 75th percentile
            - `max_bytes_per_s` (double, bytes_per_s): maximum bandwidth

        Example:
            >>> s.memory.bandwidth_summary().columns[0]
            'run'
        """
        return self._session.query("memory.bandwidth_summary", run)

    def by_operator(self, run: str | list[str] | None = None) -> Frame:
        """Which operators allocated memory on which device, and how much?

        One row per process, device and operator inside which memory was allocated or freed. An event of the allocator
        belongs to the innermost operator that encloses it on its thread (the `self_` columns), and to all operators
        around that one. It counts once for an operator that is inside another call of the same name. `increase_bytes`
        is the allocated memory minus the freed memory, whatever operator allocated it. `alloc_bytes` excludes the freed
        memory. Recordings of a process are taken together.

        The table is the memory view of the TensorBoard plugin.

        Excluded: events outside of all operators.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `self_increase_bytes desc`, `operator`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `device` (text, name): device of the memory (cpu, gpu0)
            - `operator` (text, name): name of the operator
            - `n` (bigint, count): calls of the operator, with and without events of the allocator
            - `increase_bytes` (bigint, bytes): bytes allocated less bytes freed, in it and the operators it called
            - `self_increase_bytes` (bigint, bytes): the same without the operators it called
            - `allocs` (bigint, count): allocations in it and the operators it called
            - `self_allocs` (bigint, count): allocations without the operators it called
            - `alloc_bytes` (bigint, bytes): bytes allocated in it and the operators it called
            - `self_alloc_bytes` (bigint, bytes): bytes allocated without the operators it called

        Example:
            >>> s.memory.by_operator().columns[0]
            'run'
        """
        return self._session.query("memory.by_operator", run)

    def curve(
        self,
        run: str | list[str] | None = None,
        *,
        bins: int = 200,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How did the memory in use change over a run?

        The time from the first to the last event of an allocator in a recording is divided into at most `bins` bins of
        equal length. The bins are the same for all processes and devices of a run. An event belongs to the bin in which
        it lies. `min_bytes` and `max_bytes` are the minimum and maximum number of bytes in use after an event of the
        bin, so that no peak is lost. `reserved_bytes` is the maximum that the allocator held. These and `last_bytes`
        are null in recordings that have only the size of each event (torch before 1.10). `increase_bytes` is the
        allocated memory minus the freed memory from the first event of the recording to the end of the bin. There are
        never more bins than events of one device.

        With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has
        the values from before the window.

        Excluded: bins without events, in which nothing changed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins, at least 1. Default: 200.
            start: Start of the window, in ns since the Unix epoch; null for the first event. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last event. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device of the memory (cpu, gpu0)
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): events in it
            - `min_bytes` (bigint, bytes): minimum bytes in use
            - `max_bytes` (bigint, bytes): most bytes in use
            - `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            - `increase_bytes` (bigint, bytes): bytes allocated less bytes freed from the first event to the end of the
              bin
            - `last_bytes` (bigint, bytes): bytes in use after the last event of the bin, and so until the next bin

        Example:
            >>> s.memory.curve().columns[0]
            'run'
        """
        return self._session.query("memory.curve", run, bins=bins, start=start, end=end)

    def peak(self, run: str | list[str] | None = None) -> Frame:
        """What was the peak memory of each device, and when was it reached?

        One row per recording of a process and device with events of an allocator. `peak_bytes` is the maximum number of
        bytes in use after an event of the allocator. `ts` is the first time at which it was reached. `reserved_bytes`
        is the maximum that the allocator held. The three are null in recordings that have only the size of each event
        (torch before 1.10). In these, only `increase_bytes` is known, the maximum increase since the first event. The
        memory in use before the first event is unknown.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device of the memory (cpu, gpu0)
            - `n` (bigint, count): events of the allocator
            - `ts` (bigint, time): when the peak was reached first
            - `peak_bytes` (bigint, bytes): most bytes in use
            - `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            - `increase_bytes` (bigint, bytes): maximum increase of the bytes in use since the first event
            - `device_bytes` (bigint, bytes): memory of the device
            - `peak_ratio` (double, ratio): `peak_bytes` over `device_bytes`

        Example:
            >>> s.memory.peak().columns[0]
            'run'
        """
        return self._session.query("memory.peak", run)

    def transfers(self, run: str | list[str] | None = None, *, sizes: bool = False) -> Frame:
        """How much memory was copied and filled, in which direction, in which sizes, and how fast?

        One row per device and kind of a process rank. With `sizes`, each class of size has its own row. A kind is a
        direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy Unknown`
        if it was not recorded), `Memset`, or a migration of unified memory that no call requested (`Memcpy HtoD
        (Unified)`). Apart from migrations, kinds are the directions of `memory.bandwidth`. The class of a size is the
        smallest power of 4 that is not below it. For example, 1048576 is the class of copies of more than 256 KiB and
        up to 1 MiB.

        `dur_sum` adds up durations, so parallel copies count more than once. `busy` is the time in which at least one
        ran. `mean_bytes_per_s` is `bytes` divided by the time in which copies of known size ran. `sizes` shows how much
        many small copies cost. Counts, bytes and `dur_sum` of the classes add up to those of the kind, but `busy` may
        not. Recordings of a process are taken together.

        The numbers are those of the reports `cuda_gpu_mem_time_sum` and `cuda_gpu_mem_size_sum` of `nsys stats`. The
        names of copies in `kernel.summary` show whether the memory of the host was pinned.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            sizes: Whether each class of size has its own row. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `kind`, `size_bytes`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `device` (text, name): device (gpu0)
            - `kind` (text, name): direction of the copies, or Memset
            - `size_bytes` (bigint, bytes): maximum size of the class; null for all sizes together, and for unknown ones
            - `n` (bigint, count): copies or fills
            - `bytes` (bigint, bytes): sum of their sizes; null where none is on record
            - `mean_bytes` (double, bytes): mean size
            - `min_bytes` (bigint, bytes): minimum size
            - `p50_bytes` (double, bytes): median size
            - `max_bytes` (bigint, bytes): maximum size
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest
            - `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in the time in which at least one ran

        Example:
            >>> s.memory.transfers().columns[0]
            'run'
        """
        return self._session.query("memory.transfers", run, sizes=sizes)


class Operator(Family):
    """Queries of the family `operator`, as `s.operator`."""

    __slots__ = ()

    def by_shape(self, run: str | list[str] | None = None) -> Frame:
        """How much time did each operator take for each shape of its inputs?

        One row per operator name, shapes of the inputs and process rank. The columns are those of `operator.summary`.
        The shapes are as the profiler wrote them, one list per input. They are null if the profiler did not write them
        (`record_shapes=True` enables them).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, `shapes`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `shapes` (text, json): shapes of the inputs; null when not recorded
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            - `dur_mean` (double, ns): mean
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.operator.by_shape().columns[0]
            'run'
        """
        return self._session.query("operator.by_shape", run)

    def by_stack(self, run: str | list[str] | None = None) -> Frame:
        """From which places in the code were operators called, and how much time did they take there?

        One row per operator name, Python stack and process rank. The other columns are those of `operator.summary`. The
        stack is the one that the profiler wrote for the operator (until PyTorch 1.12). Otherwise it is the Python
        functions and modules that enclose the operator on its thread, innermost first, with `;` between them. It is
        null if none was recorded (`with_stack=True` enables it), and on the separate thread of a device's backward
        pass.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, `stack`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `stack` (text, text): Python functions around it, innermost first; null when not recorded
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside

        Example:
            >>> s.operator.by_stack().columns[0]
            'run'
        """
        return self._session.query("operator.by_stack", run)

    def call_tree(self, run: str | list[str] | None = None, *, python: bool = False) -> Frame:
        """Which calls ran inside which others, and where in that tree did the time of host and device go?

        One row per chain of names on a process rank. All calls with the same enclosing calls are one node, regardless
        of thread and step. Nodes are operators, annotations, collectives and calls of a data loader, and with `python`
        also Python functions and modules. A call is inside the last call of its thread that began no later, ends no
        earlier and still runs. `path_id` identifies the chain of names: the same chain has the same `path_id` in every
        run.

        `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the calls
        launched themselves. `device_total` also has the device work of everything inside. Both add up durations, so
        parallel device work counts more than once. The `host_total` of all children of a node adds up to at most that
        of the node, unless they overlap in part.

        Excluded: step marks, which would divide the tree into steps.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            python: Whether Python functions and modules are nodes. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `depth`, `name`, `path_id`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `path_id` (bigint, id): identifies the path of names from the outermost to this one, in any run
            - `parent_id` (bigint, id): `path_id` of the enclosing row; null for the outermost
            - `depth` (bigint, count): rows that enclose it
            - `category` (text, name): operator, annotation, communication, loader, python or module
            - `name` (text, name): name of the call
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside

        Example:
            >>> s.operator.call_tree().columns[0]
            'run'
        """
        return self._session.query("operator.call_tree", run, python=python)

    def diff(
        self,
        run: str | list[str] | None = None,
        *,
        base: str | None = None,
        rank: int | None = None,
        span: int | None = None,
        step: int | None = None,
        base_rank: int | None = None,
        base_span: int | None = None,
        base_step: int | None = None,
        python: bool = False,
    ) -> Frame:
        """How did the time of operators and other host calls change compared with another run, recording, rank or step?

        One row per name, with counts and summed durations on both sides and their differences. Names are those of
        operators, annotations, collectives, calls of a data loader and calls into a device's runtime or driver. With
        `python`, Python functions and modules are included. The run of the row is one side, `base` is the other:
        `operator_diff('before') where run = 'after'`. Without `base`, a run is compared with itself:
        `operator_diff(base_span => 0, span => 1)` compares its second recording with its first. `base_step` and `step`
        do the same for steps, `base_rank` and `rank` for ranks. If a parameter of the base is not given, the base uses
        the value of the other side. For example, `operator_diff('before', rank => 0, step => 7)` compares step 7 of
        rank 0 in both runs. Without a selection, all ranks, recordings and steps are added up. Without any parameter,
        both sides are equal.

        `change_kind` depends on the counts: added and deleted names are on one side only. Durations are those of the
        calls, including everything that ran inside. `steps` and `base_steps` are the numbers of steps that were added
        up, over all ranks, because the two sides may differ.

        Counts, durations and categories are those of HTA's TraceDiff for the host. TraceDiff compares one step of one
        rank and includes the mark of the step.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            base: Run to compare with; null for the run itself. Default: null.
            rank: Only this rank; null for all. Default: null.
            span: Only this recording; null for all. Default: null.
            step: Only this step; null for all. Default: null.
            base_rank: Only this rank of the base; null for that of `rank`. Default: null.
            base_span: Only this recording of the base; null for that of `span`. Default: null.
            base_step: Only this step of the base; null for that of `step`. Default: null.
            python: Whether Python functions and modules are compared. Default: false.

        Returns:
            One frame, ordered by `run`, `dur_diff desc`, `category`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `base` (text, id): run that it is compared with
            - `category` (text, name): operator, annotation, communication, loader, runtime, driver, python or module
            - `name` (text, name): name of the call
            - `change_kind` (text, name): added, deleted, increased, decreased or unchanged, by the counts
            - `base_n` (bigint, count): how often it ran in the base
            - `n` (bigint, count): how often it ran
            - `n_diff` (bigint, count): `n` less `base_n`
            - `base_dur_sum` (bigint, ns): sum of the durations in the base
            - `dur_sum` (bigint, ns): sum of the durations
            - `dur_diff` (bigint, ns): `dur_sum` less `base_dur_sum`
            - `dur_ratio` (double, factor): `dur_sum` over `base_dur_sum`; null where the base has none
            - `base_steps` (bigint, count): steps that were added up in the base, each rank's; 0 without step marks
            - `steps` (bigint, count): steps that were added up, each rank's

        Example:
            >>> s.operator.diff().columns[0]
            'run'
        """
        return self._session.query(
            "operator.diff",
            run,
            base=base,
            rank=rank,
            span=span,
            step=step,
            base_rank=base_rank,
            base_span=base_span,
            base_step=base_step,
            python=python,
        )

    def flops(self, run: str | list[str] | None = None) -> Frame:
        """How many floating-point operations did the operators perform, and how fast?

        One row per operator name and process rank. The numbers are the profiler's own estimates. With
        `with_flops=True`, it estimates them from the shapes of the inputs for a few operators (convolutions, products
        of matrices, sums, products). The rate is over the device work that the operators launched, or over their time
        on the host if they launched none.

        Excluded: operators without an estimate. The result is empty if the profile has no estimates.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `n` (bigint, count): calls with an estimate
            - `flops` (double, count): floating-point operations
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `flops_per_s` (double, per_s): `flops` over `device_total`, or over `host_total` where that is 0

        Example:
            >>> s.operator.flops().columns[0]
            'run'
        """
        return self._session.query("operator.flops", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How much time did each operator take, on the host and on the device?

        One row per operator name and process rank. `host_total` is the time in calls of that name, added up over the
        threads; recursion counts once. `host_self` excludes the calls inside: other operators, annotations and calls
        into the runtime. `device_self` is the device work that its own calls launched. `device_total` also has the
        device work of everything inside. Both add up durations, so parallel device work counts more than once. A launch
        belongs to the innermost call around it on its thread (view `host_frame`), so traces without `External id` have
        these numbers too.

        The definitions are those of the operator table of the TensorBoard plugin of PyTorch, with two differences. The
        plugin excludes operators that overlap another one in part. If the only child of an operator has the same name,
        the plugin merges the two.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in its calls, thread by thread
            - `host_self` (bigint, ns): time in it and in nothing inside
            - `device_total` (bigint, ns): device work launched in it and everything inside
            - `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            - `dur_mean` (double, ns): mean
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.operator.summary().columns[0]
            'run'
        """
        return self._session.query("operator.summary", run)


class Rank(Family):
    """Queries of the family `rank`, as `s.rank`."""

    __slots__ = ()

    def communication(self, run: str | list[str] | None = None) -> Frame:
        """How much of the communication of a rank was transfer, how much waiting for others, and how much was hidden?

        One row per recording of a process and name of a collective: kernels of NCCL and RCCL, and collectives that run
        on the host (gloo). Each collective is compared with itself on the other ranks (view `collective`). The shortest
        duration over the ranks is the transfer. The rest is waiting for the rank that arrived last. Times are unions
        over the streams: parallel collectives count once.

        `overlap` is the part of `communication` in which the rank also computed. For a kernel, that means computing
        kernels. For a collective on the host, it means operators and annotations of the host. `lateness_mean` and the
        skew compare the starts on several ranks and need synchronized clocks. `transfer` and `synchronization` do not.

        Transfer and waiting are those of the TensorBoard plugin's distributed view. The plugin compares nothing unless
        all ranks have the same number of collectives. Here only a step or a name that differs has no values (`matched`
        is smaller than `n`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `communication desc`, `name`, `category`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `category` (text, name): kernel, or communication for collectives that ran on the host
            - `name` (text, name): name of the kernel, or of the mark on the host
            - `n` (bigint, count): how often it ran
            - `matched` (bigint, count): those that were found on another rank too
            - `communication` (bigint, ns): time in which a collective ran
            - `transfer` (bigint, ns): time of the transfer itself: the shortest duration over the ranks; null without
              `matched`
            - `synchronization` (bigint, ns): time of waiting for the last rank: what is not `transfer`; null without
              `matched`
            - `synchronization_ratio` (double, ratio): `synchronization` over both
            - `overlap` (bigint, ns): time in which communication and computation both ran
            - `overlap_ratio` (double, ratio): `overlap` over `communication`
            - `lateness_mean` (double, ns): mean time from the first rank's start to this one's
            - `skew_p50` (double, ns): median time from the first rank's start to the last one's
            - `skew_max` (bigint, ns): longest time of that
            - `times_last` (bigint, count): collectives to which this rank came last

        Example:
            >>> s.rank.communication().columns[0]
            'run'
        """
        return self._session.query("rank.communication", run)

    def imbalance(self, run: str | list[str] | None = None, *, extended: bool = False) -> Frame:
        """How unevenly is the work of a step distributed over the ranks?

        One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`, which
        divide every moment of it. Each rank counts with the mean over its steps, all recordings together. `imbalance`
        is the maximum of these means divided by their mean. A value of 1 is even. A value of 1.5 means that the busiest
        rank takes 50 % more than the average. All others may have to wait for it. Ranks that wait for a straggler have
        more `communication`. The straggler has more of the part that made it late.

        Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.

        Excluded: steps that a recording cut short, and processes without a rank.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `spread desc`, `part`, with these columns.

            - `run` (text, id): name of the run
            - `part` (text, name): step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
            - `ranks` (bigint, count): ranks
            - `dur_mean` (double, ns): mean; over the means of the ranks
            - `dur_std` (double, ns): standard deviation; over the means of the ranks
            - `dur_min` (double, ns): shortest; of the means of the ranks
            - `min_rank` (bigint, id): rank that has it; of several the lowest
            - `dur_max` (double, ns): longest; of the means of the ranks
            - `max_rank` (bigint, id): rank that has it; of several the lowest
            - `imbalance` (double, factor): `dur_max` over `dur_mean`; null where no rank has any
            - `spread` (double, ns): `dur_max` less `dur_min`

        Example:
            >>> s.rank.imbalance().columns[0]
            'run'
        """
        return self._session.query("rank.imbalance", run, extended=extended)

    def stragglers(self, run: str | list[str] | None = None) -> Frame:
        """Which ranks do the others wait for, and how long?

        One row per rank that took part in a collective that another rank recorded too (view `collective`). In each such
        collective, one rank comes last and the others wait for it. `held_up` adds up their waiting time, over all of
        these ranks and collectives. `caused_delay` is how much sooner the collectives would have begun to transfer if
        this rank had come together with the second-to-last rank. A straggler has a large `held_up_ratio` and waits
        little itself. `rank.imbalance` shows what it was doing in the meantime, `step.breakdown` shows when.

        The rank that comes last is the one with the shortest duration, because all ranks end together. Unlike the
        latest start, that needs no synchronized clocks. HTA's `get_potential_stragglers` uses the start of one kernel
        on one stream in each step. It only names the candidates, and does not know kernels of NCCL 2.19 and later.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `held_up desc`, `node`, `rank`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process
            - `collectives` (bigint, count): collectives found on at least two ranks
            - `times_last` (bigint, count): collectives to which this rank came last
            - `last_ratio` (double, ratio): `times_last` over `collectives`
            - `held_up` (bigint, ns): time that other ranks waited for this one, added up over them
            - `held_up_ratio` (double, ratio): `held_up` over that of all ranks of the run
            - `caused_delay` (bigint, ns): time by which this rank alone held the collectives up
            - `caused_delay_max` (bigint, ns): longest delay that it caused in a single collective
            - `waited` (bigint, ns): time that this rank waited for others
            - `lateness_mean` (double, ns): mean time from the first rank's start to this one's; by the clocks of the
              machines

        Example:
            >>> s.rank.stragglers().columns[0]
            'run'
        """
        return self._session.query("rank.stragglers", run)


class Rules(Family):
    """Queries of the family `rules`, as `s.rules`."""

    __slots__ = ()

    def batch_size(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        cpu_threshold_p95: float | None = None,
        gpu_threshold_p95: float | None = None,
        gpu_memory_threshold_p95: float | None = None,
        patience: int | None = None,
        window: int = 500,
    ) -> Frame:
        """Does the hardware have room for larger batches?

        smdebug's rule BatchSize, over the whole run. One row per GPU. The rule is evaluated at the end of every minute
        (view `system_recent`), including the last one, once there are more than `patience` and more than `window`
        values. It uses the 95th percentiles of the last `window` values of the cores (their mean), of the GPU and of
        its memory. A minute is a violation when all three percentiles are below their limits. One violation triggers
        the rule.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never evaluates
        the last minute. In its box plot, the whiskers of the memory use a quartile of the GPU's utilization; here they
        use the quartiles of the memory.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            cpu_threshold_p95: Percent below which the cores have room; null for the published limit. Default: null.
            gpu_threshold_p95: Percent below which a GPU has room; null for the published limit. Default: null.
            gpu_memory_threshold_p95: Percent below which its memory has room; null for the published limit. Default:
                null.
            patience: The rule needs more values than this; null for the published limit, at least 0. Default: null.
            window: Number of last values to look at; 500 in all sources, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): minutes that ended with room
            - `datapoints` (bigint, count): values of the GPU
            - `last_ts` (bigint, time): start of the last such minute
            - `cpu_p25` (double, percent): lower quartile of the mean over the cores
            - `cpu_p50` (double, percent): median
            - `cpu_p75` (double, percent): upper quartile
            - `cpu_p95` (double, percent): 95th percentile
            - `cpu_lower` (double, percent): lower whisker of the box plot
            - `cpu_upper` (double, percent): upper whisker
            - `gpu_p25` (double, percent): lower quartile of the GPU's utilization
            - `gpu_p50` (double, percent): median
            - `gpu_p75` (double, percent): upper quartile
            - `gpu_p95` (double, percent): 95th percentile
            - `gpu_lower` (double, percent): lower whisker of the box plot
            - `gpu_upper` (double, percent): upper whisker
            - `memory_p25` (double, percent): lower quartile of the GPU's memory
            - `memory_p50` (double, percent): median
            - `memory_p75` (double, percent): upper quartile
            - `memory_p95` (double, percent): 95th percentile
            - `memory_lower` (double, percent): lower whisker of the box plot
            - `memory_upper` (double, percent): upper whisker
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.batch_size().columns[0]
            'run'
        """
        return self._session.query(
            "rules.batch_size",
            run,
            defaults=defaults,
            cpu_threshold_p95=cpu_threshold_p95,
            gpu_threshold_p95=gpu_threshold_p95,
            gpu_memory_threshold_p95=gpu_memory_threshold_p95,
            patience=patience,
            window=window,
        )

    def compared(self, run: str | list[str] | None = None, *, defaults: str = "reported") -> Frame:
        """Do the rules report the same today as while the job ran?

        One row per rule report that the job wrote (`rules.reported`), together with what `rules.report` says about the
        run. By default, the run is evaluated with the limits in its own reports. LowGPUUtilization and BatchSize always
        use the last 500 values (`window`), whatever the report says. `why` has the first reason for different numbers:
        different limits, different datapoints, or a different way of counting.

        `defaults` selects the source of the limits: reported (the run's own report, or history where it has no limit),
        history (smdebug's code), rulesconfig (AWS's package) or docs (AWS's guide of 2023).

        smdebug evaluates a job minute by minute, counts values on a border twice, and skips the last minute. Its
        datapoints therefore usually differ.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the limits (see above): history, rulesconfig, docs or reported. Default: 'reported'.

        Returns:
            One frame, ordered by `run`, `rule`, `object`, with these columns.

            - `run` (text, id): name of the run
            - `rule` (text, name): name of the rule
            - `reported_triggered` (boolean, flag): whether it was triggered
            - `triggered` (boolean, flag): whether the rule is triggered; null when that cannot be known
            - `agrees` (boolean, flag): whether the two verdicts are the same; null without one of them
            - `reported_violations` (bigint, count): violations as reported
            - `violations` (bigint, count): violations here
            - `reported_datapoints` (bigint, count): what was judged
            - `datapoints` (bigint, count): what is judged here
            - `reported_parameters` (text, json): limits of the report
            - `parameters` (text, json): limits that were used
            - `why` (text, text): why the result is null; or why the numbers differ; null where all are the same
            - `object` (bigint, id): file of the row, see table object

        Example:
            >>> s.rules.compared().columns[0]
            'run'
        """
        return self._session.query("rules.compared", run, defaults=defaults)

    def cpu_bottleneck(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        threshold: float | None = None,
        gpu_threshold: float | None = None,
        cpu_threshold: float | None = None,
        patience: int | None = None,
    ) -> Frame:
        """Were GPUs idle while cores were busy?

        smdebug's rule CPUBottleneck, over the whole run. One row per run. A snapshot of a machine (view
        `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its busiest core is above
        `cpu_threshold`. The rule is triggered when there are more than `patience` snapshots and more than `threshold`
        percent of them are violations. `utilization.cpu_bottleneck` lists such snapshots.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            threshold: Percent of violations above which the rule is triggered; null for the published limit. Default:
                null.
            gpu_threshold: Percent below which a GPU is idle; null for the published limit. Default: null.
            cpu_threshold: Percent above which a core is busy; null for the published limit. Default: null.
            patience: The rule needs more snapshots than this; null for the published limit, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): snapshots with an idle GPU next to a busy core
            - `datapoints` (bigint, count): snapshots, those of all machines
            - `low_gpu` (bigint, count): snapshots with an idle GPU
            - `violation_ratio` (double, ratio): violations among the snapshots
            - `first_ts` (bigint, time): first violation
            - `last_ts` (bigint, time): last violation
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.cpu_bottleneck().columns[0]
            'run'
        """
        return self._session.query(
            "rules.cpu_bottleneck",
            run,
            defaults=defaults,
            threshold=threshold,
            gpu_threshold=gpu_threshold,
            cpu_threshold=cpu_threshold,
            patience=patience,
        )

    def dataloader(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        min_threshold: float | None = None,
        max_threshold: float | None = None,
        patience: int | None = None,
    ) -> Frame:
        """Were there too few or too many data loader workers for the cores?

        smdebug's rule Dataloader, over the whole run. One row per machine. The rule counts the worker processes in each
        second in which a worker lived (view `worker_second`). It is triggered when the median of these counts is below
        `min_threshold` or above `max_threshold` percent of the cores, over more than `patience` seconds. Violations are
        the seconds with a count beyond one of these limits.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit). For
        this rule, docs has no limits and uses those of rulesconfig.

        smdebug counts the processes of the events that start in a second, including the training processes. A worker
        therefore counts only in the first second of its life. smdebug evaluates each window separately, and its data
        loading time mixes the lifetimes of workers with waits.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            min_threshold: Percent of the cores below which there are too few workers; null for the published limit, at
                least 0. Default: null.
            max_threshold: Percent of the cores above which there are too many workers; null for the published limit, at
                least 0. Default: null.
            patience: The rule needs more seconds than this; null for the published limit, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `triggered` (boolean, flag): whether the rule is triggered; null where no core was sampled
            - `violations` (bigint, count): seconds with too few or too many workers; null where no core was sampled
            - `datapoints` (bigint, count): seconds in which a worker lived
            - `workers_p50` (double, count): median of the worker processes in them
            - `workers_max` (bigint, count): maximum number of workers
            - `cores` (bigint, count): cores of the machine; null when none was sampled
            - `num_workers` (bigint, count): worker processes of the loader; maximum over the loaders
            - `pin_memory` (boolean, flag): whether batches go to pinned memory
            - `prefetch_factor` (bigint, count): batches that each worker prepares ahead
            - `wait_p25` (double, ns): lower quartile of the waits for a batch
            - `wait_p50` (double, ns): median
            - `wait_p95` (double, ns): 95th percentile
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.dataloader().columns[0]
            'run'
        """
        return self._session.query(
            "rules.dataloader",
            run,
            defaults=defaults,
            min_threshold=min_threshold,
            max_threshold=max_threshold,
            patience=patience,
        )

    def gpu_memory_increase(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        increase: float | None = None,
        patience: int | None = None,
        window: int | None = None,
    ) -> Frame:
        """Did the memory in use on a GPU grow?

        smdebug's rule GPUMemoryIncrease, over the whole run. One row per GPU. A value is a violation when the mean of
        the last `window` values is more than `increase` above the mean of the `window` - 1 values that begin one value
        earlier. The rule needs more than `patience` values and more than `window` + 1 values. One violation triggers
        the rule.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug counts a value on the border of two of its windows twice, and no value of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            increase: Growth of the mean in percentage points that is allowed; null for the published limit. Default:
                null.
            patience: The rule needs more values than this; null for the published limit, at least 0. Default: null.
            window: Number of values in a mean; null for the published limit, at least 2. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): values at which the mean had grown by more than `increase`
            - `datapoints` (bigint, count): values of the memory of the GPU
            - `increase` (double, percent): growth at the last violation, in percentage points
            - `last_ts` (bigint, time): last violation
            - `p5` (double, percent): 5th percentile
            - `p25` (double, percent): lower quartile
            - `p50` (double, percent): median
            - `p75` (double, percent): upper quartile
            - `p95` (double, percent): 95th percentile
            - `max` (double, percent): maximum value
            - `lower` (double, percent): lower whisker
            - `upper` (double, percent): upper whisker
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.gpu_memory_increase().columns[0]
            'run'
        """
        return self._session.query(
            "rules.gpu_memory_increase",
            run,
            defaults=defaults,
            increase=increase,
            patience=patience,
            window=window,
        )

    def io_bottleneck(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        threshold: float | None = None,
        gpu_threshold: float | None = None,
        io_threshold: float | None = None,
        patience: int | None = None,
    ) -> Frame:
        """Were GPUs idle while cores waited for disks or network?

        smdebug's rule IOBottleneck, over the whole run. One row per run. A snapshot of a machine (view
        `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and the core that waits most
        is above `io_threshold`. The rule is triggered when there are more than `patience` snapshots and more than
        `threshold` percent of them are violations. `utilization.io_bottleneck` lists such snapshots.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            threshold: Percent of violations above which the rule is triggered; null for the published limit. Default:
                null.
            gpu_threshold: Percent below which a GPU is idle; null for the published limit. Default: null.
            io_threshold: Percent above which a core waits; null for the published limit. Default: null.
            patience: The rule needs more snapshots than this; null for the published limit, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): snapshots with an idle GPU next to a core that waits
            - `datapoints` (bigint, count): snapshots, those of all machines
            - `low_gpu` (bigint, count): snapshots with an idle GPU
            - `violation_ratio` (double, ratio): violations among the snapshots
            - `first_ts` (bigint, time): first violation
            - `last_ts` (bigint, time): last violation
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.io_bottleneck().columns[0]
            'run'
        """
        return self._session.query(
            "rules.io_bottleneck",
            run,
            defaults=defaults,
            threshold=threshold,
            gpu_threshold=gpu_threshold,
            io_threshold=io_threshold,
            patience=patience,
        )

    def load_balancing(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        threshold: float | None = None,
        patience: int | None = None,
    ) -> Frame:
        """Do the GPUs of a run carry different loads?

        smdebug's rule LoadBalancing, over the whole run. One row per pair of GPUs (view `gpu_pair`), on any machines. A
        pair is a violation, and triggers the rule, when the Jensen-Shannon distance of the histograms of their
        utilization is above `threshold` and both have more than `patience` values. `utilization.gpu_balance` has the
        same distances.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        Because of an error in a loop, smdebug never compares two GPUs, and its rule is never triggered. Its histograms
        end at 98 percent.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            threshold: Distance above which the loads differ; null for the published limit. Default: null.
            patience: The rule needs more values of each GPU than this; null for the published limit, at least 0.
                Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `device`, `other_node`, `other_device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the first GPU
            - `other_node` (text, id): machine of the second GPU
            - `other_device` (text, name): the second GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): 1 where the loads differ, else 0
            - `datapoints` (bigint, count): values of the GPU that has fewer
            - `distance` (double, factor): Jensen-Shannon distance of the two histograms
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.load_balancing().columns[0]
            'run'
        """
        return self._session.query(
            "rules.load_balancing",
            run,
            defaults=defaults,
            threshold=threshold,
            patience=patience,
        )

    def low_gpu_utilization(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        threshold_p95: float | None = None,
        threshold_p5: float | None = None,
        patience: int | None = None,
        window: int = 500,
    ) -> Frame:
        """Was a GPU underused, or did its utilization fluctuate?

        smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. The rule is evaluated at the end of every
        minute (view `system_recent`), including the last one, once there are more than `patience` values. The minute is
        a violation in two cases. Underused: the 95th percentile of the last `window` values is below `threshold_p95`.
        Fluctuating: that percentile is above `threshold_p95`, and the 5th percentile is below `threshold_p5`. One
        violation triggers the rule.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never evaluates
        the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            threshold_p95: Percent below which the 95th percentile means underused; null for the published limit.
                Default: null.
            threshold_p5: Percent below which the 5th percentile means fluctuating; null for the published limit.
                Default: null.
            patience: The rule needs more values than this; null for the published limit, at least 0. Default: null.
            window: Number of last values to look at; 500 in all sources, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): minutes that ended with the GPU underused or fluctuating
            - `datapoints` (bigint, count): values of the GPU
            - `underused` (bigint, count): minutes that ended with the GPU underused
            - `fluctuating` (bigint, count): minutes that ended with the GPU fluctuating
            - `last_ts` (bigint, time): start of the last such minute
            - `recent_p5` (double, percent): 5th percentile of the last `window` values of the run
            - `recent_p95` (double, percent): 95th percentile of the same
            - `p25` (double, percent): lower quartile
            - `p50` (double, percent): median
            - `p75` (double, percent): upper quartile
            - `p95` (double, percent): 95th percentile
            - `max` (double, percent): maximum value
            - `lower` (double, percent): lower whisker
            - `upper` (double, percent): upper whisker
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.low_gpu_utilization().columns[0]
            'run'
        """
        return self._session.query(
            "rules.low_gpu_utilization",
            run,
            defaults=defaults,
            threshold_p95=threshold_p95,
            threshold_p5=threshold_p5,
            patience=patience,
            window=window,
        )

    def max_initialization_time(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        threshold: float | None = None,
    ) -> Frame:
        """Did it take long until the first step?

        smdebug's rule MaxInitializationTime, over the whole run. One row per run. The run is a violation, and triggers
        the rule, when more than `threshold` minutes pass between the first recorded time and the first step of any
        mode.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug counts from its first window, and one violation for every minute without a step. Here, a run without
        steps has null, because the start of its training is not known. smdebug treats such a run as one in which
        training never began.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            threshold: Minutes until the first step above which the rule is triggered; null for the published limit.
                Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `triggered` (boolean, flag): whether the rule is triggered; null without steps
            - `violations` (bigint, count): 1 where the first step came late, else 0; null without steps
            - `datapoints` (bigint, count): steps, each once over all ranks
            - `started` (bigint, time): earliest time in its profile
            - `first_ts` (bigint, time): start of the first step
            - `last_ts` (bigint, time): start of the last step
            - `ended` (bigint, time): last time in its profile
            - `dur` (bigint, ns): from the first recorded time to the first step
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.max_initialization_time().columns[0]
            'run'
        """
        return self._session.query("rules.max_initialization_time", run, defaults=defaults, threshold=threshold)

    def overall_framework_metrics(self, run: str | list[str] | None = None) -> Frame:
        """What did the framework spend its time on?

        smdebug's rule OverallFrameworkMetrics, over the whole run. One row per part and name, with the share of the
        name in its part. The parts are: `ratio`, the host and the devices; `cpu`, each operator; `gpu`, each kernel,
        copy and fill; `phase`, the steps of each mode and the gaps between the steps (`others`); `forward_backward`,
        the modules in forward and in backward passes; `general`, everything else, by its track. Events of one process
        that overlap count once; the times of several processes add up. The rule is never triggered.

        smdebug adds up durations, excludes operators below 2 percent, and subtracts its `others` from the gaps a second
        time.

        Excluded: events without a time, and events that last more than a week.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `part`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `part` (text, name): ratio, cpu, gpu, phase, forward_backward or general
            - `name` (text, name): host or device, operator, mode, pass or track
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): always 0
            - `datapoints` (bigint, count): events
            - `dur` (bigint, ns): time in which at least one of them ran, summed over the processes
            - `ratio` (double, ratio): share of `dur` of all names of the part

        Example:
            >>> s.rules.overall_framework_metrics().columns[0]
            'run'
        """
        return self._session.query("rules.overall_framework_metrics", run)

    def overall_system_usage(self, run: str | list[str] | None = None) -> Frame:
        """How busy were the machines of a run as a whole?

        smdebug's rule OverallSystemUsage, over the whole run. One row per machine and quantity (view `system_box`): the
        mean over cores or GPUs in one snapshot, main memory, disks, and the sum of the bytes sent and received. The
        rule is never triggered. smdebug's Network is `traffic_algorithm`, and its I/O is `iowait` of the cores. smdebug
        never includes the last minute, rounds values, and replaces negative values by 0.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `unit` (text, name): unit as recorded
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): always 0
            - `datapoints` (bigint, count): snapshots with this quantity
            - `min` (double, mixed): minimum value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): maximum value
            - `p25` (double, mixed): lower quartile
            - `p75` (double, mixed): upper quartile
            - `lower` (double, mixed): lower whisker
            - `upper` (double, mixed): upper whisker

        Example:
            >>> s.rules.overall_system_usage().columns[0]
            'run'
        """
        return self._session.query("rules.overall_system_usage", run)

    def report(self, run: str | list[str] | None = None, *, defaults: str = "history") -> Frame:
        """Which rules does a run trigger?

        smdebug's ProfilerReport. One row per run and rule that has data, over the rows of the queries `rules.*`. A rule
        is triggered if it is triggered for any machine, GPU, pair or process of the run. Violations and datapoints add
        up. A rule without data has no row.

        `defaults` selects the source of the limits: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
        guide of 2023) or reported (the run's own report, or history where it has no limit).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.

        Returns:
            One frame, ordered by `run`, `rule`, with these columns.

            - `run` (text, id): name of the run
            - `rule` (text, name): name of the rule
            - `triggered` (boolean, flag): whether the rule is triggered; null when that cannot be known
            - `violations` (bigint, count): what the rule counts as violations; null when that cannot be known
            - `datapoints` (bigint, count): what was judged
            - `parameters` (text, json): limits that were used; {} for a rule without
            - `advice` (text, text): what to do when it is triggered

        Example:
            >>> s.rules.report().columns[0]
            'run'
        """
        return self._session.query("rules.report", run, defaults=defaults)

    def reported(self, run: str | list[str] | None = None) -> Frame:
        """What did the rules report while the job ran?

        One row per rule report that the job wrote (`rule-output/` of SageMaker Debugger), unchanged. `rules.compared`
        shows next to it what the rules report today.

        smdebug counts a rule as triggered once for each window in which its condition was true.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `rule`, `object`, with these columns.

            - `run` (text, id): name of the run
            - `rule` (text, name): name of the rule
            - `triggered` (boolean, flag): whether the rule is triggered
            - `times_triggered` (bigint, count): how often it was triggered
            - `violations` (bigint, count): what it counted as violations
            - `datapoints` (bigint, count): what was judged
            - `parameters` (text, json): limits that were used
            - `details` (text, json): what else it reported
            - `object` (bigint, id): file of the row, see table object

        Example:
            >>> s.rules.reported().columns[0]
            'run'
        """
        return self._session.query("rules.reported", run)

    def step_outlier(
        self,
        run: str | list[str] | None = None,
        *,
        defaults: str = "history",
        stddev: float | None = None,
        n_outliers: int | None = None,
        mode: str | None = None,
        patience: int = 100,
    ) -> Frame:
        """Did some steps last much longer than the others of their rank?

        smdebug's rule StepOutlier, over the whole run. One row per process and mode. A step is an outlier when it lasts
        more than `stddev` standard deviations (of the population) above the mean. If there are more than `n_outliers`
        outliers and more than `patience` steps, the outliers are violations and trigger the rule. Each step counts
        once. `step.outliers` is similar, but uses the median, and spans over all ranks.

        `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's
        package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).

        smdebug counts the outliers of earlier windows again in each window, and steps on the border of two windows
        twice. It uses only the last mode of a process, whatever its `mode` says.

        Excluded: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Source of the default limits (see above): history, rulesconfig, docs or reported. Default:
                'history'.
            stddev: Standard deviations above the mean that make a step an outlier; null for the published limit.
                Default: null.
            n_outliers: The rule needs more outliers than this; null for the published limit, at least 0. Default: null.
            mode: Only steps of this mode; null for each mode: train, eval, predict or global. Default: null.
            patience: The rule needs more steps than this; fixed in smdebug, at least 0. Default: 100.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `mode`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): outliers, if they are more than `n_outliers`
            - `datapoints` (bigint, count): steps
            - `outliers` (bigint, count): outliers, however few
            - `dur_limit` (double, ns): duration above which a step is an outlier
            - `dur_mean` (double, ns): mean
            - `dur_stddev` (double, ns): its standard deviation, that of a population
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.step_outlier().columns[0]
            'run'
        """
        return self._session.query(
            "rules.step_outlier",
            run,
            defaults=defaults,
            stddev=stddev,
            n_outliers=n_outliers,
            mode=mode,
            patience=patience,
        )


class Runtime(Family):
    """Queries of the family `runtime`, as `s.runtime`."""

    __slots__ = ()

    def os_calls(self, run: str | list[str] | None = None) -> Frame:
        """How much time did each call into the operating system take?

        One row per name of a call and process rank, such as `poll`, `read` or `pthread_cond_wait`, as Nsight Systems
        records them with `--trace=osrt`. Most of these calls wait. The reason of a wait is not recorded, and a long
        wait of a thread without work is not a loss. `dur_sum` adds up durations, so calls of several threads count more
        than once, and a call inside another one counts in both. `busy` is the time in which at least one of that name
        ran. Percentiles are exact, with linear interpolation between the closest values. Recordings of a process are
        taken together.

        Calls that are shorter than a threshold are not recorded, so `n` and the percentiles cover only the longer ones.
        If the export has the threshold, it is in table `run_attribute`, under a key that begins with `nsys.` and ends
        with `DURATION_THRESHOLD_NS`.

        The numbers are those of the report `osrt_sum` of `nsys stats`, which adds up all processes of a file.

        Excluded: marks of the start or end of a call, which have no duration.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the call
            - `n` (bigint, count): calls
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `ratio` (double, ratio): `dur_sum` over that of all calls of the process
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for a single one
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.runtime.os_calls().columns[0]
            'run'
        """
        return self._session.query("runtime.os_calls", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How much host time did each call into the device's runtime and driver take?

        One row per name of a call and process rank: launches, copies, allocations and synchronization. `dur_sum` adds
        up durations. Calls of several threads therefore count more than once, and so does a driver call inside a
        runtime call. `busy` is the time in which at least one of that name ran. A call that waits for the device lasts
        as long as it waits. Percentiles are exact, with linear interpolation between the closest values. Recordings of
        a process are taken together.

        The numbers are those of the report `cuda_api_sum` of `nsys stats`, which adds up all processes of a file.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `category`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `category` (text, name): runtime or driver
            - `name` (text, name): name of the call
            - `n` (bigint, count): calls
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `ratio` (double, ratio): `dur_sum` over that of all calls of the process
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation; null for a single one
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.runtime.summary().columns[0]
            'run'
        """
        return self._session.query("runtime.summary", run)


class Step(Family):
    """Queries of the family `step`, as `s.step`."""

    __slots__ = ()

    def breakdown(self, run: str | list[str] | None = None, *, extended: bool = False) -> Frame:
        """Where did the time of each step go: device, communication, data loading, host?

        One row per step of a rank. Every moment of the step counts for the first of eight roles that had work then, in
        the order of the columns. The eight columns therefore add up to `dur` exactly. View `step_role` defines each
        role. For a GPU job, `exposed_loader_ratio` is the share of the step in which the device was idle while the
        process waited for data.

        A step is what the profiler marked on the host. With `extended`, it lasts until the last device work that it
        launched has ended, as in the overview of the TensorBoard plugin (view `step_extent`). A recording without step
        marks is one step without a number. Steps that a recording cut short are included and marked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it; null for a recording without steps
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): duration
            - `kernel` (bigint, ns): time in which a kernel ran
            - `memcpy` (bigint, ns): time in which a copy ran, and none of the roles before
            - `memset` (bigint, ns): time in which a fill ran, and none of the roles before
            - `communication` (bigint, ns): time in which a collective ran; and no role before it was active
            - `runtime` (bigint, ns): a call into runtime or driver ran, and none of the roles before
            - `exposed_loader` (bigint, ns): time in which the process only waited for the data loader; no role before
              it was active
            - `cpu` (bigint, ns): the host computed, and none of the roles before
            - `other` (bigint, ns): none of them
            - `exposed_loader_ratio` (double, ratio): `exposed_loader` over the time of the steps
            - `complete` (boolean, flag): false when the recording ended inside the step

        Example:
            >>> s.step.breakdown().columns[0]
            'run'
        """
        return self._session.query("step.breakdown", run, extended=extended)

    def critical_path(
        self,
        run: str | list[str] | None = None,
        *,
        step: int | None = None,
        annotation: str | None = None,
        instance: int | None = None,
        loader: str | None = None,
    ) -> Frame:
        """What is the critical path of each step, edge by edge?

        The longest path through a graph of dependencies: what had to end before something else could continue. The
        nodes are the starts and ends of operators, of calls into the runtime or driver, and of calls of a data loader
        that start in the window. The starts and ends of the device work that these calls launched are also nodes. View
        `path_event` lists these events. The weight of an edge is the time between its nodes, or 0. `kind` is one of the
        following.

        `host`: from one start or end to the next on a thread while a call is open; the row is the innermost call.
        `loader`: the same inside a call of a data loader. `sequence`, with weight 0: from the end of an outermost call
        to the start of the next one on its thread. `wait`, with weight 0: a call that waits for a device and does
        nothing else. `lock`, with weight 0: calls that hold the lock of the CUDA runtime and overlap, on any threads,
        get the lock one after the other, in the order in which they end.

        `work`: a kernel, copy or fill, from its start to its end. If the next one on its stream starts before that end,
        an edge goes to that start. `launch_delay`: from the start of a call to the start of the work that it launched,
        if that work waited for nothing else. This means: from the launch to the start, nothing else was queued on the
        stream. When the call began, the previous work on the stream, and the work that the stream waited for, had
        ended. `kernel_delay`: otherwise, from the end of the previous work on the stream, if that end is less than 1.5
        ms earlier and the work that the stream waited for had ended before it. `sync`, with weight 0: from the end of
        work to the end of the call that waited for it, or to the start of the work on another stream that waited for
        it.

        If exactly one thread has operators or annotations with `forward` in their names and exactly one has them with
        `autograd`, the two count as one thread: the backward pass follows the forward pass.

        `bound_by` is what the weight was spent on: `host`, `loader`, `computation`, `communication` (NCCL kernels, and
        collectives on the host), `memory` (copies and fills), `launch_delay` or `kernel_delay`. It is null for edges
        with weight 0. `gap` is time on the path without weight: Python between outermost operators, and waits. `dur`
        and `gap` of a path add up to the time from its first node to its last node. A path ends with its last edge that
        has weight.

        The window is the longest complete step of each recording. With `annotation`, it is the longest annotation with
        that text in its name. `step` and `instance` select other windows. A recording without steps is one window.
        `synced` is false if the recording has device work and no synchronization. No `sync` edge is known then: a host
        that waits for a device seems idle, and streams seem not to wait for each other. CUPTI records synchronization
        if you enable it (`torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True)`). For ROCm and other
        devices, nothing records it.

        The definition is that of HTA's `critical_path_analysis`, at exact times. HTA rounds times, so that short calls
        have no length and are excluded, and it counts work that overlaps on a stream twice. HTA's `gpu_compute_bound`
        is `computation` and `memory` together.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            step: Only the step with this number, as the profiler wrote it; not with `annotation`. Default: null.
            annotation: Windows are the annotations with this text in their names, instead of the steps. Default: null.
            instance: Only the window with this number in its recording, in order of time, from 0. Default: null.
            loader: Regular expression: operators and annotations with a matching name also count as data loading.
                Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `object`, `instance`, `position`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `object` (bigint, id): file of the row, see table object
            - `instance` (bigint, id): number of the window in its recording, from 0
            - `position` (bigint, id): position in its group, from 0
            - `annotation` (text, name): name of the annotation; null for a step
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it; null for an annotation or a recording without
              steps
            - `window_ts` (bigint, time): start of the window
            - `window_dur` (bigint, ns): its length
            - `kind` (text, name): what the edge stands for
            - `bound_by` (text, name): what the time was spent on; null without one
            - `category` (text, name): category of the event that the edge is about
            - `name` (text, name): its name
            - `pid` (bigint, id): operating system process id; null on a device
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `device` (text, name): device it ran on (cpu, gpu0)
            - `ts` (bigint, time): time of the node that the edge leaves
            - `dur` (bigint, ns): weight
            - `gap` (bigint, ns): time between the nodes that has no weight
            - `row` (bigint, id): ordinal of the row in its file
            - `nodes` (bigint, count): nodes of the graph of the window
            - `edges` (bigint, count): its edges
            - `synced` (boolean, flag): whether the recording has synchronization; null without device work

        Example:
            >>> s.step.critical_path().columns[0]
            'run'
        """
        return self._session.query(
            "step.critical_path",
            run,
            step=step,
            annotation=annotation,
            instance=instance,
            loader=loader,
        )

    def critical_path_summary(
        self,
        run: str | list[str] | None = None,
        *,
        step: int | None = None,
        annotation: str | None = None,
        instance: int | None = None,
        loader: str | None = None,
    ) -> Frame:
        """What was the critical path of each step bound by: host, loading, computation, communication, delays?

        One row per step, or instance of an annotation, and what its critical path was spent on. `step.critical_path`
        defines the path and has its edges. `ratio` is the share of the length of the path, as in the summary of HTA's
        `critical_path_analysis`. The row without `bound_by` has the time on the path without weight: Python between
        outermost operators, and waits.

        The windows are all steps unless you select others. A recording without steps is one window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            step: Only the step with this number, as the profiler wrote it; not with `annotation`. Default: null.
            annotation: Windows are the annotations with this text in their names, instead of the steps. Default: null.
            instance: Only the window with this number in its recording, in order of time, from 0. Default: null.
            loader: Regular expression: operators and annotations with a matching name also count as data loading.
                Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `object`, `instance`, `bound_by`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `object` (bigint, id): file of the row, see table object
            - `instance` (bigint, id): number of the window in its recording, from 0
            - `bound_by` (text, name): what the time was spent on; null for time without weight
            - `annotation` (text, name): name of the annotation; null for a step
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it; null for an annotation or a recording without
              steps
            - `window_ts` (bigint, time): start of the window
            - `window_dur` (bigint, ns): its length
            - `n` (bigint, count): edges of the path
            - `dur` (bigint, ns): their weight
            - `ratio` (double, ratio): `dur` over `path_dur`
            - `gap` (bigint, ns): time between the nodes that has no weight
            - `path_dur` (bigint, ns): length of the whole path: weights of all its edges
            - `nodes` (bigint, count): nodes of the graph of the window
            - `edges` (bigint, count): its edges
            - `synced` (boolean, flag): whether the recording has synchronization; null without device work

        Example:
            >>> s.step.critical_path_summary().columns[0]
            'run'
        """
        return self._session.query(
            "step.critical_path_summary",
            run,
            step=step,
            annotation=annotation,
            instance=instance,
            loader=loader,
        )

    def duration(self, run: str | list[str] | None = None) -> Frame:
        """How long do the steps of a run take, by mode?

        The duration of a step is its span over all ranks, from the earliest start to the latest end;
        `step.duration_by_rank` has each rank separately. A step number that occurs again in another recording or mode
        counts as another step. Percentiles are exact, with linear interpolation between the closest values.

        Excluded: steps that a recording cut short. The first step of a run often includes compilation and warm-up and
        is not excluded: compare mean and median. The definition is that of `get_step_statistics` of smdebug by training
        phase.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, with these columns.

            - `run` (text, id): name of the run
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `n` (bigint, count): steps
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.step.duration().columns[0]
            'run'
        """
        return self._session.query("step.duration", run)

    def duration_by_metric(self, run: str | list[str] | None = None) -> Frame:
        """How long did the events of each name take in a step, by mode?

        A duration is a span: from the first start to the last end of the events with one name in one step, over all
        ranks. It is not a sum and includes the time between the events. View `event_step` assigns each event to a step:
        the step in which it starts, or for device work the step that launched it. Steps with the same number in
        different modes or recordings count as different steps. Percentiles are exact, with linear interpolation.

        Excluded: steps that a recording cut short, and events outside of all steps. An event that carries a step number
        but is outside of all steps counts for that step, without a mode.

        The definition is that of `get_step_statistics` of smdebug by framework metric. smdebug merges the same name in
        all modes where step numbers are equal, and takes steps from any event that carries a number.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, `name`, with these columns.

            - `run` (text, id): name of the run
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `name` (text, name): name of the event
            - `n` (bigint, count): steps with such events
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.step.duration_by_metric().columns[0]
            'run'
        """
        return self._session.query("step.duration_by_metric", run)

    def duration_by_process(self, run: str | list[str] | None = None) -> Frame:
        """How long did each phase, thread or stream take in a step, by mode?

        A duration is a span: from the first start to the last end of the events of a track in one step, over all ranks.
        It is not a sum and includes the time between the events. View `event_step` assigns each event to a step: the
        step in which it starts, or for device work the step that launched it. Steps with the same number in different
        modes or recordings count as different steps. Percentiles are exact, with linear interpolation.

        Excluded: steps that a recording cut short, and events outside of all steps. An event that carries a step number
        but is outside of all steps counts for that step, without a mode.

        The definition is that of `get_step_statistics` of smdebug by process. smdebug makes one span of the events of
        all modes where step numbers are equal.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, `track`, with these columns.

            - `run` (text, id): name of the run
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `n` (bigint, count): steps with such events
            - `dur_mean` (double, ns): mean
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.step.duration_by_process().columns[0]
            'run'
        """
        return self._session.query("step.duration_by_process", run)

    def duration_by_rank(self, run: str | list[str] | None = None, *, skip: int = 0) -> Frame:
        """How long did each step take on each rank, and how far was that from its peers?

        One row per step as one rank marked it. `relative` compares it with the median of the same step over all ranks.
        With only one rank it is 1. `skip` excludes the first steps of each run and mode, which include compilation and
        warm-up.

        Excluded: steps that the recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            skip: Number of steps to skip at the start of each run and mode, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `mode`, `span`, `step`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): duration on this rank
            - `relative` (double, factor): `dur` over the median of that step across ranks

        Example:
            >>> s.step.duration_by_rank().columns[0]
            'run'
        """
        return self._session.query("step.duration_by_rank", run, skip=skip)

    def histogram(self, run: str | list[str] | None = None, *, bins: int = 50) -> Frame:
        """How are the durations of the steps distributed, by mode?

        `bins` bins of equal width cover the durations from the shortest step to twice the median, or to the longest
        step if that is shorter. Longer steps are together in one additional row, which has `bin` = `bins`. Otherwise a
        single slow step would push all others into the first bin. A bin includes its lower edge but not its upper edge.
        The last bin includes both edges, and the additional row only its upper edge. The duration of a step is its span
        over all ranks.

        Excluded: empty bins, and steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Number of bins, at least 1. Default: 50.

        Returns:
            One frame, ordered by `run`, `mode`, `bin`, with these columns.

            - `run` (text, id): name of the run
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `bin` (bigint, id): number of the bin, from 0
            - `dur_from` (bigint, ns): lower edge of the bin
            - `dur_to` (bigint, ns): upper edge of the bin
            - `n` (bigint, count): steps in it

        Example:
            >>> s.step.histogram().columns[0]
            'run'
        """
        return self._session.query("step.histogram", run, bins=bins)

    def intervals(self, run: str | list[str] | None = None) -> Frame:
        """When did each rank run steps of one mode, and how much time was between them?

        The query divides the time of a run into intervals, for each rank and mode. There is one interval for every
        step, one before the first step of the mode (`before train`), one for every gap between two steps (`between
        train and train`), and one after the last step (`after train`). Intervals are half-open: each ends where the
        next one starts. They overlap only where steps overlap. Gaps include everything else that ran, also steps of
        other modes. `job.phases_by_rank` merges consecutive steps of a mode instead.

        Excluded: steps without a time or a duration, and gaps of zero length.

        The definition is that of `get_training_phase_intervals` of smdebug with a single phase. smdebug has inclusive
        ends and takes the steps of several ranks in the order of the files, so that gaps may have negative lengths.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `mode`, `ts`, `dur`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `phase` (text, name): name of the phase
            - `step` (bigint, id): step number as the profiler wrote it; null before, between and after
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length

        Example:
            >>> s.step.intervals().columns[0]
            'run'
        """
        return self._session.query("step.intervals", run)

    def loader_share(self, run: str | list[str] | None = None, *, extended: bool = False) -> Frame:
        """What share of the step time was spent waiting only for the data loader?

        One row per recording of a rank. Only time counts in which the process waited for a batch while no device worked
        and no collective or call into the runtime ran: waits that device work hides cost nothing.
        `exposed_loader_ratio` is that time over the duration of all steps, as in the overview of the TensorBoard plugin
        for the average step. Above 0.05, the plugin reports a high cost of data loading. The steps are those of
        `step.breakdown`, with the same `extended`. tracelake recognizes the mark of a data loader by its name. The last
        release of the plugin searches only one category and finds no data loader since PyTorch 1.12.

        Excluded: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `steps` (bigint, count): steps; a recording without step marks is one
            - `dur` (bigint, ns): duration of the steps together
            - `exposed_loader` (bigint, ns): time in which the process only waited for the data loader
            - `exposed_loader_ratio` (double, ratio): `exposed_loader` over the time of the steps
            - `ratio_p50` (double, ratio): median over the steps of each step's share
            - `ratio_max` (double, ratio): maximum share of a step

        Example:
            >>> s.step.loader_share().columns[0]
            'run'
        """
        return self._session.query("step.loader_share", run, extended=extended)

    def outliers(
        self,
        run: str | list[str] | None = None,
        *,
        factor: float = 2.0,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """Which steps took much longer than usual?

        A step is an outlier when its span over all ranks is at least `factor` times the median of its run and mode.

        Excluded: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Minimum duration of an outlier, as a multiple of the median. Default: 2.0.
            start: Only steps that begin at this time or later, in ns since the Unix epoch; null for all. Default: null.
            end: Only steps that begin before this time, in ns since the Unix epoch; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `mode`, `span`, `step`, with these columns.

            - `run` (text, id): name of the run
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it
            - `ts` (bigint, time): earliest start over the ranks
            - `dur` (bigint, ns): from there to the latest end over the ranks
            - `dur_p50` (double, ns): median; of its run and mode
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.step.outliers().columns[0]
            'run'
        """
        return self._session.query("step.outliers", run, factor=factor, start=start, end=end)

    def over_time(
        self,
        run: str | list[str] | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How did the duration of the steps change in the course of a run?

        One row per step, in order of time. The duration is the span of the step over all ranks.

        Excluded: steps without a time. With `start` or `end`, steps that begin outside of that window are also
        excluded. Steps that a recording cut short are included and marked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Start of the window, in ns since the Unix epoch; null for the first step. Default: null.
            end: End of the window (exclusive), in ns since the Unix epoch; null for the last step. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `mode`, `span`, `step`, with these columns.

            - `run` (text, id): name of the run
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it
            - `ts` (bigint, time): earliest start over the ranks
            - `dur` (bigint, ns): from there to the latest end over the ranks
            - `ranks` (bigint, count): ranks; null when no rank is known
            - `complete` (boolean, flag): false when the recording ended inside the step

        Example:
            >>> s.step.over_time().columns[0]
            'run'
        """
        return self._session.query("step.over_time", run, start=start, end=end)

    def recorded(
        self,
        run: str | list[str] | None = None,
        *,
        first: int | None = None,
        last: int | None = None,
        mode: str | None = None,
    ) -> Frame:
        """What was recorded from one step of a run to another?

        All samples and events from the start of step `first` to the end of step `last`, over all ranks. Each mode and
        each recording has its own time range; ranges that overlap are merged. For samples, a row has their number,
        mean, minimum and maximum, separately for each machine and quantity. For events, a row has the number of events
        of that name that touch the range. It also has the time in which at least one of them was running, clipped to
        the range, and the share of that time.

        `get_profiler_data_by_step` of smdebug returns the rows themselves, and only events that carry a step number.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            first: Number of the first step; null for the first step of the run. Default: null.
            last: Number of the last step (inclusive); null for the last step of the run. Default: null.
            mode: Only steps of this mode; null for all: train, eval, predict or global. Default: null.

        Returns:
            One frame, ordered by `run`, `source`, `node`, `category`, `name`, `unit`, with these columns.

            - `run` (text, id): name of the run
            - `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            - `node` (text, id): machine; null for events, which are taken over all machines
            - `category` (text, name): resource of the samples, or category of the events
            - `name` (text, name): metric of the samples, or name of the events
            - `unit` (text, name): unit as recorded; null for events
            - `n` (bigint, count): samples, or events that touch the stretch
            - `mean` (double, mixed): mean
            - `min` (double, mixed): minimum value
            - `max` (double, mixed): maximum value
            - `busy` (bigint, ns): time in which at least one ran
            - `ratio` (double, ratio): `busy` over the length of the stretch

        Example:
            >>> s.step.recorded().columns[0]
            'run'
        """
        return self._session.query("step.recorded", run, first=first, last=last, mode=mode)

    def scalars(self, run: str | list[str] | None = None, *, metric: str | None = None) -> Frame:
        """How did loss, learning rate, throughput and other logged metrics change from step to step?

        One row for each scalar of the training that a logger wrote, in order of step. A scalar that is both in
        `metrics.csv` and in event files of TensorBoard has one row, with its time. A step may have several rows of a
        metric: the learning rate is logged again when an epoch begins. For the throughput, the steps of `validate/...`
        and `test/...` are batches of their own loop. Units are known only for Lightning's callbacks.

        Excluded: device measurements of callbacks (see `utilization.device_stats`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            metric: Only this metric; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `metric`, `step`, `object`, `row`, with these columns.

            - `run` (text, id): name of the run
            - `metric` (text, name): name of the metric
            - `step` (bigint, id): step number as the profiler wrote it
            - `epoch` (bigint, id): epoch as recorded; null when none was
            - `ts` (bigint, time): when it was logged; null when only `metrics.csv` has it
            - `value` (double, mixed): the value; NaN or infinite where the training diverged
            - `unit` (text, name): unit as recorded; null when unknown
            - `object` (bigint, id): file of the row, see table object
            - `row` (bigint, id): ordinal of the row in its file

        Example:
            >>> s.step.scalars().columns[0]
            'run'
        """
        return self._session.query("step.scalars", run, metric=metric)


class Trace(Family):
    """Queries of the family `trace`, as `s.trace`."""

    __slots__ = ()

    def timeline(
        self,
        run: str | list[str] | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        rank: int | None = None,
        bins: int = 400,
        python: bool = False,
        depth: int = 8,
        lanes: int = 40,
    ) -> Frame:
        """What ran when, on which thread or stream, at a resolution that fits on a screen?

        The window from `start` to `end` is divided into `bins` bins. An interval that lasts at least one bin has its
        own row. Shorter intervals are merged by lane and bin. Their row has their number (`n`), the time in which at
        least one ran (`busy`), and the name of the longest. A lane is a thread or stream (`track`) and the number of
        calls that enclose the interval there (`depth`). The intervals of a lane do not overlap, with one exception. If
        two intervals of a track overlap in part, neither encloses the other, and both are in one lane.

        Intervals that begin before the window or end after it are cut at its edges. The window is cut at the edges of
        the recording. A window is empty if its `end` is not after its `start`. However long a recording is, a lane has
        at most about two rows for each bin. Only the `lanes` busiest lanes of a run are returned.

        Only one rank of each run is shown: the given `rank`, else the lowest. Of this rank, only the first recording
        with an interval in the window is shown. With `python`, Python functions and modules are intervals too. Kernels
        that communicate (`nccl` in their name) have the category `communication`, as in view `device_work`.

        Excluded: instants, the mark of the recording itself, and calls that are enclosed by more than `depth` others.
        Durations above seven days are also excluded: they are caused by clock overflows.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Start of the window, in ns since the Unix epoch; null for the first event. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last event. Default: null.
            rank: Rank to show; null for the lowest. Default: null.
            bins: Number of bins in the window, at least 1. Default: 400.
            python: Whether Python functions and modules are intervals. Default: false.
            depth: Maximum number of enclosing calls, at least 0. Default: 8.
            lanes: Maximum number of lanes of a run, at least 1. Default: 40.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `pid`, `track`, `depth`, `ts`, `name`, with these
            columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null on other devices than the CPU
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `device` (text, name): device it ran on (cpu, gpu0); null when unknown
            - `depth` (bigint, count): rows that enclose it
            - `category` (text, name): category of the interval, of several that of the longest
            - `name` (text, name): name of the interval, of several that of the longest
            - `ts` (bigint, time): start; of several that of their bin
            - `dur` (bigint, ns): duration within the window; of several that of their bin
            - `n` (bigint, count): how many intervals the row stands for
            - `busy` (bigint, ns): time in which at least one ran
            - `bin_dur` (bigint, ns): length of a bin
            - `window_ts` (bigint, time): start of the window
            - `window_dur` (bigint, ns): its length
            - `excluded_lanes` (bigint, count): lanes that the run has beyond those given

        Example:
            >>> s.trace.timeline().columns[0]
            'run'
        """
        return self._session.query(
            "trace.timeline",
            run,
            start=start,
            end=end,
            rank=rank,
            bins=bins,
            python=python,
            depth=depth,
            lanes=lanes,
        )


class Utilization(Family):
    """Queries of the family `utilization`, as `s.utilization`."""

    __slots__ = ()

    def buckets(
        self,
        run: str | list[str] | None = None,
        *,
        edges: list[float] | tuple[float, ...] = (0.0, 10.0, 90.0, 100.0),
    ) -> Frame:
        """What share of the samples was idle, in between or busy?

        The edges divide the values into buckets, in ascending order: three edges make two buckets. A bucket includes
        its lower edge but not its upper edge; the last bucket includes both. The share is that of all samples of the
        machine and quantity. The shares therefore do not add up to 1 if there are values outside of the edges.

        Excluded: quantities that were not recorded in percent.

        smdebug's `get_device_usage_stats` returns counts instead of shares and mixes the quantities of a resource. Its
        ranges include both ends and may overlap.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            edges: Edges of the buckets, in percent, in ascending order. Default: [0, 10, 90, 100].

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `bucket`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `bucket` (bigint, id): number of the bucket, from 0
            - `lower` (double, percent): lower edge
            - `upper` (double, percent): upper edge
            - `n` (bigint, count): samples in the bucket
            - `ratio` (double, ratio): their share of all samples of the machine and quantity

        Example:
            >>> s.utilization.buckets().columns[0]
            'run'
        """
        return self._session.query("utilization.buckets", run, edges=list(edges))

    def by_phase(self, run: str | list[str] | None = None) -> Frame:
        """How busy were the machines in each phase of a run: before, during, between and after its steps?

        The phases are those of `job.phases`; phases with the same name are merged. A sample belongs to the phase that
        began last, before the sample or at its time. The phases of a run apply to all its machines. Quantities are
        never mixed, and percentiles are exact, as in `utilization.summary`.

        Excluded: runs without steps, and samples without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `unit` (text, name): unit as recorded
            - `phase` (text, name): name of the phase
            - `n` (bigint, count): samples
            - `mean` (double, mixed): mean
            - `min` (double, mixed): minimum value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): maximum value
            - `ts` (bigint, time): first sample in the phase

        Example:
            >>> s.utilization.by_phase().columns[0]
            'run'
        """
        return self._session.query("utilization.by_phase", run)

    def cpu_bottleneck(self, run: str | list[str] | None = None, *, gpu: float = 0.1, cpu: float = 0.9) -> Frame:
        """When was a GPU idle while a core was busy?

        One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the utilization
        of at least one GPU was at most `gpu` and that of at least one core was above `cpu`. A core at its limit next to
        an idle GPU is a sign that preprocessing, or the Python code that launches the work, cannot keep up.
        `utilization.gpu_load` has the share of such samples.

        smdebug's rule CPUBottleneck requires a utilization below `gpu`. It reports the same snapshots if no value
        equals the limit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gpu: Utilization up to which a GPU is idle. Default: 0.1.
            cpu: Utilization above which a core is busy. Default: 0.9.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `ts` (bigint, time): first sample of the snapshot
            - `gpus` (bigint, count): GPUs that were idle
            - `cores` (bigint, count): cores that were busy
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the least busy GPU
            - `cpu_utilization` (double, ratio): utilization of the busiest core

        Example:
            >>> s.utilization.cpu_bottleneck().columns[0]
            'run'
        """
        return self._session.query("utilization.cpu_bottleneck", run, gpu=gpu, cpu=cpu)

    def device_stats(self, run: str | list[str] | None = None) -> Frame:
        """What did Lightning's DeviceStatsMonitor measure on the devices?

        One row per metric and hook, over all steps that were logged. The Trainer logs every 50th step unless you change
        that. A measurement that is both in `metrics.csv` and in event files of TensorBoard counts once.

        There is no GPU utilization: for CUDA devices, the monitor records only counters of the memory allocator. The
        CPU load is that of the whole machine since the previous call. The first value means nothing. Values of calls
        within a tenth of a second are not reliable, such as at the start of a batch right after the end of the previous
        one. Running totals (`allocated_bytes.all.allocated`, `...freed`, `num_...`) only grow: use `last_value` for
        them.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `resource`, `device`, `metric`, `hook`, `raw_name`, with these columns.

            - `run` (text, id): name of the run
            - `resource` (text, name): cpu, memory, gpu or allocator; null for an unknown metric
            - `device` (text, name): device measured; null for the whole machine, and where the monitor did not say
            - `metric` (text, name): name of the metric
            - `hook` (text, name): hook of the training in which it was measured
            - `unit` (text, name): unit as recorded; null when unknown
            - `n` (bigint, count): measurements
            - `min` (double, mixed): minimum value
            - `mean` (double, mixed): mean
            - `max` (double, mixed): maximum value
            - `last_value` (double, mixed): value of the last step
            - `first_step` (bigint, id): first step in it; the first one with a value
            - `last_step` (bigint, id): last step in it; the last one with a value
            - `raw_name` (text, name): name as the logger wrote it

        Example:
            >>> s.utilization.device_stats().columns[0]
            'run'
        """
        return self._session.query("utilization.device_stats", run)

    def gpu_balance(self, run: str | list[str] | None = None, *, threshold: float = 0.5, bins: int = 50) -> Frame:
        """Are the GPUs of a run equally busy?

        One row per pair of GPUs of a run, on any machines, with the Jensen-Shannon distance of the histograms of their
        utilization. It is the square root of the mean of the Kullback-Leibler divergences to the average of both, with
        natural logarithms. It is 0 for equal histograms and 0.83 (root of ln 2) for GPUs that were never equally busy.
        The range from 0 to 100 percent is divided into `bins` bins of equal width. Values of 100 and above belong to
        the last bin, and values below 0 to the first bin.

        The definition is that of smdebug's rule LoadBalancing. smdebug excludes values above 98 and, because of an
        error, never compares two GPUs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            threshold: Distance above which a pair is unbalanced. Default: 0.5.
            bins: Number of bins of a histogram, at least 1. Default: 50.

        Returns:
            One frame, ordered by `run`, `node`, `device`, `other_node`, `other_device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the first GPU
            - `other_node` (text, id): machine of the second GPU
            - `other_device` (text, name): the second GPU
            - `n` (bigint, count): samples of the first GPU
            - `other_n` (bigint, count): samples of the second GPU
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the first GPU
            - `other_utilization` (double, ratio): mean utilization of the second GPU
            - `distance` (double, factor): Jensen-Shannon distance of the two histograms
            - `unbalanced` (boolean, flag): whether the distance is above `threshold`

        Example:
            >>> s.utilization.gpu_balance().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_balance", run, threshold=threshold, bins=bins)

    def gpu_from_kernels(self, run: str | list[str] | None = None, *, bins: int = 200) -> Frame:
        """How busy was each device with kernels in the course of a run?

        For recordings without measurements of the machine: utilization computed from the kernels that ran. The query
        divides the time of each recording (`profiled_window`) into `bins` bins of equal length. `gpu_utilization` is
        the share of a bin in which at least one kernel ran on the device. Bins without a kernel are included, with 0.
        Copies and fills do not count.

        `kernel.occupancy` has the share over the whole time, and how well the kernels filled the device. A recording
        without kernels has no rows.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Number of bins of a recording, at least 1. Default: 200.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `busy` (bigint, ns): time in which at least one ran
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy

        Example:
            >>> s.utilization.gpu_from_kernels().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_from_kernels", run, bins=bins)

    def gpu_load(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.1,
        high: float = 0.9,
        below: float = 0.5,
        cpu: float = 0.9,
        io: float = 0.5,
    ) -> Frame:
        """For what share of the time was each GPU busy, idle, or limited by the host?

        Shares of the samples of a GPU's utilization. `high_ratio`, `between_ratio` and `low_ratio` add up to 1: samples
        above `high`, samples between the limits, and samples of at most `low`. A low sample is a CPU bottleneck if the
        utilization of a core was above `cpu` in the same snapshot (view `system_snapshot`: measurements within 20 ms).
        It is an I/O bottleneck if the I/O wait of a core was above `io`. Both are parts of `low_ratio`, and a sample
        may be both. Look first at `zero_ratio` (GPU at 0) and `below_ratio` (GPU below `below`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Utilization up to which a GPU is idle. Default: 0.1.
            high: Utilization above which a GPU is busy. Default: 0.9.
            below: Utilization below which samples count for `below_ratio`. Default: 0.5.
            cpu: Utilization above which a core is busy. Default: 0.9.
            io: Share of I/O wait above which a core waits. Default: 0.5.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `n` (bigint, count): samples
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            - `zero_ratio` (double, ratio): samples of 0
            - `below_ratio` (double, ratio): samples less than `below`
            - `low_ratio` (double, ratio): samples of at most `low`
            - `between_ratio` (double, ratio): samples above `low` and at most `high`
            - `high_ratio` (double, ratio): samples above `high`
            - `cpu_bottleneck_ratio` (double, ratio): low samples next to a busy core
            - `io_bottleneck_ratio` (double, ratio): low samples next to a core that waited

        Example:
            >>> s.utilization.gpu_load().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_load", run, low=low, high=high, below=below, cpu=cpu, io=io)

    def io_bottleneck(self, run: str | list[str] | None = None, *, gpu: float = 0.1, io: float = 0.5) -> Frame:
        """When was a GPU idle while a core waited for disks or network?

        One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the utilization
        of at least one GPU was at most `gpu` and the I/O wait of at least one core was above `io`. A core that waits
        next to an idle GPU is a sign that storage cannot keep up. `utilization.gpu_load` has the share of such samples.

        smdebug's rule IOBottleneck requires a utilization below `gpu`. It reports the same snapshots if no value equals
        the limit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gpu: Utilization up to which a GPU is idle. Default: 0.1.
            io: Share of I/O wait above which a core waits. Default: 0.5.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `ts` (bigint, time): first sample of the snapshot
            - `gpus` (bigint, count): GPUs that were idle
            - `cores` (bigint, count): cores that waited
            - `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the least busy GPU
            - `io_wait` (double, ratio): I/O wait of the core that waited most

        Example:
            >>> s.utilization.io_bottleneck().columns[0]
            'run'
        """
        return self._session.query("utilization.io_bottleneck", run, gpu=gpu, io=io)

    def over_time(
        self,
        run: str | list[str] | None = None,
        *,
        bins: int = 200,
        by_device: bool = False,
        start: int | None = None,
        end: int | None = None,
    ) -> Frame:
        """How did the load of the machines change in the course of a run?

        The query divides the time from the first to the last sample of a run into at most `bins` bins of equal length,
        the same for all its machines and quantities. Each row has the mean, minimum and maximum of one bin, so that
        short stalls stay visible in a long run. With `by_device`, each core or accelerator has its own rows; otherwise
        all devices of a machine are merged and `device` is null. The number of bins is at most the largest number of
        samples of one device and quantity. A short run is therefore not divided into bins without samples.

        Excluded: empty bins and samples without a time. With `start` or `end`, samples outside of that window are also
        excluded. The bins then divide the time from the first to the last sample in the window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Maximum number of bins, at least 1. Default: 200.
            by_device: Whether each device has its own rows. Default: false.
            start: Start of the window, in ns since the Unix epoch; null for the first sample. Default: null.
            end: End of the window (exclusive), in ns since the Unix epoch; null for the last sample. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, `device`, `ts`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `unit` (text, name): unit as recorded
            - `device` (text, name): device (cpu5, gpu0); null for all devices of the machine
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): samples in it
            - `mean` (double, mixed): mean
            - `min` (double, mixed): minimum value
            - `max` (double, mixed): maximum value

        Example:
            >>> s.utilization.over_time().columns[0]
            'run'
        """
        return self._session.query("utilization.over_time", run, bins=bins, by_device=by_device, start=start, end=end)

    def ranges(
        self,
        run: str | list[str] | None = None,
        *,
        lowers: list[float] | tuple[float, ...] = (90.0, 10.0, 0.0),
        uppers: list[float] | tuple[float, ...] = (100.0, 90.0, 10.0),
    ) -> Frame:
        """How many samples are in each of the given ranges?

        Range number i goes from `lowers[i]` to `uppers[i]`, both included. Ranges may leave gaps and may overlap: a
        sample counts for the first range in the lists that contains it. The row without a `bucket` counts the samples
        outside of all ranges. The counts of a machine and quantity therefore add up to all its samples.
        `utilization.buckets` takes edges instead and has no gaps.

        Excluded: quantities that were not recorded in percent.

        The ranges and their defaults are those of `get_device_usage_stats` of smdebug. smdebug mixes the quantities of
        a resource, and does not report how many samples are outside of all ranges.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            lowers: Lower ends of the ranges, in percent. Default: [90, 10, 0].
            uppers: Upper ends of the ranges, in percent, one for each lower end. Default: [100, 90, 10].

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `bucket`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `bucket` (bigint, id): number of the bucket, from 0; null for what lies in none
            - `lower` (double, percent): lower edge
            - `upper` (double, percent): upper edge
            - `n` (bigint, count): samples
            - `ratio` (double, ratio): their share of all samples of the machine and quantity

        Example:
            >>> s.utilization.ranges().columns[0]
            'run'
        """
        return self._session.query("utilization.ranges", run, lowers=list(lowers), uppers=list(uppers))

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How busy were the machines of a run?

        One row per machine and measured quantity, over all its devices and all times. Quantities are never mixed: CPU
        utilization and I/O wait are two rows, and so are operations and bytes per second. Percentiles are exact, with
        linear interpolation between the closest values.

        smdebug's `get_utilization_stats` has one row per resource, which mixes all its quantities. If a resource has
        only one quantity (memory), the numbers are the same.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, with these columns.

            - `run` (text, id): name of the run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): name of the metric
            - `unit` (text, name): unit as recorded
            - `n` (bigint, count): samples
            - `mean` (double, mixed): mean
            - `min` (double, mixed): minimum value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): maximum value

        Example:
            >>> s.utilization.summary().columns[0]
            'run'
        """
        return self._session.query("utilization.summary", run)
