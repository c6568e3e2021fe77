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
        """The answer of the canned query of this name."""

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
        `ddp_without_nccl`, `evaluation_share`, `evidence_damaged`, `first_batch_slow`, `gpu_between`,
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

        `attributes`, `decision_tree`, `key_figures`, `overview`, `phases`, `phases_by_rank`, `verdict`.
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
        """How long did each action of a PyTorch Lightning job take, with and without what ran within it?

        One row per action of a report of SimpleProfiler or AdvancedProfiler, the longest first. Actions lie within each
        other, so that neither `total_s` nor `percent` add up: `own_s` does, being without the actions directly within
        (`action.tree`). A report that a later one continues, as that of a test does with the fit before it, is left out
        (view `action_latest`), so that nothing is counted twice.

        Times are as printed, with five digits (SimpleProfiler) or three decimals. AdvancedProfiler cuts an action short
        where another begins in it, which `truncated` says: compare no such time with others.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `object`, `report`, `total_s desc`, `action`, with
            these columns.

            - `run` (text, id): run the report belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): simple or advanced
            - `object` (bigint, id): file of the report
            - `report` (bigint, id): report within the file, from 0
            - `stage` (text, name): stage of the report, which also holds those before it; null when unknown
            - `action` (text, name): name of the action
            - `calls` (bigint, count): how often it was done; null from AdvancedProfiler
            - `mean_s` (double, s): mean duration; null from AdvancedProfiler
            - `total_s` (double, s): total duration
            - `percent` (double, percent): share of the time since the profiler was made, as reported
            - `own_s` (double, s): `total_s` without the actions directly within; null when unknown
            - `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small

        Example:
            >>> s.action.summary().columns[0]
            'run'
        """
        return self._session.query("action.summary", run)

    def tree(self, run: str | list[str] | None = None) -> Frame:
        """Which actions of a PyTorch Lightning job ran within which, and where did the time go?

        The rows of `action.summary` depth first, each action below the one around it, the longest first. Which encloses
        which is known from Lightning's loops and not from the report (view `action_nested`). `parent_ratio` over the
        actions of one parent, with the share of its `own_s`, adds up to 1.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `object`, `report`, `path`, with these columns.

            - `run` (text, id): run the report belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): simple or advanced
            - `object` (bigint, id): file of the report
            - `report` (bigint, id): report within the file, from 0
            - `path` (text, id): sorts the actions of a report depth first
            - `depth` (bigint, count): how many actions are around it
            - `action` (text, name): name of the action
            - `parent` (text, name): action around it; null for one that stands by itself
            - `calls` (bigint, count): how often it was done; null from AdvancedProfiler
            - `total_s` (double, s): total duration
            - `own_s` (double, s): `total_s` without the actions directly within; null when unknown
            - `parent_ratio` (double, ratio): `total_s` over that of `parent`; null where that was cut short
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
        """What did the marked stretches of the program run on the device, and how long did that take there?

        One row per name and process rank, of ranges on the host inside which device work was launched: annotations,
        step marks, calls of a data loader, collectives, operators. Kernels, copies and fills belong to a range if the
        call that launched them lies within it, on the same thread of the same process. The projection of a range lasts
        from the start of the first of them to the end of the last one, on whatever device and stream: gaps count, and
        what other threads launched in the meantime does not. All ranges around a call have its work, not the innermost
        one only, so that sums over different names count it more than once; ranges that overlap in part are each asked
        for what lies within.

        The definition is that of the report `nvtx_gpu_proj_sum` of `nsys stats`, which has the name of the domain in
        front of that of the range. A graph that was recorded as a whole is one operation. A trace of PyTorch has other
        ranges drawn on the device (`annotation.summary`, `device`); `operator.summary` adds up the durations of device
        work instead.

        Left out: ranges without device work, or that ended on another thread, or that were never closed; work without a
        launch on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `category`, `projected_sum desc`, `name`, `domain`, with these
            columns.

            - `run` (text, id): run the ranges belong to
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
            - `dur_sum` (bigint, ns): durations of these ranges on the host, added up

        Example:
            >>> s.annotation.gpu_projection().columns[0]
            'run'
        """
        return self._session.query("annotation.gpu_projection", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How long did the marked stretches of the program last, on the host and on the device?

        One row per name, device, process rank and domain. An annotation is what the program or PyTorch itself marked
        (`record_function`, ranges of NVTX, optimizer steps, collectives, calls of a data loader, step marks). On the
        host it lasts as long as the marked code; on a device the profiler of PyTorch draws it from the first to the
        last kernel launched inside, which for recordings of Nsight Systems is computed by `annotation.gpu_projection`.
        `dur_sum` adds up durations, so that what ran side by side or nested counts more than once; `busy` is the time
        in which at least one of that name ran. Percentiles are exact, with linear interpolation between the closest
        values.

        The numbers are those of `get_gpu_user_annotation_breakdown` of HTA with all its steps, and of the report
        `nvtx_sum` of `nsys stats`, which has the name of the domain in front of that of the range. Left out: operators,
        which PyTorch marks with NVTX too (`operator.summary`), and ranges that were never closed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `category`, `name`, `domain`, with these columns.

            - `run` (text, id): run the annotations belong to
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
        """Did waiting for data, the load of the machines or the need for memory change?

        One row per quantity: the share of time that processes waited for data (`job.key_figures`), means of what the
        machines measured of cores, GPUs, memory, disks and network, and the greatest memory in use on each device. `a`
        and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by itself, and
        with `a_span` and `b_span` two recordings of a run. There is one value in a run: that it scatters within the run
        is not in the interval, only the noise between runs (`change.steps`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, what was; null for those of side b. Default: null.
            b: Runs of side b, what is, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, over the value. Default: 0.005.
            confidence: How often such intervals hold the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: The same of side b. Default: null.

        Returns:
            One frame, ordered by `run`, `subject`, `name`, `unit`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): loader, utilization or memory
            - `name` (text, name): quantity or device
            - `statistic` (text, name): mean or max
            - `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
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

        Everything that `change.steps`, `change.roles`, `change.measures` and `change.work` compare, in one answer:
        first what is no part of a step, then what adds most to a step, and last what became faster. Of operators and
        kernels those with the greatest changes. The rows of steps, of roles, of operators and of kernels look at the
        same time in four ways: add up those of one subject only.

        `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by itself,
        and with `a_span` and `b_span` two recordings of a run. `change.steps` says what the intervals hold.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, what was; null for those of side b. Default: null.
            b: Runs of side b, what is, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, over the value. Default: 0.005.
            confidence: How often such intervals hold the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: The same of side b. Default: null.
            top: Operators and kernels of each run with the greatest changes, at least 0. Default: 20.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `subject`, `name`, `statistic`, `unit`, with these
            columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): step, role, loader, utilization, memory, operator or kernel
            - `name` (text, name): mode, role, quantity, device, operator or kernel
            - `statistic` (text, name): p50, p95, mean, max or sum
            - `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            - `kind` (text, name): added, gone, slower, faster (more and less of what is no time), or same when it may
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

        One row per role of `step.breakdown`, with its mean time in a step of a rank: the changes add up to that of the
        mean step. `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a
        by itself, and with `a_span` and `b_span` two recordings of a run. Intervals are those of a mean, with the noise
        between runs that `change.steps` explains. Small roles scatter much.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, what was; null for those of side b. Default: null.
            b: Runs of side b, what is, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, over the value. Default: 0.005.
            confidence: How often such intervals hold the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: The same of side b. Default: null.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `name`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): role
            - `name` (text, name): kernel, memcpy, memset, communication, runtime, loader, cpu or other
            - `statistic` (text, name): mean
            - `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
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

        One row per mode and statistic of its steps. `change_steps(['before'], ['after'])` compares two runs. `a` and
        `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by itself, and with
        `a_span` and `b_span` two recordings of a run. Of several runs, a value is the mean over the runs. Durations are
        those of `step.duration`.

        `low` and `high` are the ends of an interval of the ratio, with `confidence`. Two kinds of noise are in it: the
        scatter of the steps of a run, by their order statistics, and that between runs of the same code. The latter is
        taken from the runs of a side, and from `noise`, which counts as if it had been measured on five runs. An end is
        null where there are too few steps for one: a 95th percentile needs about 73. A change is `significant` when the
        interval leaves out 1.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, what was; null for those of side b. Default: null.
            b: Runs of side b, what is, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, over the value. Default: 0.005.
            confidence: How often such intervals hold the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: The same of side b. Default: null.

        Returns:
            One frame, ordered by `run`, `name`, `statistic`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): step
            - `name` (text, name): mode of the steps; step when the profiler did not say
            - `statistic` (text, name): p50, p95 or mean
            - `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
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
        """Which operators and kernels take more or less of a step?

        One row per operator, with its host time without what ran inside, and per kernel or copy, with its time on the
        devices: both summed up and divided by the number of steps. `a` and `b` are lists of runs, compared as two
        groups; without `b` every run is compared with side a by itself, and with `a_span` and `b_span` two recordings
        of a run. There is one value in a run: that it scatters within the run is not in the interval, only the noise
        between runs (`change.steps`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            a: Runs of side a, what was; null for those of side b. Default: null.
            b: Runs of side b, what is, taken together; null for each run by itself. Default: null.
            noise: Standard deviation between runs of the same code, over the value. Default: 0.005.
            confidence: How often such intervals hold the true ratio. Default: 0.95.
            a_span: Only this recording of the runs of side a; null for all. Default: null.
            b_span: The same of side b. Default: null.

        Returns:
            One frame, ordered by `run`, `contribution desc`, `subject`, `name`, with these columns.

            - `run` (text, id): what is compared: the run, or the names of all runs of side b
            - `subject` (text, name): operator or kernel
            - `name` (text, name): name of the operator or kernel
            - `statistic` (text, name): sum over a step
            - `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            - `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            - `b` (double, mixed): the same of side b
            - `change` (double, mixed): `b` less `a`
            - `ratio` (double, factor): `b` over `a`; null unless both are positive
            - `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            - `high` (double, factor): upper end of it
            - `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            - `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
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

        One row per name of an event, with the number of times at which at least one event of that name was running, and
        the same for its whole track (the phase, thread or stream it stands on). Ranks and machines are taken together.
        Compare two lists, those of a bottleneck and those without, to see what goes on when it is slow. Without a list
        it is a profile of the whole run: 100 times, evenly spread. An event runs from its start until before its end. A
        time that is given twice counts once.

        `get_framework_metrics_by_timesteps` of smdebug adds up the full durations of the events instead, once for each
        time, and leaves out the last time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            times: Times in ns since the Unix epoch; null for 100 times evenly spread over the run. Default: null.

        Returns:
            One frame, ordered by `run`, `category`, `track`, `name`, with these columns.

            - `run` (text, id): run
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
        """What ran during given windows of time, and for what share of them?

        Window number i begins at `starts[i]` and ends before `ends[i]`; windows that overlap are one. One row per name
        of an event, with the time in which at least one event of that name was running, and the same for its whole
        track (the phase, thread or stream it stands on). An event that reaches out of a window counts with the part
        inside. Ranks and machines are taken together. Compare two lists of windows, those of slow steps and those of
        the others. Without lists the windows are the steps of the run.

        `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events that
        touch a window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            starts: Starts of the windows in ns since the Unix epoch; null for those of the steps. Default: null.
            ends: Ends of the windows, as many. Default: null.

        Returns:
            One frame, ordered by `run`, `category`, `track`, `name`, with these columns.

            - `run` (text, id): run
            - `category` (text, name): what sort of work it is
            - `track` (text, name): row a viewer would draw it on: phase, thread or stream
            - `name` (text, name): name of the event
            - `busy` (bigint, ns): time in the windows in which it ran
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
        """Does the loader keep the accelerator as busy as MLPerf Storage asks?

        Computing over computing and waiting for data, the first batch of each pass left out, mean over the loops
        (`loader.utilization`). It says nothing of what the accelerator did while the loop computed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: Share of computing below which it is low; MLPerf Storage asks for 0.7 of some models. Default: 0.9.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.accelerator_utilization_low().columns[0]
            'run'
        """
        return self._session.query("finding.accelerator_utilization_low", run, target=target)

    def balanced(self, run: str | list[str] | None = None, *, target: float = 0.8) -> Frame:
        """Does the GPU work most of the time?

        Utilization is that of view `evidence_gpu`. Above `target` loading is not what limits the training, whatever its
        share: this finding is good news, and a notice.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: Utilization above which the GPU is busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.balanced().columns[0]
            'run'
        """
        return self._session.query("finding.balanced", run, target=target)

    def batch_time_unsteady(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Do the waits for batches vary a lot?

        The 95th percentile of the waits over their median, first batches of a pass left out. Workers that are too few
        deliver in bursts: then the long waits come at a distance of as many batches as there are workers.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median the 95th percentile must exceed. Default: 2.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.batch_time_unsteady().columns[0]
            'run'
        """
        return self._session.query("finding.batch_time_unsteady", run, factor=factor)

    def batch_too_small(self, run: str | list[str] | None = None, *, limit: float = 0.7, patience: int = 1000) -> Frame:
        """Is there room for larger batches?

        smdebug's rule BatchSize: of the last 500 values, at the end of a minute and after `patience` values, the 95th
        percentiles of the cores (their mean), of a GPU and of its memory all lie below `limit`. Of all GPUs and minutes
        it is the least (view `evidence_minute`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 95th percentile below which all three have room. Default: 0.7.
            patience: Values that there must be more than of each, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.batch_too_small().columns[0]
            'run'
        """
        return self._session.query("finding.batch_too_small", run, limit=limit, patience=patience)

    def between_batches_slow(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Does much time pass between batches although the next one is there?

        Batches that took at least twice the median of their loop, and spent more of that on other things than on
        waiting for data: what they took beyond the median, over the time of the loop (view `evidence_pause`). First
        batches of a pass are left out.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of the loop above which it is high. Default: 0.2.
            notable: Share above which it is notable. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.between_batches_slow().columns[0]
            'run'
        """
        return self._session.query("finding.between_batches_slow", run, high=high, notable=notable)

    def checkpoint_stalls(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Does the training stand still for checkpoints?

        The share of the time of the steps that is long gaps between them in which something saved, or of the training
        that Lightning's SimpleProfiler reports saving of (view `evidence_checkpoint`): above `notable` a notice, above
        `high` a warning. Long gaps of which nobody recorded whether something saved cannot be told.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which it is high. Default: 0.2.
            notable: Share above which it is notable. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.checkpoint_stalls().columns[0]
            'run'
        """
        return self._session.query("finding.checkpoint_stalls", run, high=high, notable=notable)

    def communication_exposed(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.5,
        notable: float = 0.05,
    ) -> Frame:
        """Is communication hidden behind computation?

        The part of the communicating kernels in which no kernel computed (HTA's overlap, turned around), where it costs
        a notable part of the step.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Part not hidden above which it is high. Default: 0.5.
            notable: Share of the step from which it matters. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.communication_exposed().columns[0]
            'run'
        """
        return self._session.query("finding.communication_exposed", run, high=high, notable=notable)

    def communication_high(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.1,
        severe: float = 0.2,
    ) -> Frame:
        """Do collectives take much of the step?

        The share of its steps in which a rank did nothing but communicate (view `evidence_role`), of the rank with
        most: waiting for the other ranks is in it. It is the TensorBoard plugin's share of communication.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which it is high. Default: 0.1.
            severe: Share above which it is severe. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.communication_high().columns[0]
            'run'
        """
        return self._session.query("finding.communication_high", run, high=high, severe=severe)

    def cpu_bottleneck(self, run: str | list[str] | None = None, *, limit: float = 0.5, patience: int = 1000) -> Frame:
        """Are GPUs idle because the processors cannot keep up?

        smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is below 10
        percent while a core is above 90 percent. Snapshots are those in which both were sampled (view
        `evidence_machine`); `rules.cpu_bottleneck` counts all.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Share of the snapshots above which it is a bottleneck. Default: 0.5.
            patience: Snapshots that there must be more than, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.cpu_bottleneck().columns[0]
            'run'
        """
        return self._session.query("finding.cpu_bottleneck", run, limit=limit, patience=patience)

    def data_parallel(self, run: str | list[str] | None = None) -> Frame:
        """Does one process drive several GPUs with DataParallel?

        A trace has the mark of DataParallel, and its process used more than one device.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.data_parallel().columns[0]
            'run'
        """
        return self._session.query("finding.data_parallel", run)

    def ddp_without_nccl(self, run: str | list[str] | None = None) -> Frame:
        """Do the ranks of a job on GPUs talk through another backend than NCCL?

        The backend that the trace names (`distributedInfo`), of a job of several ranks whose GPUs worked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.ddp_without_nccl().columns[0]
            'run'
        """
        return self._session.query("finding.ddp_without_nccl", run)

    def evaluation_share(self, run: str | list[str] | None = None, *, high: float = 0.2) -> Frame:
        """How much of the loop is evaluation?

        The time of evaluation over that of training and evaluation (view `evidence_evaluation`), with whatever happens
        between their steps: of phases of steps, or of the training epochs in a report of Lightning's SimpleProfiler,
        whose sanity check counts as evaluation.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which it is high. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.evaluation_share().columns[0]
            'run'
        """
        return self._session.query("finding.evaluation_share", run, high=high)

    def evidence_damaged(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Is what was recorded damaged?

        Entries that were left out or repaired, files that are cut, empty or cannot be read, recordings without an end
        (view `evidence_damage`). What the other findings say of such a run rests on the rest.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Damaged entries and files above which it is said, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.evidence_damaged().columns[0]
            'run'
        """
        return self._session.query("finding.evidence_damaged", run, limit=limit)

    def first_batch_slow(self, run: str | list[str] | None = None, *, factor: float = 10.0) -> Frame:
        """Is the first batch of an epoch much slower than the others?

        The greatest wait for the first batch of a pass over the median of the other waits of that pass.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median of the others the first wait must exceed. Default: 10.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.first_batch_slow().columns[0]
            'run'
        """
        return self._session.query("finding.first_batch_slow", run, factor=factor)

    def gpu_between(self, run: str | list[str] | None = None, *, low: float = 0.5, target: float = 0.8) -> Frame:
        """Is the GPU neither idle nor busy?

        PyTorch's tutorial calls utilization below `low` a problem and above `target` the goal, and says nothing of what
        lies between, the limits included. Here it is said as a number, and as no verdict. Utilization is that of view
        `evidence_gpu`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Utilization below which a GPU idles. Default: 0.5.
            target: Utilization above which it is busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        """Does a GPU change between busy and idle?

        smdebug's rule LowGPUUtilization: of the last 500 values of a GPU, at the end of a minute and after `patience`
        values, the 95th percentile lies above `busy` and the 5th below `limit`. Of all GPUs and such minutes it is the
        one with the least 5th percentile (view `evidence_minute`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 5th percentile of the utilization below which a GPU that is busy at other times fluctuates. Default:
                0.1.
            busy: 95th percentile above which it is busy at other times. Default: 0.7.
            patience: Values that there must be more than, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        """Does the GPU idle for another reason than its data?

        Utilization lies below `low` although the share of waiting (view `evidence_load`) is not above `notable`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Utilization below which a GPU idles. Default: 0.5.
            notable: Share of waiting up to which loading is not why. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        least: int = 50,
    ) -> Frame:
        """Does the memory of a GPU keep growing?

        After 1000 samples in percent it is smdebug's rule GPUMemoryIncrease: the mean of ten values lies more than
        `points` percentage points above that of the values before. Where there are fewer, or what an allocator handed
        out was logged instead, the last tenth of the values is held against the second, as in `host_memory_growth`.
        `threshold` is the limit that counts.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            points: Percentage points of the memory of the device. Default: 5.
            factor: How many times the second tenth the last one must be more than. Default: 1.1.
            rising: Share of the changes between tenths that must go up at least. Default: 0.8.
            least: Values below which nothing is said, at least 10. Default: 50.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
            least=least,
        )

    def gpu_memory_peak(self, run: str | list[str] | None = None, *, full: float = 0.97, limit: float = 0.9) -> Frame:
        """Is the memory of a GPU nearly full?

        The greatest share of the memory of a device that an allocator had handed out, or that samples saw in use (view
        `evidence_memory`). Samples include what the allocator only keeps, so that they may be near the end without any
        danger: the sentence says which it is.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            full: Share above which it is a warning. Default: 0.97.
            limit: Share above which it is said. Default: 0.9.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.gpu_memory_peak().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_memory_peak", run, full=full, limit=limit)

    def gpu_starved_by_loader(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.5,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Do the GPUs idle because data comes too slowly?

        Utilization lies below `low` while the share of waiting (view `evidence_load`) lies above `high`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Utilization below which a GPU idles. Default: 0.5.
            high: Share of waiting above which it is high. Default: 0.2.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.gpu_starved_by_loader().columns[0]
            'run'
        """
        return self._session.query("finding.gpu_starved_by_loader", run, low=low, high=high, notable=notable)

    def gpu_underused(self, run: str | list[str] | None = None, *, limit: float = 0.7, patience: int = 1000) -> Frame:
        """Does a GPU have little to do?

        smdebug's rule LowGPUUtilization: the 95th percentile of the last 500 values of a GPU, at the end of a minute
        and after `patience` values, lies below `limit`. Of all GPUs and minutes it is the least (view
        `evidence_minute`). Minutes at the end of a run, when nothing is trained any more, count too.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: 95th percentile of the utilization below which a GPU is underused. Default: 0.7.
            patience: Values that there must be more than, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        least: int = 50,
    ) -> Frame:
        """Does main memory keep growing?

        The mean of the last tenth of the values lies above `factor` times that of the second tenth, and the means of
        the tenths go up in at least `rising` of the nine changes between them (view `evidence_growth`). Of several
        series it is one that goes up so often, if there is one, and of those the one that grows most. Of machines, main
        memory counts as a whole; of recordings with `tracelake record`, each process, too.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the second tenth the last one must be more than. Default: 1.1.
            rising: Share of the changes that must go up at least. Default: 0.8.
            least: Values below which nothing is said, at least 10. Default: 50.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.host_memory_growth().columns[0]
            'run'
        """
        return self._session.query("finding.host_memory_growth", run, factor=factor, rising=rising, least=least)

    def host_to_device_copy(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.1,
        severe: float = 0.2,
    ) -> Frame:
        """Do copies to the device hold the steps up?

        The share of the steps in which a copy ran and no kernel (view `evidence_role`), of the rank with most, where at
        least half of the time in copies goes from host to device.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share from which it is high. Default: 0.1.
            severe: Share from which it is severe. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.host_to_device_copy().columns[0]
            'run'
        """
        return self._session.query("finding.host_to_device_copy", run, high=high, severe=severe)

    def ideal_speedup(
        self,
        run: str | list[str] | None = None,
        *,
        bottleneck: float = 1.5,
        potential: float = 1.1,
    ) -> Frame:
        """How much faster would an epoch be with data that costs nothing?

        Real over ideal time of a pair of passes, the second of which replays batches that are kept in memory.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Speed-up above which loading is the bottleneck. Default: 1.5.
            potential: Speed-up above which there is something to gain. Default: 1.1.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.ideal_speedup().columns[0]
            'run'
        """
        return self._session.query("finding.ideal_speedup", run, bottleneck=bottleneck, potential=potential)

    def input_ready(self, run: str | list[str] | None = None, *, ratio: float = 0.95) -> Frame:
        """Is data there before it is asked for?

        A good sign, never an accusation: at least `ratio` of the waits are shorter than 50 us, because prefetch is
        ahead of training.

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
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.input_ready().columns[0]
            'run'
        """
        return self._session.query("finding.input_ready", run, ratio=ratio)

    def io_bottleneck(self, run: str | list[str] | None = None, *, limit: float = 0.5, patience: int = 1000) -> Frame:
        """Are GPUs idle because disks or network cannot keep up?

        smdebug's rule IOBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is below 10
        percent while a core waits for I/O for more than 50 percent. Snapshots are those in which both were sampled
        (view `evidence_machine`); `rules.io_bottleneck` counts all.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Share of the snapshots above which it is a bottleneck. Default: 0.5.
            patience: Snapshots that there must be more than, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.io_bottleneck().columns[0]
            'run'
        """
        return self._session.query("finding.io_bottleneck", run, limit=limit, patience=patience)

    def launch_bound(self, run: str | list[str] | None = None, *, waiting: float = 0.5, busy: float = 0.8) -> Frame:
        """Does the GPU idle because the host has not launched its next work yet?

        The GPU is not busy, waiting for data explains less than half of its idle time, and most of the idle time of its
        main stream passes before the next work is launched (`host_wait` of HTA's idle time breakdown). Kernels may be
        of any size: `small_kernels` says whether they are small.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            waiting: Share of the idle time above which the host is why. Default: 0.5.
            busy: Utilization from which the GPU is busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.launch_bound().columns[0]
            'run'
        """
        return self._session.query("finding.launch_bound", run, waiting=waiting, busy=busy)

    def load_share_high(
        self,
        run: str | list[str] | None = None,
        *,
        bottleneck: float = 0.3,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Does the training wait for its data?

        The share of waiting is that of view `evidence_load`, by the best measure that the profiles allow: the sentence
        names it. Above `notable` it is a notice, above `high` a warning, above `bottleneck` critical; the limits
        themselves are not above. At stake is the waiting beyond `notable`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Share above which loading is the bottleneck. Default: 0.3.
            high: Share above which it is high. Default: 0.2.
            notable: Share above which it is notable. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.load_share_high().columns[0]
            'run'
        """
        return self._session.query("finding.load_share_high", run, bottleneck=bottleneck, high=high, notable=notable)

    def load_share_startup_only(
        self,
        run: str | list[str] | None = None,
        *,
        bottleneck: float = 0.3,
        notable: float = 0.05,
    ) -> Frame:
        """Is it only the start of each epoch that waits for data?

        All batches together lie above the limit, and without the first batch of each pass they do not: a short
        recording then says more about the start of the workers than about training.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Share above which loading is the bottleneck. Default: 0.3.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.load_share_startup_only().columns[0]
            'run'
        """
        return self._session.query("finding.load_share_startup_only", run, bottleneck=bottleneck, notable=notable)

    def loader_outliers(self, run: str | list[str] | None = None, *, ratio: float = 0.05) -> Frame:
        """Are there batches that took much longer than the others?

        Waits of at least twice the median, first batches of a pass left out of both.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            ratio: Share of such waits above which this is said. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.loader_outliers().columns[0]
            'run'
        """
        return self._session.query("finding.loader_outliers", run, ratio=ratio)

    def loader_reinitialized(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.05,
        notable: float = 0.01,
    ) -> Frame:
        """Are the workers of the loader started anew for every pass?

        A process makes an iterator at least as often as it passes over its data, at least twice, and that takes more
        than `notable` of the time: a notice, above `high` a warning (view `evidence_setup`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of the time above which it is high. Default: 0.05.
            notable: Share of the time above which it is notable. Default: 0.01.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.loader_reinitialized().columns[0]
            'run'
        """
        return self._session.query("finding.loader_reinitialized", run, high=high, notable=notable)

    def loader_straggler(self, run: str | list[str] | None = None, *, high: float = 0.1, severe: float = 0.2) -> Frame:
        """Does one rank wait longer for its data than the others?

        The longest mean wait for a batch of a rank, less the median over the ranks, over the mean time of a batch (view
        `evidence_rank`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of the time of a batch above which it is high. Default: 0.1.
            severe: Share above which it is severe. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.loader_straggler().columns[0]
            'run'
        """
        return self._session.query("finding.loader_straggler", run, high=high, severe=severe)

    def no_workers(self, run: str | list[str] | None = None, *, high: float = 0.2, notable: float = 0.05) -> Frame:
        """Does the training process load its data itself, and wait for it?

        The loader has no worker processes, and the share of waiting (view `evidence_load`) lies above `high`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of waiting above which it is high. Default: 0.2.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.no_workers().columns[0]
            'run'
        """
        return self._session.query("finding.no_workers", run, high=high, notable=notable)

    def out_of_memory(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did the training run out of memory?

        Errors that a recording noted, of main memory and of a GPU alike, or that CUDA's allocator counted (view
        `evidence_incident`). An error that was caught counts as well.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Errors above which it is said, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.out_of_memory().columns[0]
            'run'
        """
        return self._session.query("finding.out_of_memory", run, limit=limit)

    def pin_memory_off(self, run: str | list[str] | None = None, *, used: float = 0.0) -> Frame:
        """Do batches go to the GPU from memory that is not pinned?

        A loader says `pin_memory` false, and a GPU is used: its utilization is above `used` (view `evidence_setup`). A
        copy from memory that is not pinned is slower, and the host waits for it. Whether that matters is told by the
        copies in a trace.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            used: Utilization of the GPUs above which they are used. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.pin_memory_off().columns[0]
            'run'
        """
        return self._session.query("finding.pin_memory_off", run, used=used)

    def profiler_overhead(
        self,
        run: str | list[str] | None = None,
        *,
        high: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Did the profiler itself take much of the time that it recorded?

        The share of a recording in which the trace says that its own library worked (view `evidence_profiler`): above
        `notable` a notice, above `high` a warning. Durations of such a recording are longer than those of the training
        without it.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which it is high. Default: 0.2.
            notable: Share above which it is notable. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.profiler_overhead().columns[0]
            'run'
        """
        return self._session.query("finding.profiler_overhead", run, high=high, notable=notable)

    def rank_imbalance(self, run: str | list[str] | None = None, *, limit: float = 0.2, patience: int = 1000) -> Frame:
        """Do the GPUs of a run carry different loads?

        smdebug's rule LoadBalancing: the Jensen-Shannon distance of the histograms of the utilization of two GPUs with
        more than `patience` values each lies above `limit`. Of all pairs it is the one with the greatest distance (view
        `evidence_pair`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Distance above which the loads differ; 0 is equal, 0.83 never alike. Default: 0.2.
            patience: Values that each must have more than, at least 0. Default: 1000.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.rank_imbalance().columns[0]
            'run'
        """
        return self._session.query("finding.rank_imbalance", run, limit=limit, patience=patience)

    def rank_straggler(self, run: str | list[str] | None = None, *, high: float = 0.1, severe: float = 0.2) -> Frame:
        """Does one rank hold the others up?

        The rank that came last to its collectives for longest (view `evidence_rank`): how much longer than the rank
        after it, over the time of its steps. Ranks that take turns accuse nobody. What it has most more of than others
        stands in the sentence.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share of the step time above which it is high. Default: 0.1.
            severe: Share above which it is severe. Default: 0.2.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.rank_straggler().columns[0]
            'run'
        """
        return self._session.query("finding.rank_straggler", run, high=high, severe=severe)

    def slow_initialization(self, run: str | list[str] | None = None, *, minutes: float = 20.0) -> Frame:
        """Does it take long until the training starts?

        From the first sample of the machine to the first step, or to the first call for a batch where no steps were
        recorded (view `evidence_start`), more than `minutes`. smdebug's rule MaxInitializationTime, where it is known
        when the job started.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            minutes: Minutes that the start may take. Default: 20.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.slow_initialization().columns[0]
            'run'
        """
        return self._session.query("finding.slow_initialization", run, minutes=minutes)

    def slow_sample(self, run: str | list[str] | None = None, *, limit: int = 10000000, notable: float = 0.05) -> Frame:
        """Does it take long to read one item?

        The mean time of an item, or of a call of `__getitem__` in a Python profile.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Ns above which an item is slow, at least 0. Default: 10000000.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.slow_sample().columns[0]
            'run'
        """
        return self._session.query("finding.slow_sample", run, limit=limit, notable=notable)

    def small_kernels(self, run: str | list[str] | None = None, *, short: int = 25000, busy: float = 0.8) -> Frame:
        """Are the kernels too small to keep the GPU busy?

        The mean kernel lasts at most `short`, the GPU is not busy, and waiting for data explains less than half of its
        idle time. What the host does meanwhile says `launch_bound`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            short: Ns up to which the mean kernel is small. Default: 25000.
            busy: Utilization from which the GPU is busy. Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.small_kernels().columns[0]
            'run'
        """
        return self._session.query("finding.small_kernels", run, short=short, busy=busy)

    def step_outliers(self, run: str | list[str] | None = None, *, n_outliers: int = 10, patience: int = 100) -> Frame:
        """Did some steps last much longer than the others, and what were they busy with?

        smdebug's rule StepOutlier: more than `n_outliers` steps of a process that last more than 3 standard deviations
        above their mean, of more than `patience` steps. The sentence says what they had more of than the others, where
        a trace tells, and whether they come at equal distances.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            n_outliers: Outliers that there must be more than. Default: 10.
            patience: Steps that there must be more than. Default: 100.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        """Do convolutions and products of matrices leave the tensor cores idle?

        A device with tensor cores, no kernel on them, and operators that could use them (view `evidence_kernel`).
        NVIDIA's devices only.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            capability: Compute capability from which a device has tensor cores. Default: 7.
            eligible: Share of kernel time that could run on them above which it is said. Default: 0.0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        """Does the GPU idle, and nothing that was recorded says why?

        The GPU is not busy, and neither waiting for data nor communication, copies, small kernels nor late launches
        explain it, as far as they are known; what is not known is named. The limits are those of these findings.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            busy: Utilization from which the GPU is busy. Default: 0.8.
            waiting: Share of waiting for data. Default: 0.05.
            communication: Share of communication. Default: 0.1.
            copies: Share of copies. Default: 0.1.
            short: Ns up to which the mean kernel is small. Default: 25000.
            launches: Share of the idle time in which the next kernel is not launched. Default: 0.5.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        """Are there items that take very long to read?

        The longest time of an item; where times of items were not kept, the incidents that the recorder wrote of slow
        ones.

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
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.very_slow_sample().columns[0]
            'run'
        """
        return self._session.query("finding.very_slow_sample", run, limit=limit)

    def warmup_steps(self, run: str | list[str] | None = None, *, factor: float = 2.0, least: int = 5) -> Frame:
        """Were the first steps much longer than the others?

        The first step of a process against the median of its steps (view `evidence_step`): compilation, allocation and
        caches come with it, and a benchmark that counts it measures them. Steps that get long again later are
        `step_outliers`: a graph that is compiled anew.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: Times the median from which a first step is long. Default: 2.0.
            least: Steps that a median needs. Default: 5.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.warmup_steps().columns[0]
            'run'
        """
        return self._session.query("finding.warmup_steps", run, factor=factor, least=least)

    def worker_count_vs_cores(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 0.7,
        high: float = 2.0,
        seconds: int = 10,
        waiting: float = 0.2,
        notable: float = 0.05,
    ) -> Frame:
        """Are there too few or too many workers of the loader for the cores?

        smdebug's rule Dataloader: the median over the seconds of the workers alive, on the machine where it is farthest
        from one per core (view `evidence_cores`). Too few are a notice where the loop hardly waits, and a warning where
        it does.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Workers per core below which they are too few. Default: 0.7.
            high: Workers per core above which they are too many. Default: 2.0.
            seconds: Seconds that there must be more than. Default: 10.
            waiting: Share of waiting above which it matters. Default: 0.2.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
            waiting=waiting,
            notable=notable,
        )

    def worker_exit(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did a worker of the loader die?

        Incidents of kind `worker_exit` that a recording noted (view `evidence_incident`): PyTorch says that a worker
        exited unexpectedly or was killed by a signal.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Incidents above which it is said, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.worker_exit().columns[0]
            'run'
        """
        return self._session.query("finding.worker_exit", run, limit=limit)

    def worker_timeout(self, run: str | list[str] | None = None, *, limit: int = 0) -> Frame:
        """Did the training wait for a worker until it gave up?

        Incidents of kind `worker_timeout` that a recording noted (view `evidence_incident`): PyTorch says `DataLoader
        timed out`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Incidents above which it is said, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

        Example:
            >>> s.finding.worker_timeout().columns[0]
            'run'
        """
        return self._session.query("finding.worker_timeout", run, limit=limit)

    def workers_needed(self, run: str | list[str] | None = None, *, notable: float = 0.05) -> Frame:
        """Are there enough workers for this pace of training?

        As many workers keep up as batches are loaded while one is worked on: batch size times mean time of an item over
        mean compute, rounded up. It is said where the loop does wait.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            notable: Share of waiting above which the loop waits; what lies above is at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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

        Of loops with different numbers of workers in the same run: the best rate is not that of the most workers, or
        the last doubling gained less than `gain`, while the loop waits.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gain: Share that the last doubling must gain. Default: 0.1.
            high: Share of waiting above which it is high. Default: 0.2.
            notable: Share of waiting that is not at stake. Default: 0.05.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `id` (text, name): name of the finding
            - `outcome` (text, name): found, passed or no_data
            - `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            - `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            - `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            - `value` (double, mixed): the quantity that was judged; null for no_data
            - `threshold` (double, mixed): the limit it was compared with; null where there is none
            - `threshold_source` (text, text): where the limits come from
            - `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            - `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            - `cause` (text, text): why it is so
            - `recommendation` (text, text): what to do about it
            - `evidence` (text, name): canned queries whose rows are the evidence, divided by commas

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
        figure: str = "step_p50",
        position: str | None = None,
        series: str | None = None,
        max_p: float = 0.01,
        least_runs: int = 5,
        least_change: float = 0.01,
    ) -> Frame:
        """Since which run has a key figure been another one?

        One row per change of level: `run` is the first one behind it, `previous` the last one before it. The runs of a
        series are cut where their ranks before and after differ most, if chance makes such a difference in at most
        `max_p` of 1000 shuffles of the same runs; then both sides are searched again (window function `change_point`).
        So one slow run alone is no change, and no distribution is assumed, but that runs do not depend on each other: a
        figure that drifts is cut more than once. A change is seen once `least_runs` runs have come behind it; with the
        defaults, ten before and five behind are enough where they do not overlap.

        `before` and `after` are the medians on both sides, from the change before to the one behind. `confidence` is
        high where no shuffle came near and both sides have ten runs or more, else medium. `worse` says whether the
        change is to the worse.

        A filter on `run` chooses what is shown; the changes are those over all runs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            figure: Which figure: see view `run_figure`. Default: 'step_p50'.
            position: Attribute that orders the runs, such as the number of a commit; null for the start. Default: null.
            series: Attribute that divides the runs, such as the model; null for one series. Default: null.
            max_p: How often chance may make such a change; at least 0.001. Default: 0.01.
            least_runs: Runs on each side of a change, at least 1. Default: 5.
            least_change: Changes of the median by less are not shown. Default: 0.01.

        Returns:
            One frame, ordered by `series`, `place`, with these columns.

            - `run` (text, id): first run behind the change
            - `series` (text, name): value of the attribute that divides the runs; null without one
            - `place` (bigint, id): place of the run in its series, from 1
            - `started` (bigint, time): earliest time in its profile
            - `position` (text, name): value of the attribute that orders the runs; null without one
            - `previous` (text, id): last run before the change
            - `figure` (text, name): the figure
            - `before` (double, mixed): median of the runs before
            - `after` (double, mixed): median of the runs behind
            - `change` (double, factor): `after` over `before`, less 1
            - `worse` (boolean, flag): whether that is to the worse; null where neither direction is
            - `runs_before` (bigint, count): runs before, up to the change before
            - `runs_after` (bigint, count): runs behind, up to the next change
            - `p` (double, ratio): how often chance makes such a change, in thousandths
            - `confidence` (text, name): high or medium

        Example:
            >>> s.fleet.regressions().columns[0]
            'run'
        """
        return self._session.query(
            "fleet.regressions",
            run,
            figure=figure,
            position=position,
            series=series,
            max_p=max_p,
            least_runs=least_runs,
            least_change=least_change,
        )

    def runs(self, run: str | list[str] | None = None, *, attribute: str | None = None) -> Frame:
        """Which runs are there, and how did each do?

        One row per run, from table `run` alone: no rows of a profile are read, so that thousands of runs answer at
        once. The key figures are those of `job.key_figures` at the last ingest. `idle_ratio` and the parts of it are
        shares of the GPU-seconds, and upper bounds of what can be gained.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            attribute: Attribute whose value stands in column `value`, such as commit or model. Default: null.

        Returns:
            One frame, ordered by `started`, `run`, with these columns.

            - `run` (text, id): name of the run
            - `started` (bigint, time): earliest time in its profile
            - `framework` (text, name): framework that wrote the profile
            - `verdict` (text, name): what the key figures say the run was bound by; `job.verdict` looks closer
            - `steps` (bigint, count): steps over all modes
            - `step_p50` (double, ns): median step of the main mode
            - `step_p95` (double, ns): 95th percentile of that
            - `loader_ratio` (double, ratio): waiting for data over waiting and stepping
            - `gpu_percent` (double, percent): mean GPU utilization
            - `ranks` (bigint, count): ranks seen; null when none is known
            - `gpus` (bigint, count): devices that worked or were measured
            - `recorded_s` (double, s): time that recordings cover
            - `gpu_s` (double, s): the same summed over the devices, in GPU-seconds
            - `idle_ratio` (double, ratio): share of the GPU-seconds without computing and copying
            - `idle_loader_ratio` (double, ratio): share in which the process waited for data; at most
            - `idle_communication_ratio` (double, ratio): share in communication alone
            - `idle_other_ratio` (double, ratio): share of all else
            - `value` (text, text): value of the attribute that was asked for
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
        figure: str = "step_p50",
        position: str | None = None,
        series: str | None = None,
        window: int = 20,
    ) -> Frame:
        """How did a key figure go from run to run?

        One row per run whose figure is known (view `run_figure` has the names of the figures), in the order in which
        the runs started or in that of an attribute. `median` is that of the `window` runs before it in its series, and
        `change` how far the run is from that: 0.05 is 5 % more. Null for the first run of a series. `fleet.regressions`
        says which changes are more than noise.

        A filter on `run` chooses what is shown; the medians are those of all runs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            figure: Which figure. Default: 'step_p50'.
            position: Attribute that orders the runs, such as the number of a commit; null for the start. Default: null.
            series: Attribute that divides the runs, such as the model; null for one series. Default: null.
            window: Runs of the rolling median, at least 1. Default: 20.

        Returns:
            One frame, ordered by `series`, `place`, with these columns.

            - `run` (text, id): name of the run
            - `series` (text, name): value of the attribute that divides them; null without one
            - `place` (bigint, id): place of the run in its series, from 1
            - `started` (bigint, time): earliest time in its profile
            - `position` (text, name): value of the attribute that orders them; null without one
            - `figure` (text, name): the figure
            - `value` (double, mixed): its value, in the unit that it has in table `run`
            - `median` (double, mixed): median of the runs before it
            - `change` (double, factor): `value` over `median`, less 1

        Example:
            >>> s.fleet.trend().columns[0]
            'run'
        """
        return self._session.query("fleet.trend", run, figure=figure, position=position, series=series, window=window)

    def waste(self, run: str | list[str] | None = None) -> Frame:
        """How much time of devices was idle, and why?

        One row per run and cause. `communication`: only collectives ran; `loader`: the device had nothing to do while
        its process waited for a batch; `other`: all else, such as a host that launches too little; `unknown`: idle by
        samples of its utilization, which do not say why. The causes of a run add up to all of its idle time. Each is an
        upper bound: a device may be idle for two reasons at once, and what is gained at one place may be waited for at
        the next.

        Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs whose
        devices are known, the same in all rows of a cause; a filter on `run` does not change them.

        Left out: causes without any time, and runs without kernels and without samples of GPU utilization.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `cause`, with these columns.

            - `run` (text, id): name of the run
            - `cause` (text, name): communication, loader, other or unknown
            - `idle_s` (double, s): idle GPU-seconds of this cause; at most
            - `gpu_s` (double, s): GPU-seconds of the run in all
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

        One row per phase, function and process. Phases are `initialization`, up to the first step, `training_loop` and
        `finalization`, behind the last step; with `modes` each pair of modes in which profiles begin and end stands by
        itself. All profiles of a process are added up, as `pstats.Stats.add` does: those of cProfile and those of
        pyinstrument by themselves. Profiles that do not say what they cover are left out.

        The phases are those of `fetch_profile_stats_by_job_phase` and, with `modes`,
        `fetch_profile_stats_by_training_phase` of smdebug, which keeps only the last pair of modes for `initialization`
        and `finalization`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: What they are ordered by: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown of each phase, at least 1. Default: 20.
            modes: Whether each pair of modes has rows of its own. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `job_phase`, `start_mode`, `end_mode`, `place`,
            with these columns.

            - `run` (text, id): run the functions belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): cprofile or pyinstrument
            - `job_phase` (text, name): initialization, training_loop or finalization
            - `start_mode` (text, name): mode in which the profiles begin; null without `modes`
            - `end_mode` (text, name): mode in which the profiles end; null without `modes`
            - `place` (bigint, count): place among the functions of the phase, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in it
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in the function itself
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
        """Which Python functions took most time in a window of time or a range of steps?

        One row per function and process, from the profiles that overlap the window, whole: a profile is a sum and
        cannot be cut. Windows and profiles that only touch do not overlap. A range of steps, both included, has the
        profiles that cover a part of one of them or lie between two of them. All profiles of a process are added up, as
        `pstats.Stats.add` does: those of cProfile and those of pyinstrument by themselves. Profiles that do not say
        what they cover are left out.

        `fetch_profile_stats_by_time` of smdebug leaves out a profile that contains the window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Begin of the window, in ns since the Unix epoch; null for the first profile. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last profile. Default: null.
            first_step: First step; null for all before `last_step`, too. Default: null.
            last_step: Last step; null for all from `first_step` on. Default: null.
            mode: Only profiles that begin and end in this mode: train, eval, predict or global. Default: null.
            by: What they are ordered by: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown of each process, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `place`, with these columns.

            - `run` (text, id): run the functions belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): cprofile or pyinstrument
            - `place` (bigint, count): place among the functions of the window, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in it
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in the function itself
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
        """Who called which Python function, and how long did it take?

        One row per function, caller and process; a function that nobody called has one with a null caller. All profiles
        of a process are added up, as `pstats.Stats.add` does: those of cProfile and those of pyinstrument by
        themselves. Reports of Lightning do not say who called, and are left out: its dumps do. Times are those of the
        called function while it was called from there, and `ratio` is their share in its cumulative time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            function: Part of `file:line(function)` of the called function; null for all. Default: null.
            limit: Rows shown of each process, those with most time; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `function`, `cumulative_s desc`, `caller`, with
            these columns.

            - `run` (text, id): run the functions belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): cprofile or pyinstrument
            - `function` (text, name): called function, as file:line(function)
            - `function_own_s` (double, s): time in it, from all callers
            - `function_cumulative_s` (double, s): time in it and all it called, from all callers
            - `caller` (text, name): calling function; null if there is none
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in the function itself, when called from there
            - `cumulative_s` (double, s): time in it and all it called, when called from there
            - `ratio` (double, ratio): `cumulative_s` over that from all callers

        Example:
            >>> s.function.callers().columns[0]
            'run'
        """
        return self._session.query("function.callers", run, function=function, limit=limit)

    def modules(self, run: str | list[str] | None = None) -> Frame:
        """Which modules of the model took how much time, on the host and on the device?

        One row per chain of modules on a process rank, from the traces that record them (`with_modules=True` and
        `with_stack=True` of the PyTorch profiler). `id` stands for the chain of names and is the same in every run.
        `host_self` leaves out what ran inside: other modules, operators, calls into the runtime. `device_self` is the
        device work launched inside this module and no other, `device_total` that of the modules inside as well; what
        ran side by side on a device counts for each.

        The backward pass runs on another thread, which no module encloses: its time is in `operator.call_tree`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `depth`, `module`, `id`, with these columns.

            - `run` (text, id): run the modules belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `id` (bigint, id): stands for the modules from the outermost to this one
            - `parent` (bigint, id): `id` of the enclosing module; null for the outermost
            - `depth` (bigint, count): enclosing modules
            - `module` (text, name): class and number of the module
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which nothing ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work launched in it, outside of modules inside

        Example:
            >>> s.function.modules().columns[0]
            'run'
        """
        return self._session.query("function.modules", run)

    def profiles(self, run: str | list[str] | None = None) -> Frame:
        """Which Python profiles are there, and what do they cover?

        One row per file of cProfile or pyinstrument, as `list_profile_stats` of smdebug, and per action in a report of
        Lightning's AdvancedProfiler. Profiles of SageMaker Debugger reach from a phase of a step to another one, and
        their folder says so; dumps and reports of Lightning say stage and action. Of other profiles this is not known.

        An action of Lightning has no functions of the actions within it: while these run, it is not profiled.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `ts`, `profile`, `report`, `stage`, `action`, with
            these columns.

            - `run` (text, id): run the profile belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): cprofile, pyinstrument or lightning_advanced
            - `profile` (text, id): profile within the run: path of its file
            - `job_phase` (text, name): initialization, training_loop or finalization
            - `start_mode` (text, name): train, eval, predict, global or, before the first step, prestepzero
            - `start_step` (bigint, id): step in which it begins; null before the first
            - `start_phase` (text, name): start, stepstart, forwardpassend or stepend
            - `end_mode` (text, name): train, eval, predict, global or, behind the last step, posthookclose
            - `end_step` (bigint, id): step in which it ends; null behind the last
            - `end_phase` (text, name): stepstart, forwardpassend, stepend or end
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length
            - `functions` (bigint, count): functions in it
            - `own_s` (double, s): time in them
            - `stage` (text, name): stage of Lightning: fit, validate, test or predict; else null
            - `action` (text, name): action of Lightning; else null
            - `report` (bigint, id): report within the file, from 0; null where a file is one profile

        Example:
            >>> s.function.profiles().columns[0]
            'run'
        """
        return self._session.query("function.profiles", run)

    def python_trace(self, run: str | list[str] | None = None) -> Frame:
        """Which Python functions took how much time, and how much device work did they launch?

        One row per function and process rank, from the traces that record every call (`with_stack=True` of the PyTorch
        profiler). `host_total` is the time in calls, thread by thread; recursion counts once. `host_self` leaves out
        the Python functions called inside, not the operators. Modules stand here as functions named `nn.Module: ...`;
        `function.modules` has their tree. A function of the interpreter (`<built-in method ...>`) has no file.

        Device work counts for the functions that enclose the call which launched it on the same thread; traces of
        PyTorch 2.3 to 2.7 put functions on a thread of their own, where it is 0.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `function`, `file`, `line`, with these columns.

            - `run` (text, id): run the functions belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `function` (text, name): name of the function
            - `file` (text, name): file it stands in; null for built-in functions and modules
            - `line` (bigint, id): line in that file
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which no other Python function ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work launched in it, outside of functions called inside

        Example:
            >>> s.function.python_trace().columns[0]
            'run'
        """
        return self._session.query("function.python_trace", run)

    def top(self, run: str | list[str] | None = None, *, by: str = "own", limit: int = 20) -> Frame:
        """Which Python functions took most time, or were called most often?

        One row per function and process. All profiles of a process are added up, as `pstats.Stats.add` does: those of
        cProfile, those of pyinstrument and those in reports of Lightning by themselves. Reports of Lightning know files
        without their folders, and may list the first functions of each action only. `cumulative_s` counts recursion
        once; it holds the time of called functions, so that its sum means nothing. `function.python_trace` answers the
        same of traces that record every call.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: What they are ordered by: own, cumulative, calls or primitive_calls. Default: 'own'.
            limit: Functions shown of each process, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `profiler`, `place`, with these columns.

            - `run` (text, id): run the functions belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `profiler` (text, name): cprofile, pyinstrument or lightning_advanced
            - `place` (bigint, count): place among the functions of the process, from 1
            - `file` (text, name): source file; ~ for built-ins
            - `line` (bigint, id): line in it
            - `function` (text, name): name of the function
            - `profiles` (bigint, count): profiles that it is in
            - `calls` (bigint, count): calls; null from a sampler
            - `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            - `own_s` (double, s): time in the function itself
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

        One row per kind of incident of a run: slow_item, exception, out_of_memory, worker_timeout, worker_exit,
        program_exit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `kind`, with these columns.

            - `run` (text, id): run the incidents belong to
            - `kind` (text, name): what happened
            - `incidents` (bigint, count): how often
            - `ranks` (bigint, count): ranks that it happened on
            - `workers` (bigint, count): workers that it happened in
            - `items` (bigint, count): different items that it is about
            - `ts` (bigint, time): when it happened first
            - `last_ts` (bigint, time): when it happened last
            - `rank` (bigint, id): rank of the first; null when unknown
            - `worker` (bigint, id): worker of the first; null when it was none, or unknown
            - `item` (bigint, id): item of the first; null when it is about none, or unknown
            - `message` (text, text): what was said the first time

        Example:
            >>> s.incident.summary().columns[0]
            'run'
        """
        return self._session.query("incident.summary", run)


class Job(Family):
    """Queries of the family `job`, as `s.job`."""

    __slots__ = ()

    def attributes(self, run: str | list[str] | None = None) -> Frame:
        """What is said about each run as a whole?

        One row per run and key of table `run_attribute`: tags of the user, settings and versions that a profile names.
        `value` is the one that all processes and files of the run agree on, and null where they differ; `n` says how
        many there are. What the user says holds against what a profile says. Table `run` keeps the short ones as JSON
        in column `attributes`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `key`, with these columns.

            - `run` (text, id): run that it is said about
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
        """Which way does each run take through the decision tree of PyTorch's tutorial?

        One row per run and line of the tree: is GPU utilization low and, if so, loading time high? Do workers time out?
        Does memory grow? `holds` are the questions that can be answered and the answers that follow, from the first
        question to what to do; `not` are the other answers. Where something was not recorded, the question and what
        depends on it are `unknown`, and `seen` says what would have to be recorded.

        The tree gives no numbers; those are of the tutorial's other tables. Utilization (view `evidence_gpu`) is low
        below `low` and fine above `high`, and what lies between is `unknown`: the tutorial says nothing of it. Loading
        time (view `evidence_load`) is high above a share of `load`; then more workers are its advice even where no
        utilization was measured. The other two questions are findings `worker_timeout` and `host_memory_growth`, with
        their limits. What rests on less than two measurements is unknown.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            load: Share of waiting above which loading time is high. Default: 0.3.
            low: Utilization below which it is low. Default: 0.5.
            high: Utilization above which it is what is aimed at. Default: 0.8.

        Returns:
            One frame, ordered by `run`, `line`, with these columns.

            - `run` (text, id): run
            - `line` (bigint, id): line of the tree, from 1
            - `depth` (bigint, count): answers that lead to it
            - `text` (text, text): the question, or an answer and what to do then
            - `mark` (text, name): holds, not or unknown
            - `seen` (text, text): what a question was answered by, or what is missing and how to record it; null of
              answers that ask nothing more
            - `value` (double, mixed): the quantity that a question was answered by; null of answers, and when unknown
            - `threshold` (double, mixed): the limit that it was held against; null of answers
            - `drawn` (text, text): the line as it is shown: `>` holds, `?` unknown, indented by depth

        Example:
            >>> s.job.decision_tree().columns[0]
            'run'
        """
        return self._session.query("job.decision_tree", run, load=load, low=low, high=high)

    def key_figures(self, run: str | list[str] | None = None) -> Frame:
        """What is there to say about a run in one line?

        The key figures that table `run` keeps, computed anew. The main mode is `train` if the run has steps of it, else
        the mode that most time went into. The durations are those of `step.duration`; of a run that recorded no steps,
        but its loader, those of its batches with the work on them (view `step_time`).

        `loader_ratio` is the time in which a process waited for a batch over the time in which it did a step or waited,
        as a mean over the processes that recorded both (view `process_wait`). `gpu_percent` is the mean of all samples
        of GPU utilization.

        `gpus` and all GPU-seconds are told by kernels where there are any, else by samples of GPU utilization. With
        kernels a device counts from the first work, step or wait of its recording to the last one; `idle_s` is the time
        without a computing kernel, copy or fill. Of that, in `idle_communication_s` only collectives ran, in
        `idle_loader_s` nothing ran and the process waited for a batch, and `idle_other_s` is the rest: the host
        launched nothing. With samples a device counts from its first sample to the last one and is idle by the mean;
        `idle_loader_s` is the mean wait of a process times the devices, at most `idle_s`, and the other two are null.
        Each is an upper bound of what can be gained: a device may wait for something else meanwhile.

        `verdict` follows the rule of `job.verdict`, with its limits, over these figures alone; it is `no_data` where
        they are null. `job.verdict` also uses the steps of a trace and reports. With kernels the shares are those of
        the GPU-seconds, else `loader_ratio` (the median share of the batches, if that is less), and with samples their
        mean while the run trained.

        `recorded_s` is the union of these times; without devices from the first time in the profile to the last one.

        Left out of the percentiles: steps that a recording cut short. A figure is null where its rows are missing.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `steps` (bigint, count): steps over all modes and recordings
            - `step_p50` (double, ns): median step of the main mode
            - `step_p95` (double, ns): 95th percentile of that
            - `loader_ratio` (double, ratio): waiting for data over waiting and stepping
            - `gpu_percent` (double, percent): mean GPU utilization
            - `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            - `gpus` (bigint, count): devices that worked or were measured
            - `recorded_s` (double, s): time that recordings cover
            - `gpu_s` (double, s): the same summed over the devices, in GPU-seconds
            - `idle_s` (double, s): of these GPU-seconds, without computing and copying
            - `idle_loader_s` (double, s): of the idle ones, while the process waited for data; at most
            - `idle_communication_s` (double, s): of the idle ones, in communication alone
            - `idle_other_s` (double, s): of the idle ones, all else

        Example:
            >>> s.job.key_figures().columns[0]
            'run'
        """
        return self._session.query("job.key_figures", run)

    def overview(self, run: str | list[str] | None = None) -> Frame:
        """How long did a job run, and how much of that was spent before, in and after its training loop?

        The job lasts from the first to the last time in its profile, samples and events alike. Initialization ends
        where the first step starts; the loop lasts until the last step of any mode ends; the rest is finalization. The
        three add up to the whole. A profile without steps has no loop: its parts are null.

        The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts initialization
        from the full minute in the name of the first file of samples, up to 60 s before anything was measured; here it
        starts with the first recorded time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): name of the run
            - `started` (bigint, time): first time in the profile
            - `ended` (bigint, time): last time in the profile
            - `dur` (bigint, ns): from the first to the last time
            - `init_dur` (bigint, ns): from the first time to the start of the first step
            - `loop_dur` (bigint, ns): from there to the end of the last step
            - `final_dur` (bigint, ns): from there to the last time
            - `init_ratio` (double, ratio): `init_dur` over `dur`
            - `loop_ratio` (double, ratio): `loop_dur` over `dur`
            - `final_ratio` (double, ratio): `final_dur` over `dur`
            - `steps` (bigint, count): steps over all modes and recordings; null when none were marked
            - `ranks` (bigint, count): ranks seen; null when none is known
            - `nodes` (bigint, count): machines seen

        Example:
            >>> s.job.overview().columns[0]
            'run'
        """
        return self._session.query("job.overview", run)

    def phases(self, run: str | list[str] | None = None) -> Frame:
        """Which phases did a job go through, and when?

        Each stretch of consecutive steps of one mode is a phase; so is the time before the first step, between two
        stretches and after the last step. Names tell them apart: `before train`, `train`, `between train and eval`,
        `eval`, `after eval`. Intervals are half-open: a phase ends where the next one starts, and the last one ends
        with the last recorded time.

        Left out: runs without steps, and gaps of no length. The definition is that of `get_training_phase_intervals` of
        smdebug over all modes, which gives inclusive ends, names the modes of a gap in alphabetical order, and orders
        steps as they stand in the files instead of by time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `ts`, with these columns.

            - `run` (text, id): run the phase belongs to
            - `phase` (text, name): name of the phase
            - `mode` (text, name): mode of its steps; null before, between and after
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

        As `job.phases`, for each rank by itself: each stretch of consecutive steps of one mode is a phase; so is the
        time before the first step, between two stretches and after the last step. A rank that starts late or waits for
        the others shows here, where the phases of the whole job begin with its first rank and end with its last.

        Left out: ranks without steps, and gaps of no length. Intervals are half-open; the first one begins and the last
        one ends with the run.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `ts`, `dur`, with these columns.

            - `run` (text, id): run the phase belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording within the run, from 0
            - `phase` (text, name): name of the phase
            - `mode` (text, name): mode of its steps; null before, between and after
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

        One row per run, over the evidence that the findings of `diagnosis` rest on. A stall is a share of the loop or
        of the steps in which the run could not go on: `input` is the share of waiting for data by the best measure of
        the profiles (view `evidence_load`), of the rank that waits most; `communication` the share in which only
        collectives ran (`step.breakdown`), of the rank with most; `host` the rest of the time in which the device did
        nothing: by the kernels of a trace what calls, operators and nothing on record take of the steps, by samples of
        the GPU what idle time neither of the others explains. `compute` is the share in which the device worked.

        One stall above `high` that is the largest gives `input-bound` or `communication-bound`; two above it within
        `near` of each other give `mixed`. `host-bound` are runs whose device idles for more than `idle` while input and
        communication explain less than half of that; `compute-bound` runs without a stall above `high` whose device
        works for more than `busy`. A GPU that is busy for more than `busy` all the same waits for nothing. Otherwise
        the run is `mixed` if both input and device were recorded: it has no single bottleneck. If one is missing or
        there are fewer than two steps, the verdict is `no_data`, and the sentence says what to record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            high: Share above which a stall counts (XProf). Default: 0.2.
            near: Factor within which two stalls are about the same (our own). Default: 2.0.
            idle: Share of idle time above which the host can be why (PyTorch's tutorial). Default: 0.5.
            busy: Share of working above which a device is busy (PyTorch's tutorial). Default: 0.8.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            - `sentence` (text, text): the numbers that decided, and what they rest on
            - `steps` (bigint, count): steps, batches or samples that they rest on; null when unknown
            - `input` (double, ratio): share of waiting for data; null when unknown
            - `compute` (double, ratio): share in which the device worked; null when unknown
            - `communication` (double, ratio): share in which only collectives ran; null when unknown
            - `host` (double, ratio): share in which the device waited for the host; null when unknown

        Example:
            >>> s.job.verdict().columns[0]
            'run'
        """
        return self._session.query("job.verdict", run, high=high, near=near, idle=idle, busy=busy)


class Kernel(Family):
    """Queries of the family `kernel`, as `s.kernel`."""

    __slots__ = ()

    def by_operator(self, run: str | list[str] | None = None) -> Frame:
        """Which operators launched which kernels, with what shape, and how well did these fill the device?

        One row per process, kernel, operator and shape of the launch. The operator is the innermost one that encloses
        the launch on its thread; it is null where the recording does not tell. `dur_sum` adds up durations, so that
        kernels which ran side by side count more than once. `blocks_per_sm` and `occupancy` are means of what the
        profiler wrote on each kernel, weighted by its duration: blocks of the grid over multiprocessors of the device,
        and the estimated share of warps that were active. Both are null where the profiler writes none, as on AMD.
        Recordings of a process are taken together.

        The table is the kernel table by operator of the TensorBoard plugin, which takes the operator by its external id
        and so misses or mistakes it where ids are missing or wrong.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `name`, `operator`, `grid`, `block`,
            `registers`, `shared_memory_bytes`, with these columns.

            - `run` (text, id): run the kernels belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the kernel
            - `operator` (text, name): operator that launched it
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
            - `occupancy` (double, ratio): estimated occupancy, mean weighted by duration
            - `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name

        Example:
            >>> s.kernel.by_operator().columns[0]
            'run'
        """
        return self._session.query("kernel.by_operator", run)

    def by_type(self, run: str | list[str] | None = None) -> Frame:
        """How much device time went into computation, communication and memory, alone and side by side?

        One row per recording of a process and set of types that ran at the same time, over all its devices and streams
        together: each moment of device work counts in exactly one row, so that the rows of a recording add up to the
        time in which anything ran. `types` names the set, as `computation` or `computation overlapping communication`.
        `memory` are copies and fills.

        The table is HTA's `get_gpu_kernel_breakdown`, which adds up all ranks. Left out: sets that did not occur.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `types`, with these columns.

            - `run` (text, id): run the recording belongs to
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
        which at least one communicating kernel ran, `overlap` the part of it in which a computing kernel ran too,
        `exposed` the rest, which the process waited for. Copies and fills count on neither side. Collectives that run
        on the host (gloo) are no kernels: `step.breakdown` has them.

        `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication; a recording without
        kernels has no row.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): run the recording belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `n` (bigint, count): communicating kernels
            - `communication` (bigint, ns): time in which a communicating kernel ran
            - `computation` (bigint, ns): time in which a computing kernel ran
            - `overlap` (bigint, ns): time in which both ran
            - `exposed` (bigint, ns): time in which a communicating kernel ran and no computing one
            - `overlap_ratio` (double, ratio): `overlap` over `communication`

        Example:
            >>> s.kernel.comm_overlap().columns[0]
            'run'
        """
        return self._session.query("kernel.comm_overlap", run)

    def counters(self, run: str | list[str] | None = None) -> Frame:
        """Which operators made the hardware count what?

        One row per process, operator and counter of CUPTI's range profiler, which measures one kernel after the other.
        Its recordings do not say which launch a range belongs to: the ranges of a file in the order of time are those
        of its calls that launch kernels, as HTA's `get_cupti_counter_data_with_operators` has it. Where there are not
        as many of one as of the other, the operators are null. `operator` is the innermost one around the launch,
        `outer_operator` the outermost. `flops` are the operations that the counter stands for: two to an instruction
        that multiplies and adds, one to any other of those that count additions and multiplications; null for other
        counters. Recordings of a process are taken together.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `outer_operator`, `operator`, `counter`, with these columns.

            - `run` (text, id): run the kernels belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `outer_operator` (text, name): outermost operator around the launch
            - `operator` (text, name): innermost operator around the launch
            - `counter` (text, name): counter, as the profiler names it
            - `n` (bigint, count): kernels
            - `value_sum` (double, count): sum over the kernels
            - `value_mean` (double, count): mean
            - `value_min` (double, count): least
            - `value_max` (double, count): greatest
            - `flops` (double, count): floating-point operations that the sum stands for

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
        """What did kernels and copies take compared with another run, recording, rank or step?

        One row per name, with counts and summed durations on both sides and their differences. The run that is asked
        for is one side, `base` the other: `kernel_diff('before') where run = 'after'`. Without `base` a run is compared
        with itself: `kernel_diff(base_span => 0, span => 1)` holds its second recording against its first, `base_step`
        and `step`, `base_rank` and `rank` do the same for steps and ranks. What is not said about the base holds for it
        as for the other side, so that `kernel_diff('before', rank => 0, step => 7)` compares step 7 of rank 0 in both
        runs. What is not said at all is not looked at: ranks, recordings and steps are added up. Where nothing is said,
        nothing differs.

        `change` goes by the counts: added and deleted names are on one side only. Durations are added up, so that what
        ran side by side counts more than once. `steps` and `base_steps` say how many steps of how many ranks were added
        up, where that differs. A kernel belongs to the step that launched it (view `event_step`), and to none if its
        launch lies before the recording. Counts, durations and categories are those of HTA's TraceDiff for the device,
        which compares one step of one rank, and counts synchronization as work.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            base: Run to compare with; null for the run itself. Default: null.
            rank: Only this rank; null for all. Default: null.
            span: Only this recording; null for all. Default: null.
            step: Only this step; null for all. Default: null.
            base_rank: The same of the base; null for that of `rank`. Default: null.
            base_span: The same of the base; null for that of `span`. Default: null.
            base_step: The same of the base; null for that of `step`. Default: null.

        Returns:
            One frame, ordered by `run`, `dur_diff desc`, `type`, `name`, with these columns.

            - `run` (text, id): run that is compared
            - `base` (text, id): run that it is compared with
            - `type` (text, name): computation, communication or memory (copies and fills)
            - `name` (text, name): name of the kernel or copy
            - `change` (text, name): added, deleted, increased, decreased or unchanged, by the counts
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
        """Which sequences of kernels do operators launch again and again?

        One row per process, name of a call and sequence of what ran on the device: candidates for fusion, a graph or a
        better kernel. Calls are operators, annotations, collectives, modules and Python functions whose name contains
        `operator`; of those inside each other the outermost. To its sequence belongs all work launched inside it on its
        thread, copies and fills too, in the order in which it began; names are joined by ` -> `. Only sequences of at
        least `min_kernels` count, and of each process the `top` most frequent are shown, of equally frequent ones those
        with most time on the device. Recordings of a process are taken together.

        HTA's `get_frequent_cuda_kernel_sequences` takes the calls at the least depth at which the name occurs, and has
        synchronization among the kernels; it raises where calls begin at the same time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            operator: Part of the names of the calls. Default: 'aten::'.
            min_kernels: Least kernels, copies and fills of a sequence, at least 1. Default: 3.
            top: Sequences shown of each process, at least 1. Default: 10.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `n desc`, `kernel_sum desc`, `name`, `sequence`, with these
            columns.

            - `run` (text, id): run the calls belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the call
            - `sequence` (text, name): names of the kernels, copies and fills, in the order in which they began
            - `n` (bigint, count): calls with this sequence
            - `kernels` (bigint, count): kernels, copies and fills of the sequence
            - `kernel_sum` (bigint, ns): their durations in all calls, added up
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

        One row per stream and cause. A stream is idle from the end of all that it ran so far to the start of what it
        runs next. The cause of such an interval is `host_wait` if what ran next was launched only after the interval
        had begun, so that the stream waited for the host; else `kernel_wait` if the interval is shorter than
        `threshold`, the price of starting one kernel after another; else `other`, such as a wait for another stream.
        Where no launch is on record the cause is `unknown`. Time before the first and after the last work of a stream
        is no interval. `ratio` is the share in the idle time of the stream.

        Causes and threshold are those of HTA's `get_idle_time_breakdown`, which measures from the end of the previous
        kernel, so that overlapping work counts as negative idle time, and goes by the length alone where no launch is
        on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            threshold: Ns from which an interval is longer than the wait for the next kernel, at least 0. Default:
                30000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `cause`, with these columns.

            - `run` (text, id): run the stream belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `cause` (text, name): host_wait, kernel_wait, other or unknown
            - `n` (bigint, count): intervals
            - `dur_sum` (bigint, ns): time in them
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

        One row per process, operator and sequence of kernels. The calls of an operator are those whose own launches are
        on record: a launch belongs to the innermost operator around it on its thread (`event_operator`). `kernels` are
        the names in the order of their launches, joined by ` -> `. `operator_delay_mean` is the mean time from the
        start of the operator to its first launch, work of the host before the device hears of it; `launch_delay_mean`
        that from the start of the first launch to the start of its kernel, long where the device is busy with what was
        launched before. Copies and fills do not count. Recordings of a process are taken together.

        The means are those of HTA's `get_aten_op_kernels_and_delay`, which knows operators of ATen and launches by CUDA
        only, and takes the operator from any thread.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `n desc`, `operator`, `kernels`, with these columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `operator` (text, name): name of the operator
            - `kernels` (text, name): names of the kernels that it launched, in that order
            - `n` (bigint, count): calls of the operator
            - `operator_delay_mean` (double, ns): from the start of the operator to its first launch, mean
            - `operator_delay_max` (bigint, ns): longest of these
            - `launch_delay_mean` (double, ns): from the start of the first launch to the start of its kernel, mean
            - `launch_delay_max` (bigint, ns): longest of these
            - `kernel_sum` (bigint, ns): durations of the kernels, added up

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
        """How long do launches take on the host, and how long until their work begins?

        One row per recording of a process and sort of work: kernels, copies (`memcpy`) and fills (`memset`). A call
        that launches several pieces of work, as a graph does, is one launch, and their durations are added up. `delay`
        is the time from the end of the call to the start of its first work, 0 where that began before: little of it and
        a queue that runs empty mean that the device waits for the host. `short` counts work that took less time on the
        device than its call on the host, in a call of at most `host_limit`: launching costs more than it gives.
        `slow_calls` counts calls that took longer, `late` work with a delay above `delay_limit`. Percentiles are exact,
        with linear interpolation between the closest values.

        Times and counts are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver,
        no HIP, no graphs). `kernel.launches` has single launches.

        Left out: work without a launch on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            host_limit: Ns above which a call is slow, at least 0. Default: 50000.
            delay_limit: Ns above which work is late, at least 0. Default: 100000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `category`, with these columns.

            - `run` (text, id): run the launches belong to
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
            - `short` (bigint, count): work that took less time on the device than on the host, in calls that are not
              slow
            - `slow_calls` (bigint, count): calls that took longer than `host_limit`
            - `late` (bigint, count): work with a delay above `delay_limit`

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
        """How long did each launch take on the host, until its work began, and on the device?

        One row per call that launched kernels, copies or fills, and per stream and sort of these if it launched
        several, as a graph does. `delay` is the time from the end of the call to the start of the first of them, 0
        where that began before. Launches are marked: `short` ran on the device for less time than the call took on the
        host, a call of at most `host_limit`; `slow_call` is a call that took longer than that; `late` has a delay above
        `delay_limit`.

        Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver,
        no HIP, no graphs). For many launches `kernel.launch_stats` has their statistics.

        Left out: work without a launch on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            host_limit: Ns above which a call is slow, at least 0. Default: 50000.
            delay_limit: Ns above which work is late, at least 0. Default: 100000.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `launch_ts`, `ts`, with these columns.

            - `run` (text, id): run the launch belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `launch_ts` (bigint, time): start of the call
            - `launch_name` (text, name): name of the call
            - `launch_dur` (bigint, ns): duration of the call
            - `delay` (bigint, ns): from the end of the call to the start of the work, at least 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `category` (text, name): kernel, memcpy or memset
            - `name` (text, name): name of the kernel or copy, of several the first
            - `ts` (bigint, time): start of the work
            - `dur` (bigint, ns): duration of the work, of several their sum
            - `correlation` (bigint, id): ties call and work together
            - `short` (boolean, flag): whether it took less time on the device than on the host, in a call that is not
              slow
            - `slow_call` (boolean, flag): whether the call took longer than `host_limit`
            - `late` (boolean, flag): whether the delay was above `delay_limit`
            - `n` (bigint, count): kernels, copies or fills that it launched

        Example:
            >>> s.kernel.launches().columns[0]
            'run'
        """
        return self._session.query("kernel.launches", run, host_limit=host_limit, delay_limit=delay_limit)

    def occupancy(self, run: str | list[str] | None = None) -> Frame:
        """How well were the devices used: busy, filled with blocks and warps, on tensor cores?

        One row per recording of a process and device, over the time of `profiled_window`: from the first step to the
        last one and the work that they launched, or the whole recording if it has no steps. Kernels count as far as
        they lie in it. `utilization` is the share of that time in which at least one kernel ran. `sm_efficiency` weighs
        each moment by the blocks per multiprocessor of the kernels that run, at most 1: a kernel with fewer blocks than
        multiprocessors leaves some idle. `occupancy` is the mean of the estimated occupancy of the kernels, weighted by
        their time, `tensor_core_ratio` the share of kernel time in kernels on tensor cores, by their names. Copies and
        fills do not count.

        The first three are the TensorBoard plugin's. Its share of tensor cores knows no names later than Ampere and
        counts only kernels of which it found the operator. `sm_efficiency` and `occupancy` are null where the profiler
        writes neither blocks nor occupancy on kernels, as on AMD.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, with these columns.

            - `run` (text, id): run the device belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `ts` (bigint, time): start of the time
            - `dur` (bigint, ns): length of the time
            - `kernels` (bigint, count): kernels in it
            - `busy` (bigint, ns): time in which a kernel ran
            - `utilization` (double, ratio): `busy` over `dur`
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

        One row per stream of a recording. The queue counts as full while at least `limit` launches wait in it; CUDA
        holds 1024 as a rule, and then blocks the calls that launch more. `ratio` is the share in the time from the
        first launch to the last start of work on any stream of the recording. A queue that is full much of the time is
        a good sign: the device is the limit, not the host. `kernel.queue_length` says what counts as a launch.

        Time and share are those of HTA's `get_time_spent_blocked_on_full_queue`, which keeps one stream of a rank.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Launches from which the queue is full, at least 1. Default: 1024.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, with these columns.

            - `run` (text, id): run the stream belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `length_max` (bigint, count): most launches in the queue
            - `n` (bigint, count): how often the queue became full
            - `dur_sum` (bigint, ns): time in which it was full
            - `ratio` (double, ratio): `dur_sum` over the time of the recording's launches

        Example:
            >>> s.kernel.queue_full_time().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_full_time", run, limit=limit)

    def queue_length(self, run: str | list[str] | None = None) -> Frame:
        """How long was the queue of each stream of a device, at every change?

        Two rows per launch and stream: the call of the host puts it into the queue of the stream (`change` 1), the
        start of its work takes it out (`change` -1). `length` is the number of launches in the queue from `ts` on. A
        stream whose queue is empty waits for the host next; a host whose queue is full (1024 launches as a rule,
        `kernel.queue_full_time`) waits for the device. A call that launches several pieces of work onto a stream, as a
        graph does, is one launch. Where the clocks put a start before its call, it counts at the time of the call.

        The length is that of HTA's `get_queue_length_time_series`, which knows some names of calls (no graphs, no
        cooperative launches) and leaves the order of what happens at one time open; here calls come before starts.

        Left out: work without a launch on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `ts`, `change desc`, with these
            columns.

            - `run` (text, id): run the stream belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `ts` (bigint, time): when the length changed
            - `dur` (bigint, ns): from there to the next change; null for the last one
            - `change` (bigint, count): 1 for a launch, -1 for the start of its work
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
        """How did the length of the queue of each stream change in the course of a recording?

        The time from the first launch to the last start of device work in a recording is cut into at most `bins` bins
        of equal length, the same for all processes and streams of a run; a change belongs to the bin in which it
        happens. `length_min` and `length_max` are the least and the greatest length that the queue had in the bin,
        `length_last` the one with which it left it. There are never more bins than two for each piece of work of one
        stream. `kernel.queue_length` says what counts as a launch.

        With `start` or `end` the bins divide that window, as far as it lies within this time; the first one also has
        what held before.

        Left out: bins without a change of the stream, in which the length stays as it was.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.
            start: Begin of the window, in ns since the Unix epoch; null for the first launch. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last start of work. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, `ts`, with these columns.

            - `run` (text, id): run the stream belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `stream` (bigint, id): stream of the device
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): changes in it
            - `length_min` (bigint, count): least launches in the queue
            - `length_max` (bigint, count): most launches in the queue
            - `length_last` (bigint, count): launches in the queue after the last change of the bin, and so until the
              next bin

        Example:
            >>> s.kernel.queue_length_over_time().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_length_over_time", run, bins=bins, start=start, end=end)

    def queue_length_summary(self, run: str | list[str] | None = None) -> Frame:
        """How long was the queue of each stream of a device as a rule?

        One row per stream of a recording. `length_mean` weighs each length by the time for which it lasted,
        `empty_ratio` is the share of the time in which no launch waited: the device is then about to wait for the host.
        The other columns on the length are over its values after each change, `n` of them, whatever time lies between:
        those of HTA's `get_queue_length_summary`, whose mean is `point_mean`. `kernel.queue_length` says what counts as
        a launch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `stream`, with these columns.

            - `run` (text, id): run the stream belongs to
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
            - `length_max` (bigint, count): greatest length

        Example:
            >>> s.kernel.queue_length_summary().columns[0]
            'run'
        """
        return self._session.query("kernel.queue_length_summary", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """Which kernels and copies took how much time of the devices?

        One row per process and name. `dur_sum` adds up durations, so that work which ran side by side counts more than
        once; `busy` is the time in which at least one of that name ran. `ratio` is `dur_sum` over that of all kernels
        and copies of the process. Percentiles are exact, with linear interpolation between the closest values.
        Recordings of a process are taken together.

        The sums are those of the kernel table of the TensorBoard plugin and of HTA's `get_gpu_kernel_breakdown` for all
        kernels; HTA's default computes mean, least and greatest value over sums, not over kernels.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `type`, `name`, with these columns.

            - `run` (text, id): run the kernels belong to
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
            - `tensor_core` (boolean, flag): whether its name is that of a kernel on tensor cores; null for copies and
              fills

        Example:
            >>> s.kernel.summary().columns[0]
            'run'
        """
        return self._session.query("kernel.summary", run)

    def temporal_breakdown(self, run: str | list[str] | None = None) -> Frame:
        """How much of the time was a device computing, doing something else, or idle?

        One row per recording of a process, over all its devices and streams together, from the start of its first
        kernel, copy or fill to the end of the last one (`dur`). `computation` is the time in which at least one
        computing kernel ran, `non_computation` that in which only communication, copies or fills ran, and `idle` the
        rest: the three add up to `dur`. `kernel`, `communication` and `memory` are the times in which at least one
        kernel, communicating kernel, copy or fill ran. Only `kernel_sum` adds up durations, so that kernels which ran
        side by side count more than once.

        The three parts are those of HTA's `get_temporal_breakdown`, which rounds times with fractions to whole
        microseconds, drops the last step, and counts synchronization as work. A recording without device work has no
        row.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): run the recording belongs to
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
            - `kernel_sum` (bigint, ns): sum of their durations
            - `kernel` (bigint, ns): time in which a kernel ran
            - `communication` (bigint, ns): time in which a communicating kernel ran
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
        """How many workers of the data loader were there in each second, and how many cores for them?

        One row per machine and second of the clock in which a worker lived or a batch was asked for. `alive` counts the
        worker processes that lived at any time in that second, `delivering` the workers whose batches were asked for in
        it. `cores` are those that were sampled on the machine. Far more workers than cores get into each other's way;
        far fewer leave the machine idle while the training waits.

        Left out: workers whose life has no time or lasted more than a week.

        smdebug's rule Dataloader counts the processes of all events of the loader by the second in which they start,
        the training processes among them.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `ts` (bigint, time): start of the second
            - `alive` (bigint, count): worker processes that lived in it
            - `delivering` (bigint, count): workers whose batches were asked for in it
            - `cores` (bigint, count): cores of the machine; null when none was sampled
            - `relative` (double, factor): `alive` over `cores`

        Example:
            >>> s.loader.active_workers().columns[0]
            'run'
        """
        return self._session.query("loader.active_workers", run)

    def batch_time(self, run: str | list[str] | None = None) -> Frame:
        """How much time passes from one batch to the next?

        The time between the starts of two consecutive calls for a batch, in one process: waiting for the batch and
        working on it. It is the pace of the input side of the loop and needs no step marks. Breaks between epochs are
        included. Percentiles are exact, with linear interpolation between the closest values.

        Left out: the first call of each process, which ends no interval, and calls without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, with these columns.

            - `run` (text, id): run the calls belong to
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
        """After which batches did it take much longer than usual until the next one was asked for?

        The time between the starts of two consecutive calls of one process is an outlier when it lasted at least
        `factor` times the median of its run, over all processes. One of exactly that length counts. Breaks between
        epochs are found too.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median an interval must last. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, with these columns.

            - `run` (text, id): run the calls belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `ts` (bigint, time): start of the earlier call
            - `dur` (bigint, ns): from there to the start of the later call
            - `worker` (bigint, id): worker that made the batch of the later call
            - `epoch` (bigint, id): epoch of the later call
            - `batch` (bigint, id): batch number of the later call
            - `dur_p50` (double, ns): median of the run
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.batch_time_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.batch_time_outliers", run, factor=factor)

    def batches(self, run: str | list[str] | None = None, *, bins: int = 500) -> Frame:
        """How did waits and work go from batch to batch?

        Batches of a loop in the order in which they came, in at most `bins` bins of equally many; a loop of no more
        batches has one bin for each. A bin ends early where a pass does, so that there may be a few more. `load_so_far`
        is the mean wait from the first batch of the loop to the end of the bin: what a monitor prints that never resets
        its counters, and what hides a loader that slows down late.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Most bins of a loop, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `place`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `place` (bigint, id): place of the first batch of the bin in its loop, from 0
            - `n` (bigint, count): batches in the bin
            - `ts` (bigint, time): start of the first wait; null when no time was kept
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

        A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any rank.
        Everything recorded during these waits is compared with everything else between the start of the first call and
        the end of the last one, so that set-up and wind-up do not count. For samples the values are means, each machine
        and quantity for itself. For events they are shares of the time: in 0.25 of the long waits at least one event of
        that name was running. Events that overlap count once, and an event that reaches into a long wait counts with
        the part inside.

        A run without a long wait gives no rows. Waits are often shorter than the pause between two samples: `n_during`
        says how many samples a mean rests on. Events of the loader itself are among the rows, and show the waits.

        Left out: waits of an ideal replay, everything without a time, and events without a length.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a wait must last. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `source`, `node`, `category`, `name`, `unit`, with these columns.

            - `run` (text, id): run
            - `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            - `node` (text, id): machine of the samples; null for events, which are taken over all machines
            - `category` (text, name): resource of the samples, or category of the events
            - `name` (text, name): metric of the samples, or name of the events
            - `unit` (text, name): unit of the values; `ratio` for events
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
        """How did the waits for batches go, epoch by epoch?

        One row per pass of a loop over its data: where the epoch changes, a recording begins or the process makes a new
        iterator, another begins. These are the numbers of the tutorial's DataLoaderProfiler, for the waits alone: a
        clock at the top of the loop, as it has, adds the work on the batch before (`loader.jitter`, part `interval`).

        The standard deviation has the divisor n-1 and is null for one batch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `pass`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `batches` (bigint, count): batches
            - `load` (bigint, ns): sum of the waits
            - `load_mean` (double, ns): mean
            - `load_std` (double, ns): standard deviation of the sample
            - `load_min` (bigint, ns): shortest
            - `load_max` (bigint, ns): longest
            - `load_first` (bigint, ns): wait for the first batch; null if it was left out as damaged
            - `compute` (bigint, ns): work on the batches of which it is known; null when unknown
            - `load_ratio` (double, ratio): share of waiting, as in `loader.share`
            - `batches_per_s` (double, per_s): batches over the time of the steps or of the pass; null when unknown

        Example:
            >>> s.loader.epochs().columns[0]
            'run'
        """
        return self._session.query("loader.epochs", run)

    def first_batch(self, run: str | list[str] | None = None, *, factor: float = 10.0) -> Frame:
        """Was the first batch of an epoch much slower than the others?

        One row per pass of a loop. `relative` holds the wait for its first batch against the median of its other waits.
        A large one is the start of the workers, a cold cache or a compiler: `persistent_workers=True` and a few batches
        of warm-up help, and neither says anything about the steps after it. A recording that begins in the middle of an
        epoch has no such batch, and shows none.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median of the others the first wait must exceed to be slow. Default: 10.0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `pass`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `rest` (bigint, count): other batches
            - `load_first` (bigint, ns): wait for the first batch; null if it was left out as damaged
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

        One row per process, iterator and configuration. A loader is set up anew for every pass over the data unless its
        workers persist, so that this time comes back every epoch.

        Left out: initializations without a duration.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `num_workers`, `prefetch_factor`,
            `persistent_workers`, `pin_memory`, with these columns.

            - `run` (text, id): run the loader belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader or iterator
            - `num_workers` (bigint, count): number of workers
            - `prefetch_factor` (bigint, count): batches each worker prepares ahead
            - `persistent_workers` (boolean, flag): whether workers outlive an epoch
            - `pin_memory` (boolean, flag): whether batches go to pinned memory
            - `n` (bigint, count): initializations
            - `dur_mean` (double, ns): mean duration
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
        all processes. One of exactly that length counts.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median an initialization must last. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, `dur`, with these columns.

            - `run` (text, id): run the loader belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `loader` (text, name): name of the loader or iterator
            - `num_workers` (bigint, count): number of workers
            - `ts` (bigint, time): start; null when no time was kept
            - `dur` (bigint, ns): duration
            - `dur_p50` (double, ns): median of its run and iterator
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.init_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.init_outliers", run, factor=factor)

    def items(self, run: str | list[str] | None = None, *, limit: int = 20) -> Frame:
        """Which items of the dataset took longest to read, and which worker read them?

        One row per item, with its slowest access, for the slowest items of each loader. An item is what the dataset
        gives for one index; of a dataset that is iterated, items are numbered in each worker by themselves. `relative`
        compares with the median over all accesses of the loader. The file is known where the dataset keeps a list of
        files and the item was slow enough for an incident.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            limit: Items shown of each loader, at least 1. Default: 20.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `place`, with these columns.

            - `run` (text, id): run the items belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `loader` (text, name): name of the loader
            - `place` (bigint, count): place among the items of the loader, from 1
            - `item` (bigint, id): index of the item; null where it has none
            - `worker` (bigint, id): worker of the slowest access; null in the training process
            - `pid` (bigint, id): process of the slowest access
            - `ts` (bigint, time): start of the slowest access
            - `accesses` (bigint, count): how often it was read
            - `dur_max` (bigint, ns): the slowest access
            - `dur_mean` (double, ns): mean of its accesses
            - `dur_p50` (double, ns): median of all accesses of the loader
            - `relative` (double, factor): `dur_max` over `dur_p50`
            - `bytes` (bigint, bytes): size of the item
            - `message` (text, text): what the incident of a slow item says, such as its file

        Example:
            >>> s.loader.items().columns[0]
            'run'
        """
        return self._session.query("loader.items", run, limit=limit)

    def jitter(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """How much do the waits for batches, and the steps around them, differ from each other?

        One row per loop and part of a step: `load`, the wait; `load_rest`, the wait without the first batch of each
        pass, which is the one to judge by; `compute`, the work on a batch; `step`, both; `interval`, from batch to
        batch as a clock at the top of the loop sees it. Parts that are not known have no row.

        `unsteadiness` is the 95th percentile over the median; above 2 the loader delivers in bursts or its storage
        does. Outliers lasted at least `factor` times the median; `loader.slow_batches` lists them. Percentiles are
        exact, with linear interpolation between the closest values.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median an outlier must last. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `variant`, `part`, with these
            columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `part` (text, name): load, load_rest, compute, step or interval
            - `n` (bigint, count): durations
            - `dur` (bigint, ns): their sum
            - `dur_mean` (double, ns): mean
            - `dur_std` (double, ns): standard deviation of the sample; null for one
            - `variation` (double, ratio): `dur_std` over `dur_mean`
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
        was waiting: calls that overlap count once. `wait_ratio` puts it against the time from the start of the first
        call to the end of the last one. Percentiles are exact, with linear interpolation between the closest values.

        Left out: waits of an ideal replay. Both `wait` columns are null when the profile kept no times.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, with these columns.

            - `run` (text, id): run the calls belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `n` (bigint, count): calls
            - `wait` (bigint, ns): time in which at least one call was waiting
            - `wait_ratio` (double, ratio): `wait` over the time from the first call to the end of the last one
            - `dur_mean` (double, ns): mean wait of a call
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
        """Which batches kept the training process waiting much longer than usual?

        A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes. One of
        exactly that length counts.

        Left out: waits of an ideal replay.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a wait must last. Default: 2.0.
            start: Only waits that begin from then on, in ns since the Unix epoch; null for all. Default: null.
            end: Only waits that begin before, in ns since the Unix epoch; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `pid`, `epoch`, `batch`, `dur`, with these columns.

            - `run` (text, id): run the call belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker that made the batch
            - `epoch` (bigint, id): epoch
            - `batch` (bigint, id): batch number
            - `ts` (bigint, time): start of the wait; null when no time was kept
            - `dur` (bigint, ns): length of the wait
            - `dur_p50` (double, ns): median of the run
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

        The time from the first to the last call of a run is cut into at most `bins` bins of equal length, the same for
        all ranks; a call belongs to the bin in which it starts. There are never more bins than calls of one rank.

        Left out: empty bins, calls without a time, and with `start` or `end` calls that begin outside of that window,
        which the bins then divide.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.
            start: Begin of the window, in ns since the Unix epoch; null for the first call. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last call. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `ts`, with these columns.

            - `run` (text, id): run the calls belong to
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
        """How much faster would an epoch be if its data were free?

        Of DALI's Loader Evaluator each real pass is held against each ideal one, a replay of kept batches, of the same
        run, or of any run where `across` says so: `speedup` is the real time over the ideal. Both passes must have
        ended and have equally many batches; where they do not, `why` says so, and so it does for a pass without a
        counterpart. A replay repeats a few batches, so that caches and work that depends on the input flatter it; it
        holds no start of workers; and one pass on each side has no error bar.

        Of other loops the ideal is the same steps without their waits (`measure` steps or calls), for a loader that is
        never waited for and costs the steps nothing. That is computed, where a replay is tried.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bottleneck: Speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator). Default:
                1.5.
            potential: Speed-up above which it may be one. Default: 1.1.
            across: Whether passes of different runs are held against each other. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `ideal_run`, `ideal_loader`,
            `ideal_object`, with these columns.

            - `run` (text, id): run of the real side
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): loader of the real side; null when unknown
            - `object` (bigint, id): file of the real side, where it is a loop of its own
            - `ideal_run` (text, id): run of the ideal side; null when there is none
            - `ideal_loader` (text, name): loader of the ideal side
            - `ideal_object` (bigint, id): file of the ideal side
            - `measure` (text, name): replay, steps or calls; null when nothing was kept to compare with
            - `batches` (bigint, count): batches of the real side
            - `ideal_batches` (bigint, count): batches of the ideal side
            - `load_mean` (double, ns): mean wait on the real side, known in any case
            - `real` (bigint, ns): time on the real side; null when unknown
            - `ideal` (bigint, ns): time on the ideal side; null when unknown
            - `speedup` (double, factor): `real` over `ideal`
            - `saved` (bigint, ns): `real` without `ideal`
            - `saved_ratio` (double, ratio): `saved` over `real`
            - `verdict` (text, name): bottleneck, potential or none; null when there is no speed-up
            - `why` (text, text): why there is none; else null

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
        """How does the pace of training change with the settings of its data loader?

        One row per loop, over all runs: how its loader was set up (view `loader_setup`) and how fast its steps went.
        `speedup` is against the baseline, by samples where both batch sizes are known and by batches where not. The
        baseline is the loop of that loader or run, else the one with the fewest workers, and of those the slowest.
        Where formats do not keep the number of workers, a tag does: `ingest(..., tags={"num_workers": 4})`.

        Change one setting at a time, with the same sampler and the same model; `speedup_rest` leaves the first batch of
        each pass out, and with it the start of the workers, which short recordings overstate.

        A filter on `run` chooses what is shown; the baseline is that of all runs. Left out: replays, and loops without
        a time to hold their batches against.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            baseline: Loader or run that others are compared with; null for the one with the fewest workers. Default:
                null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `num_workers` (bigint, count): worker processes; null when unknown
            - `batch_size` (bigint, count): items in a batch; null when unknown
            - `prefetch_factor` (bigint, count): batches each worker prepares ahead; null when unknown
            - `persistent_workers` (boolean, flag): whether workers outlive an epoch; null when unknown
            - `pin_memory` (boolean, flag): whether batches go to pinned memory; null when unknown
            - `batches` (bigint, count): batches that are timed
            - `batches_per_s` (double, per_s): batches over the time of the steps
            - `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            - `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            - `is_baseline` (boolean, flag): whether others are compared with this loop
            - `speedup` (double, factor): its rate over that of the baseline; null without one
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
        """What share of the training loop was waiting for data, and is that a bottleneck?

        One row per loop, or per pass of it (`by`), all batches and without the first batch of each pass: with worker
        processes the first one holds their start, and alone can lift a short recording over the limit. The verdict
        rests on the share without them where there is one.

        `measure` says what the waits are held against. `steps`: the sum of load and compute that a loop kept. `calls`:
        the time from call to call. `pass`: the whole pass that DALI's Loader Evaluator timed; workers that start in it
        make the share too small. `report`: the time of the training epochs in a report of Lightning's SimpleProfiler,
        with validation in them, and nothing of the first batch. These are different measures, to be compared with
        themselves only; `step.loader_share` is another one, of waits that nothing else hid.

        Left out: replays of kept batches, where loading is none; they belong to `loader.real_vs_ideal`. Lightning's
        reports when `by` is epoch.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            by: What a row is: loader (passes together) or epoch. Default: 'loader'.
            bottleneck: Share above which loading is the bottleneck (PyTorch's tutorial). Default: 0.3.
            high: Share above which it is high (XProf). Default: 0.2.
            notable: Share above which it is notable (XProf, TensorBoard plugin). Default: 0.05.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `measure`, `pass`, with these
            columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `pass` (bigint, id): pass of the loop, from 0; null unless `by` is epoch
            - `epoch` (bigint, id): epoch as recorded; null when unknown, or unless `by` is epoch
            - `measure` (text, name): steps, calls, pass or report; null when nothing was kept to hold the waits against
            - `batches` (bigint, count): batches
            - `load` (bigint, ns): time waited for them; null when `total` is
            - `total` (bigint, ns): time that it is a part of
            - `load_ratio` (double, ratio): `load` over `total`
            - `load_ratio_rest` (double, ratio): the same without the first batch of each pass; null when unknown
            - `band` (text, name): ok, notable, high or bottleneck, by `load_ratio`
            - `band_rest` (text, name): the same by `load_ratio_rest`
            - `is_bottleneck` (boolean, flag): whether `load_ratio_rest`, or `load_ratio` where there is none, lies
              above `bottleneck`
            - `disagree` (boolean, flag): whether all batches and the rest lie on different sides of `bottleneck`; null
              when one is unknown
            - `why` (text, text): why there is no share; else null

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
        """Which batches were waited for, or worked on, much longer than others?

        A batch is listed when its part of the step lasted at least `factor` times the median of that part in its loop;
        one of exactly that length counts. First batches of a pass are left out of both unless `part` says otherwise.
        `loader.next_outliers` holds calls with a time against the median of their whole run.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median of its loop the part must last. Default: 2.0.
            part: Load_rest (waits without the first of each pass), load, compute, step or interval. Default:
                'load_rest'.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `place`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `pass` (bigint, id): pass of the loop, from 0
            - `epoch` (bigint, id): epoch as recorded; null when unknown
            - `place` (bigint, id): place of the batch in its loop, from 0
            - `batch` (bigint, id): batch number as recorded; null when unknown
            - `ts` (bigint, time): start of the wait; null when no time was kept
            - `dur` (bigint, ns): duration of the part
            - `dur_p50` (double, ns): median of the loop
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.slow_batches().columns[0]
            'run'
        """
        return self._session.query("loader.slow_batches", run, factor=factor, part=part)

    def throughput(self, run: str | list[str] | None = None) -> Frame:
        """How many batches and samples a second did a training loop get through?

        One row per loop. The rates are over the time of the steps, waits and work together, or over the passes where
        these were timed as a whole, once with all batches and once without the first of each pass. `loads_per_s` is
        what the loader would deliver to a loop that only waits for it: near `batches_per_s` the loader sets the pace.
        Samples need a batch size (view `loader_setup`), and take the last batch of an epoch for a full one.

        `load`, `compute`, `total` and their means are those of `measure_loading_overhead` of PyTorch's tutorial, of
        real steps.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, `variant`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `variant` (text, name): real or ideal, of tools that time a replay; else null
            - `measure` (text, name): steps, calls or pass, as in `loader.share`; null when there is no total
            - `batches` (bigint, count): batches that are timed
            - `load` (bigint, ns): time waited for them
            - `compute` (bigint, ns): `total` without `load`; of measure pass with all else that happened in it
            - `total` (bigint, ns): time of the steps or of the passes
            - `load_mean` (double, ns): mean wait
            - `compute_mean` (double, ns): mean of the rest of a step
            - `batches_per_s` (double, per_s): batches over `total`
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
        """What did the search for the best settings of a data loader try, and how fast was each?

        One row per setting that `tracelake.record.optimize` tried, and one for the replay from memory (`variant`
        ideal): the pace if data were free. A trial is one pass with a setting: `dur` is the time that a batch takes
        over a whole epoch, start-up included. The pace is that of the median trial, from the slowest to the fastest;
        the range of n trials holds the true median in 1 - 2^(1-n) of all cases, of 5 in 94 %.

        The search compares settings by trials of the same round, and takes of those that are as fast the one that takes
        less: the setting that it chose need not be the fastest here. Trials of one process count together, however
        often it searched.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `variant desc`, `num_workers`, `batch_size`, `loader`,
            with these columns.

            - `run` (text, id): run of the search
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id
            - `loader` (text, name): the setting in words, which is the name of its loader; `replay` of the replay
            - `variant` (text, name): real, or ideal for the replay
            - `num_workers` (bigint, count): worker processes
            - `batch_size` (bigint, count): items in a batch; null when unknown
            - `prefetch_factor` (bigint, count): batches each worker prepares ahead; null for the default
            - `persistent_workers` (boolean, flag): whether workers outlive an epoch
            - `pin_memory` (boolean, flag): whether batches go to pinned memory
            - `trials` (bigint, count): trials that gave a time
            - `batches_per_s` (double, per_s): batches per second in the median trial; null if all failed
            - `samples_per_s` (double, per_s): the same in samples; null where a batch does not show how many it has
            - `low_per_s` (double, per_s): the slowest trial, in samples where these are known, else in batches
            - `high_per_s` (double, per_s): the fastest trial, likewise
            - `dur_p50` (double, ns): time of a batch in the median trial
            - `bytes` (bigint, bytes): most resident memory at the end of a trial, of the process and its workers; null
              when unknown
            - `limit_bytes` (bigint, bytes): memory above which a setting was not taken; null for none
            - `is_baseline` (boolean, flag): whether the loader was set up like this
            - `chosen` (boolean, flag): whether the search found it best; the baseline if nothing was surely faster
            - `failed` (text, text): why it was given up; null if it was not

        Example:
            >>> s.loader.trials().columns[0]
            'run'
        """
        return self._session.query("loader.trials", run)

    def utilization(self, run: str | list[str] | None = None, *, target: float = 0.9) -> Frame:
        """How busy does its data loader keep an accelerator, as MLPerf Storage counts?

        One row per loop. Accelerator utilization is computing over computing and waiting for data; MLPerf Storage
        leaves the first step out (`utilization_rest`), asks for 90 % of its image models and for 70 % of CosmoFlow, and
        takes the mean over ranks and epochs. It is 1 less the share of `loader.share`, and says nothing of what the
        accelerator did while it computed: `utilization.gpu_load` has that, from samples.

        A pass that was timed as a whole has none: what is not waiting holds the start of the workers too, and would
        pass for computing.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            target: Utilization that must be reached. Default: 0.9.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `pid`, `loader`, `object`, with these columns.

            - `run` (text, id): run the loop belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null when unknown
            - `loader` (text, name): name of the loader or iterator; null when unknown
            - `object` (bigint, id): file that is a loop of its own; null where calls have times
            - `measure` (text, name): steps, calls or pass, as in `loader.share`; null when nothing was kept to hold the
              waits against
            - `compute` (bigint, ns): time computed; null when unknown
            - `total` (bigint, ns): time computed and waited
            - `utilization` (double, ratio): `compute` over `total`
            - `utilization_rest` (double, ratio): the same without the first batch of each pass
            - `reached` (boolean, flag): whether `utilization_rest` is at least `target`; null when unknown
            - `why` (text, text): why there is no utilization; else null

        Example:
            >>> s.loader.utilization().columns[0]
            'run'
        """
        return self._session.query("loader.utilization", run, target=target)

    def worker_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Which workers of the data loader lived much longer than usual?

        A worker is an outlier when its life lasted at least `factor` times the median of its run, over all processes.
        One of exactly that length counts. The workers of a training loader live longer than those of a short
        evaluation, and then they are the outliers: compare lives of the same loader.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a life must last. Default: 2.0.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `worker`, `pid`, `dur`, with these columns.

            - `run` (text, id): run the worker belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process it worked for; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker number
            - `ts` (bigint, time): start of its life; null when no time was kept
            - `dur` (bigint, ns): length of its life
            - `dur_p50` (double, ns): median of the run
            - `relative` (double, factor): `dur` over `dur_p50`

        Example:
            >>> s.loader.worker_outliers().columns[0]
            'run'
        """
        return self._session.query("loader.worker_outliers", run, factor=factor)

    def workers(self, run: str | list[str] | None = None) -> Frame:
        """When did each worker of the data loader live, and for how long?

        One row per life of a worker: it begins with the start of the worker and ends with its exit. Workers that live
        for one epoch only are started again for the next.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `ts`, `node`, `rank`, `worker`, `pid`, `dur`, with these columns.

            - `run` (text, id): run the worker belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process it worked for; null when unknown
            - `pid` (bigint, id): operating system process id
            - `worker` (bigint, id): worker number
            - `ts` (bigint, time): start of its life; null when no time was kept
            - `dur` (bigint, ns): length of its life

        Example:
            >>> s.loader.workers().columns[0]
            'run'
        """
        return self._session.query("loader.workers", run)

    def workers_compared(self, run: str | list[str] | None = None) -> Frame:
        """Which worker of the loader is slow, and is it the items or the collate call?

        One row per worker of a loader, or for the training process where that reads the items itself. `relative` is the
        median time of an item over the median of those of all workers of the loader: a worker of about 1 is like the
        others.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `worker`, with these columns.

            - `run` (text, id): run the worker belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process that it works for; null when unknown
            - `loader` (text, name): name of the loader
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

        One row per batch as its worker made it, see `worker_batch`. `queue_dur` goes from the end of the making until
        the training process had the batch in hand: long waits in the queue say that the workers are ahead, none that
        the training waits for them. It holds the way between the processes.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `loader`, `worker`, `pid`, `ts`, with these columns.

            - `run` (text, id): run the batch belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process that it was made for; null when unknown
            - `loader` (text, name): name of the loader
            - `worker` (bigint, id): worker number; null in the training process
            - `pid` (bigint, id): process that made it
            - `epoch` (bigint, id): epoch; null where the worker does not know it
            - `batch` (bigint, id): batch number; null where the worker does not know it
            - `ts` (bigint, time): start of its first item
            - `dur` (bigint, ns): until the end of its collate call
            - `items` (bigint, count): items read
            - `item_dur` (bigint, ns): time in items
            - `collate_dur` (bigint, ns): time in the collate call; null if it was never made
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
        """How fast did copies and fills move memory, at every change?

        Two rows per copy or fill: its bandwidth is added at its start and taken away at its end. `name` is the
        direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, ...; `Memcpy Unknown` where it is
        not told) or `Memset`. `bytes_per_s` is the sum over all that run on the device in that direction, from `ts` on.
        The bandwidth of a copy is the one that the profiler wrote (GB of 10^9 bytes), else its bytes over its duration.
        A copy of no duration, shorter than the clock can tell, counts as one microsecond long.

        The series is that of HTA's `get_memory_bw_time_series`, which adds up all devices of a rank and leaves the
        order of what happens at one time open; here ends come before starts.

        Left out: copies of which neither bandwidth nor size is on record.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, `ts`, `change_bytes_per_s`, with
            these columns.

            - `run` (text, id): run the copies belong to
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
        """How fast did copies and fills move memory in the course of a recording?

        The time from the start of the first copy to the end of the last one in a recording is cut into at most `bins`
        bins of equal length, the same for all processes, devices and directions of a run; a change belongs to the bin
        in which it happens. `max_bytes_per_s` is the greatest bandwidth that there was in the bin, `last_bytes_per_s`
        the one at its end and so until the next bin. `copied_bytes` are those of the copies that began in it. There are
        never more bins than changes in one direction. `memory.bandwidth` says what the directions are, and what the
        bandwidth is.

        With `start` or `end` the bins divide that window, as far as it lies within this time; the first one also has
        what held before.

        Left out: bins without a change, in which the bandwidth stays as it was.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.
            start: Begin of the window, in ns since the Unix epoch; null for the first copy. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last copy. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, `ts`, with these columns.

            - `run` (text, id): run the copies belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `name` (text, name): direction of the copies, or Memset
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): copies that began in it
            - `copied_bytes` (bigint, bytes): size of these; null where none is on record
            - `max_bytes_per_s` (double, bytes_per_s): greatest bandwidth in the bin
            - `last_bytes_per_s` (double, bytes_per_s): bandwidth after the last change of the bin

        Example:
            >>> s.memory.bandwidth_over_time().columns[0]
            'run'
        """
        return self._session.query("memory.bandwidth_over_time", run, bins=bins, start=start, end=end)

    def bandwidth_summary(self, run: str | list[str] | None = None) -> Frame:
        """How fast did copies and fills move memory as a rule?

        One row per recording of a process, device and direction. `mean_bytes_per_s` is the mean over the time in which
        a copy of that direction ran (`busy`). The columns `point_*` are over the values of the bandwidth after each
        change, `n` of them, as far as they are above 0, whatever time lies between: those of HTA's
        `get_memory_bw_summary`, whose mean is `point_mean_bytes_per_s`. `memory.bandwidth` says what the directions
        are, and what the bandwidth is.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `name`, with these columns.

            - `run` (text, id): run the copies belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `name` (text, name): direction of the copies, or Memset
            - `copies` (bigint, count): copies or fills
            - `copied_bytes` (bigint, bytes): their size; null where none is on record
            - `busy` (bigint, ns): time in which at least one ran
            - `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in that time
            - `n` (bigint, count): values of the bandwidth above 0
            - `point_mean_bytes_per_s` (double, bytes_per_s): mean of these
            - `point_std_bytes_per_s` (double, bytes_per_s): standard deviation of these; null for a single one
            - `min_bytes_per_s` (double, bytes_per_s): least of these
            - `p25_bytes_per_s` (double, bytes_per_s): 25th percentile
            - `p50_bytes_per_s` (double, bytes_per_s): median
            - `p75_bytes_per_s` (double, bytes_per_s): 75th percentile
            - `max_bytes_per_s` (double, bytes_per_s): greatest

        Example:
            >>> s.memory.bandwidth_summary().columns[0]
            'run'
        """
        return self._session.query("memory.bandwidth_summary", run)

    def by_operator(self, run: str | list[str] | None = None) -> Frame:
        """Which operators allocated memory on which device, and how much?

        One row per process, device and operator inside which memory was allocated or freed. An event of the allocator
        belongs to the innermost operator that encloses it on its thread (the `self_` columns), and with it to all
        operators around that one; it counts once for an operator that is inside another call of the same name.
        `increase_bytes` is what was allocated less what was freed, whoever allocated it; `alloc_bytes` leaves out what
        was freed. Recordings of a process are taken together.

        The table is the memory view of the TensorBoard plugin. Left out: events outside of all operators.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `self_increase_bytes desc`, `operator`, with these
            columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `device` (text, name): device whose memory it is (cpu, gpu0)
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
        """How did the memory in use change in the course of a run?

        The time from the first to the last event of an allocator in a recording is cut into at most `bins` bins of
        equal length, the same for all processes and devices of a run; an event belongs to the bin in which it lies.
        `min_bytes` and `max_bytes` are the least and the greatest number of bytes in use after an event of the bin, so
        that no peak is lost, `reserved_bytes` the most that the allocator held. They and `last_bytes` are null in
        recordings that keep only the size of each event (torch before 1.10). `increase_bytes` is what was allocated
        less what was freed since the first event of the recording, at the end of the bin. There are never more bins
        than events of one device.

        With `start` or `end` the bins divide that window, as far as it lies within this time; the first one also has
        what held before.

        Left out: bins without events, in which nothing changed.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins. Default: 200.
            start: Begin of the window, in ns since the Unix epoch; null for the first event. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last event. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `ts`, with these columns.

            - `run` (text, id): run the events belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device whose memory it is (cpu, gpu0)
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): events in it
            - `min_bytes` (bigint, bytes): least bytes in use
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
        """How much memory did each device need at most, and when?

        One row per recording of a process and device whose allocator was watched. `peak_bytes` is the greatest number
        of bytes in use after an event of the allocator, `ts` the first time it was reached, `reserved_bytes` the most
        that the allocator held. The three are null in recordings that keep only the size of each event (torch before
        1.10). There `increase_bytes`, the greatest increase since the first event, is what can be told: how much was in
        use before it is unknown.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, with these columns.

            - `run` (text, id): run the device belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device whose memory it is (cpu, gpu0)
            - `n` (bigint, count): events of the allocator
            - `ts` (bigint, time): when the peak was reached first
            - `peak_bytes` (bigint, bytes): most bytes in use
            - `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            - `increase_bytes` (bigint, bytes): greatest increase of the bytes in use since the first event
            - `device_bytes` (bigint, bytes): memory of the device
            - `peak_ratio` (double, ratio): `peak_bytes` over `device_bytes`

        Example:
            >>> s.memory.peak().columns[0]
            'run'
        """
        return self._session.query("memory.peak", run)

    def transfers(self, run: str | list[str] | None = None, *, sizes: bool = False) -> Frame:
        """How much memory was copied and filled, in which direction, in pieces of which size, and how fast?

        One row per device and kind of a process rank, with `sizes` per class of size as well. A kind is a direction
        (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy Unknown` where it
        is not told), `Memset`, or a migration of unified memory, which no call asked for (`Memcpy HtoD (Unified)`).
        With that exception kinds are the directions of `memory.bandwidth`. The class of a size is the least power of 4
        that holds it: 1048576 is that of copies of more than 256 KiB and up to 1 MiB.

        `dur_sum` adds up durations, so that copies which ran side by side count more than once; `busy` is the time in
        which at least one ran. `mean_bytes_per_s` is `bytes` over the time in which copies ran whose size is known:
        what many small copies lose is seen by `sizes`. Counts, bytes and `dur_sum` of classes add up to those of the
        kind, `busy` may not. Recordings of a process are taken together.

        The numbers are those of the reports `cuda_gpu_mem_time_sum` and `cuda_gpu_mem_size_sum` of `nsys stats`.
        Whether the memory of the host was pinned is in the names of copies, which `kernel.summary` has.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            sizes: Whether each class of size is a row of its own. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `kind`, `size_bytes`, with these columns.

            - `run` (text, id): run the copies belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `device` (text, name): device (gpu0)
            - `kind` (text, name): direction of the copies, or Memset
            - `size_bytes` (bigint, bytes): greatest size of the class; null for all sizes together, and for unknown
              ones
            - `n` (bigint, count): copies or fills
            - `bytes` (bigint, bytes): sum of their sizes; null where none is on record
            - `mean_bytes` (double, bytes): mean size
            - `min_bytes` (bigint, bytes): least size
            - `p50_bytes` (double, bytes): median size
            - `max_bytes` (bigint, bytes): greatest size
            - `dur_sum` (bigint, ns): sum of the durations
            - `busy` (bigint, ns): time in which at least one ran
            - `dur_mean` (double, ns): mean duration
            - `dur_min` (bigint, ns): shortest
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest
            - `mean_bytes_per_s` (double, bytes_per_s): bytes over the time in which at least one ran

        Example:
            >>> s.memory.transfers().columns[0]
            'run'
        """
        return self._session.query("memory.transfers", run, sizes=sizes)


class Operator(Family):
    """Queries of the family `operator`, as `s.operator`."""

    __slots__ = ()

    def by_shape(self, run: str | list[str] | None = None) -> Frame:
        """Which operators took how much time for which shapes of their inputs?

        One row per operator name, shapes of the inputs and process rank; the columns are those of `operator.summary`.
        The shapes are as the profiler wrote them, one list per input; they are null when it did not
        (`record_shapes=True` makes it).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, `shapes`, with these columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `shapes` (text, json): shapes of the inputs; null when not recorded
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which nothing ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work that it launched itself
            - `dur_mean` (double, ns): mean duration of a call
            - `dur_p50` (double, ns): median
            - `dur_max` (bigint, ns): longest

        Example:
            >>> s.operator.by_shape().columns[0]
            'run'
        """
        return self._session.query("operator.by_shape", run)

    def by_stack(self, run: str | list[str] | None = None) -> Frame:
        """From which places in the code were operators called, and how much time did they take there?

        One row per operator name, Python stack and process rank; the other columns are those of `operator.summary`. The
        stack is the one that the profiler wrote on the operator (until PyTorch 1.12), else the Python functions and
        modules that enclose it on its thread, innermost first, with `;` between. It is null where none was recorded
        (`with_stack=True` makes it), as on the thread that a device's backward pass has for itself.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, `stack`, with these columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `stack` (text, text): Python functions around it, innermost first; null when not recorded
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which nothing ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work that it launched itself

        Example:
            >>> s.operator.by_stack().columns[0]
            'run'
        """
        return self._session.query("operator.by_stack", run)

    def call_tree(self, run: str | list[str] | None = None, *, python: bool = False) -> Frame:
        """Which calls led to which, and where in that tree did the time of host and device go?

        One row per chain of names on a process rank: all calls that the same calls enclose are one node, whatever their
        thread and step. Nodes are operators, annotations, collectives and calls of a data loader, with `python` also
        Python functions and modules. A call is inside the last one of its thread that began no later, ends no earlier
        and still runs. `id` stands for the chain of names: the same chain has the same `id` in every run.

        `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the calls
        launched themselves, `device_total` that of everything inside as well; what ran side by side on a device counts
        for each. Over the children of a node, `host_total` adds up to no more than that of the node, unless they
        overlap in part.

        Left out: step marks, which would cut the tree into steps.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            python: Whether Python functions and modules are nodes. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `depth`, `name`, `id`, with these columns.

            - `run` (text, id): run the calls belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `id` (bigint, id): stands for the names from the outermost call to this one
            - `parent` (bigint, id): `id` of the enclosing node; null for the outermost
            - `depth` (bigint, count): enclosing nodes
            - `category` (text, name): operator, annotation, communication, loader, python or module
            - `name` (text, name): name of the call
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which nothing ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work that it launched itself

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
        """What did operators and other calls of the host take compared with another run, recording, rank or step?

        One row per name, with counts and summed durations on both sides and their differences: operators, annotations,
        collectives, calls of a data loader and calls into a device's runtime or driver; with `python` Python functions
        and modules too. The run that is asked for is one side, `base` the other: `operator_diff('before') where run =
        'after'`. Without `base` a run is compared with itself: `operator_diff(base_span => 0, span => 1)` holds its
        second recording against its first, `base_step` and `step`, `base_rank` and `rank` do the same for steps and
        ranks. What is not said about the base holds for it as for the other side, so that `operator_diff('before', rank
        => 0, step => 7)` compares step 7 of rank 0 in both runs. What is not said at all is not looked at: ranks,
        recordings and steps are added up. Where nothing is said, nothing differs.

        `change` goes by the counts: added and deleted names are on one side only. Durations are those of the calls,
        with all that ran inside. `steps` and `base_steps` say how many steps of how many ranks were added up, where
        that differs. Counts, durations and categories are those of HTA's TraceDiff for the host, which compares one
        step of one rank, and has the mark of the step too.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            base: Run to compare with; null for the run itself. Default: null.
            rank: Only this rank; null for all. Default: null.
            span: Only this recording; null for all. Default: null.
            step: Only this step; null for all. Default: null.
            base_rank: The same of the base; null for that of `rank`. Default: null.
            base_span: The same of the base; null for that of `span`. Default: null.
            base_step: The same of the base; null for that of `step`. Default: null.
            python: Whether Python functions and modules are compared. Default: false.

        Returns:
            One frame, ordered by `run`, `dur_diff desc`, `category`, `name`, with these columns.

            - `run` (text, id): run that is compared
            - `base` (text, id): run that it is compared with
            - `category` (text, name): operator, annotation, communication, loader, runtime, driver, python or module
            - `name` (text, name): name of the call
            - `change` (text, name): added, deleted, increased, decreased or unchanged, by the counts
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
        """How many floating point operations did the operators do, and how fast?

        One row per operator name and process rank. The numbers are the profiler's own estimates, which it makes from
        the shapes of the inputs for a few operators (convolutions, products of matrices, sums, products) with
        `with_flops=True`. The rate is taken over the device work that the operators launched, or, where they launched
        none, over their time on the host.

        Left out: operators without an estimate. The answer is empty where the profile has none.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, with these columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `n` (bigint, count): calls with an estimate
            - `flops` (double, count): floating point operations
            - `host_total` (bigint, ns): time in these calls, thread by thread
            - `device_total` (bigint, ns): device work launched in them
            - `flops_per_s` (double, per_s): `flops` over `device_total`, or over `host_total` where that is 0

        Example:
            >>> s.operator.flops().columns[0]
            'run'
        """
        return self._session.query("operator.flops", run)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """Which operators took how much time, on the host and on the device?

        One row per operator name and process rank. `host_total` is the time in calls of that name, thread by thread;
        recursion counts once. `host_self` leaves out what ran inside: other operators, annotations, calls into the
        runtime. `device_self` is the device work that its own calls launched, `device_total` that of everything inside
        as well; what ran side by side on a device counts for each. A launch belongs to the innermost call around it on
        its thread (view `host_frame`), so that traces without `External id` have these numbers too.

        The definitions are those of the operator table of the TensorBoard plugin of PyTorch, which leaves out operators
        that overlap another one in part and takes an operator whose only child has its own name for one with it.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `name`, with these columns.

            - `run` (text, id): run the operators belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `name` (text, name): name of the operator
            - `n` (bigint, count): calls
            - `host_total` (bigint, ns): time in calls, thread by thread
            - `host_self` (bigint, ns): the part of it in which nothing ran inside
            - `device_total` (bigint, ns): device work launched in it
            - `device_self` (bigint, ns): device work that it launched itself
            - `dur_mean` (double, ns): mean duration of a call
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
        on the host (gloo). Each collective is compared with itself on the other ranks (view `collective`): what the
        shortest of them took is the transfer, the rest is waiting for the rank that arrived last. Times are unions over
        the streams: what ran side by side counts once.

        `overlap` is the part of `communication` in which the rank computed too: computing kernels for a kernel,
        operators and annotations of the host for a collective on the host. `late_mean` and the skew compare the starts
        on several ranks, which needs clocks that agree; `transfer` and `synchronization` do not.

        Transfer and waiting are those of the TensorBoard plugin's distributed view, which compares nothing unless all
        ranks have as many collectives as the others. Here only a step, or a name, that differs has none (`matched` is
        less than `n`).

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `communication desc`, `name`, `category`, with these
            columns.

            - `run` (text, id): run the recording belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `category` (text, name): kernel, or communication for collectives that ran on the host
            - `name` (text, name): name of the kernel, or of the mark on the host
            - `n` (bigint, count): how often it ran
            - `matched` (bigint, count): those that were found on another rank too
            - `communication` (bigint, ns): time in which at least one ran
            - `transfer` (bigint, ns): time in which one transferred; null without `matched`
            - `synchronization` (bigint, ns): the rest of the time of those that were matched; null without `matched`
            - `synchronization_ratio` (double, ratio): `synchronization` over both
            - `overlap` (bigint, ns): time in which one ran and the rank computed
            - `overlap_ratio` (double, ratio): `overlap` over `communication`
            - `late_mean` (double, ns): mean time from the first rank's start to this one's
            - `skew_p50` (double, ns): median time from the first rank's start to the last one's
            - `skew_max` (bigint, ns): longest time of that
            - `last` (bigint, count): collectives to which this rank came last

        Example:
            >>> s.rank.communication().columns[0]
            'run'
        """
        return self._session.query("rank.communication", run)

    def imbalance(self, run: str | list[str] | None = None, *, extended: bool = False) -> Frame:
        """How unevenly is the work of a step spread over the ranks?

        One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`, which
        divide every moment of it. Each rank counts with the mean over its steps, all recordings together. `imbalance`
        is the greatest of these means over their mean: 1 is even, and 1.5 says that the busiest rank has half as much
        again as the average, which all others may have to wait for. Ranks that wait for a straggler have more
        `communication`, and the straggler has more of what it was late with.

        Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.

        Left out: steps that a recording cut short; processes without a rank.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `spread desc`, `part`, with these columns.

            - `run` (text, id): run the ranks belong to
            - `part` (text, name): step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
            - `ranks` (bigint, count): ranks
            - `mean` (double, ns): mean over the ranks of each one's mean per step
            - `std` (double, ns): standard deviation over the ranks
            - `least` (double, ns): least of these means
            - `least_rank` (bigint, id): rank that has it; of several the lowest
            - `most` (double, ns): greatest of these means
            - `most_rank` (bigint, id): rank that has it; of several the lowest
            - `imbalance` (double, factor): `most` over `mean`; null where no rank has any
            - `spread` (double, ns): `most` less `least`

        Example:
            >>> s.rank.imbalance().columns[0]
            'run'
        """
        return self._session.query("rank.imbalance", run, extended=extended)

    def stragglers(self, run: str | list[str] | None = None) -> Frame:
        """Which ranks do the others wait for, and how long?

        One row per rank that took part in a collective which another rank recorded too (view `collective`). To each
        such collective one rank comes last, and the others wait for it: `held_up` adds up what they waited, over all of
        them, `delay` how much sooner the collective had begun to transfer if this rank had come with the last but one.
        A straggler has a large `held_up_ratio` and waits little itself. `rank.imbalance` says what it was doing
        meanwhile, `step.breakdown` when.

        The rank that comes last is the one with the shortest duration, since all end together: unlike the latest start,
        that needs no clocks that agree. HTA's `get_potential_stragglers` goes by the start of one kernel on one stream
        in each step, names the candidates only, and knows no kernels of NCCL 2.19 and later.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `held_up desc`, `node`, `rank`, with these columns.

            - `run` (text, id): run the rank belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process
            - `collectives` (bigint, count): collectives that were found on another rank too
            - `last` (bigint, count): those to which this rank came last
            - `last_ratio` (double, ratio): `last` over `collectives`
            - `held_up` (bigint, ns): time that other ranks waited for this one, added up over them
            - `held_up_ratio` (double, ratio): `held_up` over that of all ranks of the run
            - `delay` (bigint, ns): time by which this rank alone held the collectives up
            - `delay_max` (bigint, ns): longest delay of a single collective
            - `waited` (bigint, ns): time that this rank waited for others
            - `late_mean` (double, ns): mean time from the first rank's start to this one's, by the clocks of the
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
        """Would the hardware have room for larger batches?

        smdebug's rule BatchSize, over the whole run. One row per GPU. It is judged at the end of every minute (view
        `system_recent`), the last one included, once there are more than `patience` and more than `window` values: the
        minute is a violation when the 95th percentiles of the last `window` values of the cores (their mean), of the
        GPU and of its memory all are below their limits. One violation triggers the rule.

        smdebug judges at the end of each of its windows of a minute, which share their borders, and never sees the last
        minute. The whiskers of its box plot of memory use a quartile of the GPU's utilization; here they are those of
        memory.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            cpu_threshold_p95: Percent below which the cores have room; null for the published one. Default: null.
            gpu_threshold_p95: Percent below which a GPU has room; null for the published one. Default: null.
            gpu_memory_threshold_p95: Percent below which its memory has room; null for the published one. Default:
                null.
            patience: Values that there must be more than; null for the published one, at least 0. Default: null.
            window: Values looked back at; all sources say 500, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): minutes at whose end there was room
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
        """Do the rules say today what they said while the job ran?

        One row per report of a rule that the job left (`rules.reported`), with what `rules.report` says about the run.
        The run is judged by the limits that its reports name, unless `defaults` says otherwise; a rule looks back at
        500 values (`window` of LowGPUUtilization and of BatchSize) whatever the report says. `why` has the first reason
        for other numbers: limits that differ, other datapoints, or that the two count differently.

        smdebug judges a job minute by minute, counts what lies on a border twice, and leaves out the last minute: its
        datapoints differ as a rule.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold here: reported (those of the report, else history), history (the code),
                rulesconfig or docs (both AWS). Default: 'reported'.

        Returns:
            One frame, ordered by `run`, `rule`, `object`, with these columns.

            - `run` (text, id): run
            - `rule` (text, name): name of the rule
            - `reported_triggered` (boolean, flag): whether it was triggered
            - `triggered` (boolean, flag): whether it is triggered here; null when that cannot be known
            - `agrees` (boolean, flag): whether the two verdicts are the same; null without one of them
            - `reported_violations` (bigint, count): violations as reported
            - `violations` (bigint, count): violations here
            - `reported_datapoints` (bigint, count): what was judged
            - `datapoints` (bigint, count): what is judged here
            - `reported_parameters` (text, json): limits of the report
            - `parameters` (text, json): limits here
            - `why` (text, text): why the numbers differ; null where all three are the same
            - `object` (bigint, id): file of the report, see table object

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
        `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its busiest core above
        `cpu_threshold`. The rule is triggered by more than `threshold` percent of violations among more than `patience`
        snapshots. `utilization.cpu_bottleneck` lists such snapshots.

        smdebug sees a snapshot on the border of two of its windows twice, and none of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            threshold: Percent of violations above which the rule is triggered; null for the published one. Default:
                null.
            gpu_threshold: Percent below which a GPU is idle; null for the published one. Default: null.
            cpu_threshold: Percent above which a core is busy; null for the published one. Default: null.
            patience: Snapshots that there must be more than; null for the published one, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): snapshots with an idle GPU beside a busy core
            - `datapoints` (bigint, count): snapshots, those of all machines
            - `low_gpu` (bigint, count): snapshots with an idle GPU
            - `percent` (double, percent): violations among the snapshots
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
        """Were there too few or too many workers of the data loader for the cores?

        smdebug's rule Dataloader, over the whole run. One row per machine: in each second in which a worker lived (view
        `worker_second`) the worker processes are counted. The rule is triggered when the median of these counts is
        below `min_threshold` or above `max_threshold` percent of the cores, over more than `patience` seconds.
        Violations are the seconds that are themselves beyond one of these limits.

        smdebug counts the processes of the events that start in a second, the training processes among them, so that a
        worker counts in the first second of its life only; it judges each window by itself, and its dataloading time
        mixes lives of workers with waits.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS; docs has
                none, and takes those of rulesconfig) or reported (those of the run's own report, else history).
                Default: 'history'.
            min_threshold: Percent of the cores below which there are too few workers; null for the published one.
                Default: null.
            max_threshold: Percent of the cores above which there are too many; null for the published one. Default:
                null.
            patience: Seconds that there must be more than; null for the published one, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `triggered` (boolean, flag): whether the rule is triggered; null where no core was sampled
            - `violations` (bigint, count): seconds with too few or too many workers; null where no core was sampled
            - `datapoints` (bigint, count): seconds in which a worker lived
            - `workers` (double, count): median of the worker processes in them
            - `workers_max` (bigint, count): most of them in a second
            - `cores` (bigint, count): cores of the machine; null when none was sampled
            - `num_workers` (bigint, count): greatest number of workers that a loader was made with
            - `pin_memory` (boolean, flag): whether a loader hands its batches on in pinned memory
            - `prefetch_factor` (bigint, count): batches that each worker prepares ahead, at most
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
        the last `window` values is more than `increase` above that of the `window` - 1 values that begin one value
        earlier, once there are more than `patience` values and more than `window` + 1. One violation triggers the rule.

        smdebug sees a value on the border of two of its windows twice, and none of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            increase: Percentage points that the mean must grow by more than; null for the published one. Default: null.
            patience: Values that there must be more than; null for the published one, at least 0. Default: null.
            window: Values of a mean; null for the published one, at least 2. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): values at which the mean had grown by more than `increase`
            - `datapoints` (bigint, count): values of the memory of the GPU
            - `increase` (double, percent): growth at the last violation, in percentage points
            - `last_ts` (bigint, time): last violation
            - `p5` (double, percent): 5th percentile of all values
            - `p25` (double, percent): lower quartile
            - `p50` (double, percent): median
            - `p75` (double, percent): upper quartile
            - `p95` (double, percent): 95th percentile
            - `max` (double, percent): greatest value
            - `lower` (double, percent): lower whisker of the box plot
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
        `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its core that waits most
        above `io_threshold`. The rule is triggered by more than `threshold` percent of violations among more than
        `patience` snapshots. `utilization.io_bottleneck` lists such snapshots.

        smdebug sees a snapshot on the border of two of its windows twice, and none of the last minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            threshold: Percent of violations above which the rule is triggered; null for the published one. Default:
                null.
            gpu_threshold: Percent below which a GPU is idle; null for the published one. Default: null.
            io_threshold: Percent above which a core waits; null for the published one. Default: null.
            patience: Snapshots that there must be more than; null for the published one, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): snapshots with an idle GPU beside a core that waits
            - `datapoints` (bigint, count): snapshots, those of all machines
            - `low_gpu` (bigint, count): snapshots with an idle GPU
            - `percent` (double, percent): violations among the snapshots
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

        smdebug's rule LoadBalancing, over the whole run. One row per pair of GPUs (view `gpu_pair`), on whatever
        machines. A pair is a violation, and triggers the rule, when the Jensen-Shannon distance of the histograms of
        their utilization is above `threshold` and both have more than `patience` values. `utilization.gpu_balance` has
        the same distances.

        smdebug compares no two GPUs, for an error in a loop, so that its rule is never triggered, and its histograms
        end at 98 percent.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            threshold: Distance above which the loads differ; null for the published one. Default: null.
            patience: Values that each must have more than; null for the published one, at least 0. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `device`, `other_node`, `other_device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine of the first GPU
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
        """Was a GPU underused, or did its use fluctuate?

        smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. It is judged at the end of every minute
        (view `system_recent`), the last one included, once it has more than `patience` values. The minute is a
        violation when the 95th percentile of the last `window` values is below `threshold_p95` (underused), or that is
        above and the 5th percentile below `threshold_p5` (fluctuating). One violation triggers the rule.

        smdebug judges at the end of each of its windows of a minute, which share their borders, and never sees the last
        minute.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            threshold_p95: Percent below which the 95th percentile means that a GPU is underused; null for the published
                one. Default: null.
            threshold_p5: Percent below which the 5th percentile means that its use fluctuates; null for the published
                one. Default: null.
            patience: Values that there must be more than; null for the published one, at least 0. Default: null.
            window: Values looked back at; all sources say 500, at least 1. Default: 500.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): minutes at whose end the GPU was underused or fluctuated
            - `datapoints` (bigint, count): values of the GPU
            - `underused` (bigint, count): minutes at whose end it was underused
            - `fluctuating` (bigint, count): minutes at whose end it fluctuated
            - `last_ts` (bigint, time): start of the last such minute
            - `recent_p5` (double, percent): 5th percentile of the last `window` values of the run
            - `recent_p95` (double, percent): 95th percentile of the same
            - `p25` (double, percent): lower quartile of all values
            - `p50` (double, percent): median
            - `p75` (double, percent): upper quartile
            - `p95` (double, percent): 95th percentile
            - `max` (double, percent): greatest value
            - `lower` (double, percent): lower whisker of the box plot
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

        smdebug's rule MaxInitializationTime, over the whole run. One row per run: it is a violation, and triggers the
        rule, when more than `threshold` minutes lie between the first recorded time and the first step of any mode.

        smdebug counts from its first window, and once for every minute without a step. A run without steps is null
        here: nobody knows when its training began; smdebug takes it for one that never began.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            threshold: Minutes that the first step may take to come; null for the published one. Default: null.

        Returns:
            One frame, ordered by `run`, with these columns.

            - `run` (text, id): run
            - `triggered` (boolean, flag): whether the rule is triggered; null without steps
            - `violations` (bigint, count): 1 where the first step came late, else 0; null without steps
            - `datapoints` (bigint, count): steps, each once over all ranks
            - `started` (bigint, time): first recorded time
            - `first_ts` (bigint, time): start of the first step
            - `last_ts` (bigint, time): start of the last step
            - `ended` (bigint, time): last recorded time
            - `dur` (bigint, ns): from the first recorded time to the first step
            - `parameters` (text, json): limits that were used

        Example:
            >>> s.rules.max_initialization_time().columns[0]
            'run'
        """
        return self._session.query("rules.max_initialization_time", run, defaults=defaults, threshold=threshold)

    def overall_framework_metrics(self, run: str | list[str] | None = None) -> Frame:
        """What did the framework spend its time with?

        smdebug's rule OverallFrameworkMetrics, over the whole run. One row per part and name, with the share of the
        names of a part: `ratio` has host against devices, `cpu` each operator, `gpu` each kernel and copy, `phase` the
        steps of each mode and the gaps between the steps (`others`), `forward_backward` the modules in forward and in
        backward passes, `general` everything else by its track. What runs side by side in one process counts once;
        processes add up. It is never triggered.

        smdebug adds up durations, leaves out operators below 2 percent, and takes its `others` off the gaps a second
        time.

        Left out: events without a time, and those that last more than a week.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `part`, `name`, with these columns.

            - `run` (text, id): run
            - `part` (text, name): ratio, cpu, gpu, phase, forward_backward or general
            - `name` (text, name): host or device, operator, mode, pass or track
            - `triggered` (boolean, flag): always false
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
        mean over cores or GPUs in one snapshot, main memory, disks, and the bytes sent and received together. It is
        never triggered. smdebug's Network is `traffic_algorithm`, its I/O `iowait` of the cores; it never sees the last
        minute, rounds, and takes negative values for 0.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
            - `unit` (text, name): unit of the values, as recorded
            - `triggered` (boolean, flag): always false
            - `violations` (bigint, count): always 0
            - `datapoints` (bigint, count): snapshots with this quantity
            - `min` (double, mixed): least value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): greatest value
            - `p25` (double, mixed): lower quartile
            - `p75` (double, mixed): upper quartile
            - `lower` (double, mixed): lower whisker of the box plot
            - `upper` (double, mixed): upper whisker

        Example:
            >>> s.rules.overall_system_usage().columns[0]
            'run'
        """
        return self._session.query("rules.overall_system_usage", run)

    def report(self, run: str | list[str] | None = None, *, defaults: str = "history") -> Frame:
        """Which rules does a run break?

        smdebug's ProfilerReport. One row per run and rule with something to judge, over the rows of the queries
        `rules.*`: a rule is triggered if it is so for any machine, GPU, pair or process of the run, and violations and
        datapoints add up. A rule without data has no row.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold: history (the code), rulesconfig, docs (both AWS) or reported (those of the
                run's own report, else history). Default: 'history'.

        Returns:
            One frame, ordered by `run`, `rule`, with these columns.

            - `run` (text, id): run
            - `rule` (text, name): name of the rule in smdebug
            - `triggered` (boolean, flag): whether it is triggered; null when that cannot be known
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
        """What did the rules say while the job ran?

        One row per report of a rule that the job left (`rule-output/` of SageMaker Debugger), as it stands there.
        `rules.compared` has what the rules say today beside it.

        smdebug counts a rule as triggered once for each window in which its condition held.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `rule`, `object`, with these columns.

            - `run` (text, id): run
            - `rule` (text, name): name of the rule
            - `triggered` (boolean, flag): whether it was triggered
            - `times` (bigint, count): how often it was triggered
            - `violations` (bigint, count): what it counted as violations
            - `datapoints` (bigint, count): what was judged
            - `parameters` (text, json): limits that were used
            - `details` (text, json): what else it reported
            - `object` (bigint, id): file of the report, see table object

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
        more than `stddev` standard deviations (of the population) above the mean; more than `n_outliers` of them are
        violations and trigger the rule, where there are more than `patience` steps. Each step counts once.
        `step.outliers` asks the same with the median, of spans over all ranks.

        smdebug counts the outliers of earlier windows again in each window, and steps on the border of two windows
        twice; it keeps only the last mode of a process, whatever its `mode` says.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            defaults: Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or
                reported (those of the run's own report, else history). Default: 'history'.
            stddev: Standard deviations above the mean from which a step is an outlier; null for the published one.
                Default: null.
            n_outliers: Outliers that there must be more than; null for the published one, at least 0. Default: null.
            mode: Only steps of this mode (train, eval, predict or global); null for each mode. Default: null.
            patience: Steps that there must be more than; fixed in smdebug, at least 0. Default: 100.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `mode`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `triggered` (boolean, flag): whether the rule is triggered
            - `violations` (bigint, count): outliers, if they are more than `n_outliers`
            - `datapoints` (bigint, count): steps
            - `outliers` (bigint, count): outliers, however few
            - `dur_limit` (double, ns): duration above which a step is an outlier
            - `dur_mean` (double, ns): mean duration
            - `dur_stddev` (double, ns): its standard deviation, that of a population
            - `dur_min` (bigint, ns): shortest step
            - `dur_p50` (double, ns): median
            - `dur_p95` (double, ns): 95th percentile
            - `dur_p99` (double, ns): 99th percentile
            - `dur_max` (bigint, ns): longest step
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
        """Which calls into the operating system took how much time?

        One row per name of a call and process rank: `poll`, `read`, `pthread_cond_wait`, as Nsight Systems records them
        with `--trace=osrt`. Most of them wait: what a call waited for is not on record, and a long one of a thread that
        has nothing to do is no loss. `dur_sum` adds up durations, so that calls of several threads count more than
        once, and a call inside of another one counts in both; `busy` is the time in which at least one of that name
        ran. Percentiles are exact, with linear interpolation between the closest values. Recordings of a process are
        taken together.

        Calls that are shorter than a threshold are not recorded, so that `n` and the percentiles are those of the
        longer ones: table `run_attribute` has it under a key that begins with `nsys.` and ends with
        `DURATION_THRESHOLD_NS`, where the export tells.

        The numbers are those of the report `osrt_sum` of `nsys stats`, which adds up all processes of a file. Left out:
        marks of the begin or end of a call, which have no duration.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `name`, with these columns.

            - `run` (text, id): run the calls belong to
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
        """Which calls into the device's runtime and driver took how much time on the host?

        One row per name of a call and process rank: launches, copies, allocations, synchronization. `dur_sum` adds up
        durations, so that calls of several threads, and a call into the driver inside of one into the runtime, count
        more than once; `busy` is the time in which at least one of that name ran. A call that waits for the device
        lasts as long as it waits. Percentiles are exact, with linear interpolation between the closest values.
        Recordings of a process are taken together.

        The numbers are those of the report `cuda_api_sum` of `nsys stats`, which adds up all processes of a file.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `dur_sum desc`, `category`, `name`, with these columns.

            - `run` (text, id): run the calls belong to
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

        One row per step of a rank. Every moment of the step belongs to the first of eight roles that had work then, in
        the order of the columns, so that they add up to `dur` exactly. View `step_role` says what each of them is.
        `loader_ratio` of a GPU job is the part of the step in which the device idled while the process waited for data.

        A step is taken as the profiler marked it on the host, or with `extended` until the last device work that it
        launched has ended, as the overview of the TensorBoard plugin takes it (view `step_extent`). A recording without
        step marks is one step without a number. Steps that a recording cut short are kept and marked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `ts`, with these columns.

            - `run` (text, id): run the step belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it; null for a recording without steps
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): duration
            - `kernel` (bigint, ns): a kernel computed
            - `memcpy` (bigint, ns): a copy ran on a device, and none of the roles before
            - `memset` (bigint, ns): a fill ran on a device, and none of the roles before
            - `communication` (bigint, ns): a collective ran, and none of the roles before
            - `runtime` (bigint, ns): a call into runtime or driver ran, and none of the roles before
            - `loader` (bigint, ns): a data loader was waited for, and none of the roles before
            - `cpu` (bigint, ns): the host computed, and none of the roles before
            - `other` (bigint, ns): none of them
            - `loader_ratio` (double, ratio): `loader` over `dur`
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
        """What did each moment of a step wait for: its critical path, edge by edge?

        The longest path through the graph of what had to end before what could go on. Its nodes are the starts and ends
        of operators, calls into the runtime or driver, and calls of a data loader that start in the window, and of the
        device work that these calls launched; view `path_event` says which events they are. An edge weighs the time
        between its nodes, or nothing. `kind`:

        `host`: from mark to mark of a thread while a call is open; the row is the innermost call. `loader`: the same
        inside a call of a data loader. `sequence`, weighs nothing: from the end of an outermost call to the start of
        the next one on its thread. `wait`, weighs nothing: a call that waits for a device and does nothing else.
        `lock`, weighs nothing: calls that hold the lock of the CUDA runtime and overlap, on whatever threads, get it
        one after the other as they end. `work`: a kernel, copy or fill, from its start to its end; up to the start of
        the next one on its stream where that does not wait for the end. `launch_delay`: from the start of a call to the
        start of what it launched, where that waited for nothing else: nothing was queued before it until it started,
        and the work before it on its stream, and what that stream waited for, had ended when the call began.
        `kernel_delay`: else, from the end of the work before it on its stream, if that is less than 1.5 ms earlier and
        what the stream waited for had ended before that. `sync`, weighs nothing: from the end of work to the end of the
        call that waited for it, or to the start of the work of another stream that waited for it. Where exactly one
        thread has operators or annotations with `forward` in their names and exactly one with `autograd`, they are one
        thread: the backward pass follows the forward pass.

        `bound_by` is what the weight was spent on: `host`, `loader`, `computation`, `communication` (kernels of NCCL,
        collectives on the host), `memory` (copies and fills), `launch_delay` or `kernel_delay`; null for what weighs
        nothing. `gap` is time on the path that is no weight: Python between outermost operators, and waits. `dur` and
        `gap` of a path add up to the time from its first node to its last one. A path ends with its last weight.

        The window is the longest complete step of each recording, or with `annotation` the longest of these, or those
        that `step` or `instance` ask for; a recording without steps is one window. `synced` is false where the
        recording has device work and no synchronization: then no `sync` edge is known, so that a host which waits for a
        device seems idle, and streams seem not to wait for each other. CUPTI records it if asked to
        (`torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True)`); for ROCm and other devices nothing does.

        The definition is that of HTA's `critical_path_analysis`, at exact times: HTA rounds, so that short calls have
        no length and are left out, and counts work that overlaps on a stream twice. Its `gpu_compute_bound` is
        `computation` and `memory` together.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            step: The step of this number, as the profiler wrote it; not with `annotation`. Default: null.
            annotation: Windows are the annotations with this in their names, not the steps. Default: null.
            instance: The window of this number in its recording, in the order of time, from 0. Default: null.
            loader: Regular expression: operators and annotations of such names load data, too. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `object`, `instance`, `place`, with these columns.

            - `run` (text, id): run the path belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `object` (bigint, id): file of the recording
            - `instance` (bigint, id): number of the window in its recording, from 0
            - `place` (bigint, id): place of the edge on the path, from 0
            - `annotation` (text, name): name of the annotation; null for a step
            - `mode` (text, name): mode of the step; null when the profiler did not say
            - `step` (bigint, id): number of the step; null for an annotation or a recording without steps
            - `window_ts` (bigint, time): start of the window
            - `window_dur` (bigint, ns): its length
            - `kind` (text, name): what the edge stands for
            - `bound_by` (text, name): what its weight was spent on; null without one
            - `category` (text, name): category of the event that the edge is about
            - `name` (text, name): its name
            - `pid` (bigint, id): operating system process id; null on a device
            - `track` (text, name): thread or stream of the event
            - `device` (text, name): device it ran on (cpu, gpu0)
            - `ts` (bigint, time): time of the node that the edge leaves
            - `dur` (bigint, ns): weight
            - `gap` (bigint, ns): time between the nodes that is no weight
            - `row` (bigint, id): ordinal of the event in the file
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

        One row per step, or instance of an annotation, and what the path through it was spent on. `step.critical_path`
        says what the path is, and has its edges. `ratio` is the share of the length of the path, as in the summary of
        HTA's `critical_path_analysis`; in the row without `bound_by` is the time on the path that is no weight: Python
        between outermost operators, and waits.

        All steps that are not asked for otherwise; a recording without steps is one window.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            step: The step of this number, as the profiler wrote it; not with `annotation`. Default: null.
            annotation: Windows are the annotations with this in their names, not the steps. Default: null.
            instance: The window of this number in its recording, in the order of time, from 0. Default: null.
            loader: Regular expression: operators and annotations of such names load data, too. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `object`, `instance`, `bound_by`, with these columns.

            - `run` (text, id): run the path belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `object` (bigint, id): file of the recording
            - `instance` (bigint, id): number of the window in its recording, from 0
            - `bound_by` (text, name): what the path was spent on; null for time that is no weight
            - `annotation` (text, name): name of the annotation; null for a step
            - `mode` (text, name): mode of the step; null when the profiler did not say
            - `step` (bigint, id): number of the step; null for an annotation or a recording without steps
            - `window_ts` (bigint, time): start of the window
            - `window_dur` (bigint, ns): its length
            - `n` (bigint, count): edges of the path
            - `dur` (bigint, ns): their weight
            - `ratio` (double, ratio): `dur` over `path_dur`
            - `gap` (bigint, ns): time between their nodes that is no weight
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
        `step.duration_by_rank` has each rank for itself. A step number that comes again in another recording or mode
        counts as another step. Percentiles are exact, with linear interpolation between the closest values.

        Left out: steps that a recording cut short. The first step of a run often holds compilation and warm-up and is
        kept: compare mean and median. The definition is that of `get_step_statistics` of smdebug by training phase.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, with these columns.

            - `run` (text, id): run the steps belong to
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

        A duration is a span: from the first start to the last end of the events of a name in one step, over all ranks.
        It is not a sum, and holds the time between them. An event belongs to the step that view `event_step` names: the
        one it lies in, for device work the one that launched it. Steps of equal numbers in different modes and
        recordings count as different steps. Percentiles are exact, with linear interpolation.

        Left out: steps that a recording cut short, and what lies outside of all steps. An event that carries the number
        of a step and lies in none counts for that one, without a mode.

        The definition is that of `get_step_statistics` of smdebug by framework metric, which merges equal names of all
        modes where step numbers are equal, and takes steps from whatever event carries a number.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, `name`, with these columns.

            - `run` (text, id): run the events belong to
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
        It is not a sum, and holds the time between them. An event belongs to the step that view `event_step` names: the
        one it lies in, for device work the one that launched it. Steps of equal numbers in different modes and
        recordings count as different steps. Percentiles are exact, with linear interpolation.

        Left out: steps that a recording cut short, and what lies outside of all steps. An event that carries the number
        of a step and lies in none counts for that one, without a mode.

        The definition is that of `get_step_statistics` of smdebug by process, which makes one span of the events of all
        modes where step numbers are equal.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `mode`, `track`, with these columns.

            - `run` (text, id): run the events belong to
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `track` (text, name): row a viewer would draw them on: phase, thread or stream
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

        One row per step as one rank marked it. `relative` compares it with the median of the same step over all ranks:
        on one rank it is 1. The first `skip` steps of each run and mode can be left out: they hold compilation and
        warm-up.

        Left out: steps that the recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            skip: Steps dropped at the start of each run and mode, at least 0. Default: 0.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `mode`, `span`, `step`, `ts`, with these columns.

            - `run` (text, id): run the step belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording within the run, from 0
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
        step if that is less. Longer steps stand together in one further row, whose `bin` is `bins`: a single slow step
        would otherwise push all others into the first bin. A bin takes in its lower edge and not its upper one; the
        further row has both. The duration of a step is its span over all ranks.

        Left out: empty bins, and steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Number of bins, at least 1. Default: 50.

        Returns:
            One frame, ordered by `run`, `mode`, `bin`, with these columns.

            - `run` (text, id): run the steps belong to
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
        """When did each rank do steps of one mode, and what time lay between them?

        The time of a run as each rank and mode cut it up: an interval for every step, one before the first step of the
        mode (`before train`), one for every gap between two of them (`between train and train`), one behind the last
        (`after train`). Intervals are half-open: each ends where the next one starts; only steps that overlap overlap
        here. Gaps hold whatever else went on, steps of other modes included. `job.phases_by_rank` takes consecutive
        steps of a mode together instead.

        Left out: steps without a time or a duration, and gaps of no length.

        The definition is that of `get_training_phase_intervals` of smdebug with a single phase, which has inclusive
        ends, and takes the steps of several ranks as they stand in the files, so that gaps may have negative lengths.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `mode`, `ts`, `dur`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `phase` (text, name): name of the interval
            - `step` (bigint, id): step number as the profiler wrote it; null before, between and after
            - `ts` (bigint, time): start
            - `dur` (bigint, ns): length

        Example:
            >>> s.step.intervals().columns[0]
            'run'
        """
        return self._session.query("step.intervals", run)

    def loader_share(self, run: str | list[str] | None = None, *, extended: bool = False) -> Frame:
        """What share of the step time was spent waiting for the data loader and for nothing else?

        One row per recording of a rank. Only the time counts in which the process waited for a batch and neither a
        device worked nor a collective or a call into the runtime ran: waits that device work hides cost nothing.
        `loader_ratio` is that time over the duration of all steps, as the overview of the TensorBoard plugin has it for
        the average step; above 0.05 the plugin speaks of a high cost of data loading. Steps are those of
        `step.breakdown`, with the same `extended`. The mark of a data loader is told by its name: the plugin's last
        release looks into one category only and finds none since PyTorch 1.12.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            extended: Whether a step lasts until the device work that it launched has ended. Default: false.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, with these columns.

            - `run` (text, id): run the steps belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `steps` (bigint, count): steps; a recording without step marks is one
            - `dur` (bigint, ns): duration of the steps together
            - `loader` (bigint, ns): time in which only the data loader was waited for
            - `loader_ratio` (double, ratio): `loader` over `dur`
            - `ratio_p50` (double, ratio): median over the steps of each step's share
            - `ratio_max` (double, ratio): greatest share of a step

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

        A step is an outlier when its span over all ranks is at least `factor` times the median of its run and mode. A
        step of exactly that length counts.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a step must last. Default: 2.0.
            start: Only steps that begin from then on, in ns since the Unix epoch; null for all. Default: null.
            end: Only steps that begin before, in ns since the Unix epoch; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `mode`, `span`, `step`, with these columns.

            - `run` (text, id): run the step belongs to
            - `span` (bigint, id): recording within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it
            - `ts` (bigint, time): earliest start over the ranks
            - `dur` (bigint, ns): from there to the latest end over the ranks
            - `dur_p50` (double, ns): median of its run and mode
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

        One row per step, in the order of time. The duration is the step's span over all ranks.

        Left out: steps without a time, and with `start` or `end` steps that begin outside of that window. Steps that a
        recording cut short are kept and marked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Begin of the window, in ns since the Unix epoch; null for the first step. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last step. Default: null.

        Returns:
            One frame, ordered by `run`, `ts`, `mode`, `span`, `step`, with these columns.

            - `run` (text, id): run the step belongs to
            - `span` (bigint, id): recording within the run, from 0
            - `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            - `step` (bigint, id): step number as the profiler wrote it
            - `ts` (bigint, time): earliest start over the ranks
            - `dur` (bigint, ns): from there to the latest end over the ranks
            - `ranks` (bigint, count): ranks that recorded it; null when no rank is known
            - `complete` (boolean, flag): false when a recording ended inside the step

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

        Everything that was measured and everything that ran from the start of step `first` to the end of step `last`,
        over all ranks. Each mode and each recording has a stretch of time of its own; stretches that overlap are one.
        For samples the rows have their number, mean, least and greatest value, each machine and quantity for itself.
        For events they have how many of that name touch the stretch, the time in which at least one of them was
        running, clipped to the stretch, and its share.

        `get_profiler_data_by_step` of smdebug gives the rows themselves, and only those events that carry a step
        number.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            first: Number of the first step; null for the first there is. Default: null.
            last: Number of the last step, which is included; null for the last there is. Default: null.
            mode: Only steps of this mode; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `source`, `node`, `category`, `name`, `unit`, with these columns.

            - `run` (text, id): run
            - `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            - `node` (text, id): machine of the samples; null for events, which are taken over all machines
            - `category` (text, name): resource of the samples, or category of the events
            - `name` (text, name): metric of the samples, or name of the events
            - `unit` (text, name): unit of mean, min and max; null for events
            - `n` (bigint, count): samples, or events that touch the stretch
            - `mean` (double, mixed): mean of the samples
            - `min` (double, mixed): least sample
            - `max` (double, mixed): greatest sample
            - `busy` (bigint, ns): time in which at least one such event was running
            - `ratio` (double, ratio): `busy` over the length of the stretch

        Example:
            >>> s.step.recorded().columns[0]
            'run'
        """
        return self._session.query("step.recorded", run, first=first, last=last, mode=mode)

    def scalars(self, run: str | list[str] | None = None, *, metric: str | None = None) -> Frame:
        """How did loss, learning rate, throughput and all else that was logged change from step to step?

        One row for each scalar of the training that a logger wrote, in the order of its steps. What stands in
        `metrics.csv` and in event files of TensorBoard is there once, with its time. A step may have several rows of a
        metric: the learning rate is logged anew when an epoch begins, and steps of `validate/...` and `test/...` of the
        throughput are batches of their own loop. Units are known of Lightning's callbacks only.

        Left out: what callbacks measured of devices, which `utilization.device_stats` has.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            metric: Only this metric; null for all. Default: null.

        Returns:
            One frame, ordered by `run`, `metric`, `step`, `object`, `row`, with these columns.

            - `run` (text, id): run the scalar belongs to
            - `metric` (text, name): name as the logger wrote it
            - `step` (bigint, id): step, as logged
            - `epoch` (bigint, id): epoch, as logged; null when none was
            - `ts` (bigint, time): when it was logged; null when only `metrics.csv` has it
            - `value` (double, mixed): the value; NaN or infinite where the training diverged
            - `unit` (text, name): unit of `value`; null when nobody knows
            - `object` (bigint, id): file it stands in, see table object
            - `row` (bigint, id): ordinal of the scalar in that file

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

        The window from `start` to `end` is cut into `bins` bins. An interval that lasts a bin or longer is a row of its
        own; shorter ones are merged by lane and bin, so that a row says how many there were (`n`), how long at least
        one ran (`busy`) and what the longest was. A lane is a thread or stream (`track`) and how many calls enclose the
        interval there (`depth`). The intervals of a lane lie side by side, except where some of a track overlap in
        part: none of them encloses the other, so that they lie over each other in one lane. Intervals that begin before
        the window or end after it are cut at its edges, and the window at those of the recording; one whose `end` is
        not after its `start` holds nothing. However long a recording is, a lane has at most about two rows for each
        bin, and only the `lanes` busiest lanes of a run are given.

        One rank of each run: the one that is asked for, else the lowest; of it the first recording that has anything in
        the window. Python functions and modules are intervals with `python`.

        Kernels that communicate (`nccl` in their name) have the category `communication`, as in view `device_work`.

        Left out: instants, the mark of the recording itself, and durations above seven days, which come of clocks that
        overflowed; calls that are enclosed by more than `depth` others.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            start: Begin of the window, in ns since the Unix epoch; null for the first event. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last event. Default: null.
            rank: Rank to show; null for the lowest. Default: null.
            bins: Bins that the window is cut into, at least 1. Default: 400.
            python: Whether Python functions and modules are intervals. Default: false.
            depth: Greatest number of enclosing calls, at least 0. Default: 8.
            lanes: Greatest number of lanes of a run, at least 1. Default: 40.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `device`, `pid`, `track`, `depth`, `ts`, `name`, with these
            columns.

            - `run` (text, id): run the intervals belong to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `pid` (bigint, id): operating system process id; null on other devices than the CPU
            - `track` (text, name): thread or stream
            - `device` (text, name): device it ran on (cpu, gpu0); null when unknown
            - `depth` (bigint, count): enclosing intervals on the track
            - `category` (text, name): category of the interval, of several that of the longest
            - `name` (text, name): name of the interval, of several that of the longest
            - `ts` (bigint, time): start; of several that of their bin
            - `dur` (bigint, ns): duration within the window; of several that of their bin
            - `n` (bigint, count): how many intervals the row stands for
            - `busy` (bigint, ns): time in which at least one of them ran
            - `bin` (bigint, ns): length of a bin
            - `window_ts` (bigint, time): begin of the window
            - `window_dur` (bigint, ns): its length
            - `left_out` (bigint, count): lanes that the run has beyond those given

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

        The edges divide the values into buckets, in ascending order: three edges make two buckets. A bucket takes in
        its lower edge and not its upper one; the last one has both. The share is taken of all samples of the machine
        and quantity, so that it does not add up to 1 where values lie outside of the edges.

        Left out: quantities that were not recorded in percent.

        smdebug's `get_device_usage_stats` counts instead of giving shares, mixes the quantities of a resource, and has
        ranges that are closed at both ends and may overlap.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            edges: Edges of the buckets, in percent, ascending. Default: [0, 10, 90, 100].

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `bucket`, with these columns.

            - `run` (text, id): run the samples belong to
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
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

        The phases are those of `job.phases`; phases of the same name are taken together. A sample belongs to the phase
        that began last before it or at its time. The phases of a run hold for all its machines. Quantities are never
        mixed, and percentiles are exact, as in `utilization.summary`.

        Left out: runs without steps, and samples without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, `ts`, with these columns.

            - `run` (text, id): run the samples belong to
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
            - `unit` (text, name): unit of the values, as recorded
            - `phase` (text, name): phase of the run
            - `n` (bigint, count): samples
            - `mean` (double, mixed): mean, in the unit of column unit
            - `min` (double, mixed): least value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): greatest value
            - `ts` (bigint, time): first sample in the phase

        Example:
            >>> s.utilization.by_phase().columns[0]
            'run'
        """
        return self._session.query("utilization.by_phase", run)

    def cpu_bottleneck(self, run: str | list[str] | None = None, *, gpu: float = 10.0, cpu: float = 90.0) -> Frame:
        """When was a GPU idle while a core was busy?

        One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms) in which the
        utilization of at least one GPU was at most `gpu` and that of at least one core above `cpu`. A core at its limit
        beside an idle GPU is a sign that preprocessing, or the Python that launches the work, cannot keep up.
        `utilization.gpu_load` has the share of such samples.

        smdebug's rule CPUBottleneck asks for a utilization below `gpu`, and reports the same snapshots where no value
        lies on the limit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gpu: Percent up to which a GPU is idle. Default: 10.
            cpu: Percent above which a core is busy. Default: 90.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `ts` (bigint, time): first sample of the snapshot
            - `gpus` (bigint, count): GPUs that were idle
            - `cores` (bigint, count): cores that were busy
            - `gpu_percent` (double, percent): utilization of the least busy GPU
            - `cpu_percent` (double, percent): utilization of the busiest core

        Example:
            >>> s.utilization.cpu_bottleneck().columns[0]
            'run'
        """
        return self._session.query("utilization.cpu_bottleneck", run, gpu=gpu, cpu=cpu)

    def device_stats(self, run: str | list[str] | None = None) -> Frame:
        """What did Lightning's DeviceStatsMonitor measure of the devices?

        One row per metric and hook, over all steps that were logged, which is each fiftieth unless the Trainer was told
        otherwise. What stands in `metrics.csv` and in event files of TensorBoard counts once.

        There is no utilization of a GPU in it: of CUDA devices it has counters of the memory allocator only. The load
        of the CPU is that of the whole machine since the call before; the first one means nothing, and calls that
        follow each other within a tenth of a second are not to be trusted, such as those of the start of a batch after
        the end of the one before. Running totals (`allocated_bytes.all.allocated`, `...freed`, `num_...`) only grow: of
        them `last` is what counts.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `resource`, `device`, `metric`, `hook`, `raw_name`, with these columns.

            - `run` (text, id): run the statistics belong to
            - `resource` (text, name): cpu, memory, gpu or allocator; null for a metric that nobody knows
            - `device` (text, name): device measured; null for the whole machine, and where the monitor did not say
            - `metric` (text, name): what was measured
            - `hook` (text, name): hook of the training in which it was measured
            - `unit` (text, name): unit of the values; null when nobody knows
            - `n` (bigint, count): measurements
            - `min` (double, mixed): least value, in the unit of column unit
            - `mean` (double, mixed): mean
            - `max` (double, mixed): greatest value
            - `last` (double, mixed): value of the last step
            - `first_step` (bigint, id): first step that has one
            - `last_step` (bigint, id): last step that has one
            - `raw_name` (text, name): name as the logger wrote it

        Example:
            >>> s.utilization.device_stats().columns[0]
            'run'
        """
        return self._session.query("utilization.device_stats", run)

    def gpu_balance(self, run: str | list[str] | None = None, *, threshold: float = 0.5, bins: int = 50) -> Frame:
        """Are the GPUs of a run equally busy?

        One row per pair of GPUs of a run, on whatever machines, with the Jensen-Shannon distance of the histograms of
        their utilization: the root of the mean of the Kullback-Leibler divergences to the average of both, with natural
        logarithms. It is 0 for equal histograms and 0.83 (root of ln 2) for GPUs that were never equally busy. 0 to 100
        percent are cut into `bins` bins of equal width; 100 belongs to the last bin, as does what lies above, and what
        lies below 0 to the first.

        The definition is that of smdebug's rule LoadBalancing, which leaves out values above 98, and compares no two
        GPUs.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            threshold: Distance above which a pair is unbalanced. Default: 0.5.
            bins: Bins of a histogram, at least 1. Default: 50.

        Returns:
            One frame, ordered by `run`, `node`, `device`, `other_node`, `other_device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine of the first GPU
            - `device` (text, name): the first GPU
            - `other_node` (text, id): machine of the second GPU
            - `other_device` (text, name): the second GPU
            - `n` (bigint, count): samples of the first GPU
            - `other_n` (bigint, count): samples of the second GPU
            - `gpu_percent` (double, percent): mean utilization of the first GPU
            - `other_percent` (double, percent): mean utilization of the second GPU
            - `distance` (double, factor): Jensen-Shannon distance of the two histograms
            - `unbalanced` (boolean, flag): whether the distance is above `threshold`

        Example:
            >>> s.utilization.gpu_balance().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_balance", run, threshold=threshold, bins=bins)

    def gpu_from_kernels(self, run: str | list[str] | None = None, *, bins: int = 200) -> Frame:
        """How busy was each device with kernels in the course of a run?

        For recordings without measurements of the machine: utilization from what ran. The time of each recording
        (`profiled_window`) is cut into `bins` bins of equal length; `ratio` is the share of a bin in which at least one
        kernel ran on the device. Bins in which none ran are there, with 0. Copies and fills do not count.

        `kernel.occupancy` has the share over the whole time, and how far the kernels filled the device. A recording
        without kernels has no rows.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Number of bins of a recording. Default: 200.

        Returns:
            One frame, ordered by `run`, `node`, `rank`, `span`, `device`, `ts`, with these columns.

            - `run` (text, id): run the device belongs to
            - `node` (text, id): machine
            - `rank` (bigint, id): global rank of the process; null when unknown
            - `span` (bigint, id): recording of the process within the run, from 0
            - `device` (text, name): device (gpu0)
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `busy` (bigint, ns): time in which a kernel ran
            - `ratio` (double, ratio): `busy` over `dur`

        Example:
            >>> s.utilization.gpu_from_kernels().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_from_kernels", run, bins=bins)

    def gpu_load(
        self,
        run: str | list[str] | None = None,
        *,
        low: float = 10.0,
        high: float = 90.0,
        below: float = 50.0,
        cpu: float = 90.0,
        io: float = 50.0,
    ) -> Frame:
        """For what share of the time was each GPU busy, idle, or held up by the host?

        Shares of the samples of a GPU's utilization. `high`, `between` and `low` add up to 1: above `high`, up to
        `low`, and the rest. A low sample is a CPU bottleneck if the utilization of a core was above `cpu` in the same
        snapshot (view `system_snapshot`: what was measured within 20 ms), and an I/O bottleneck if the I/O wait of a
        core was above `io`; both are parts of `low_ratio`, and a sample may be both. `zero_ratio` and `below_ratio` are
        the first things to look at: a GPU at 0, and one below `below`.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            low: Percent up to which a GPU is idle. Default: 10.
            high: Percent above which a GPU is busy. Default: 90.
            below: Percent below which samples count for `below_ratio`. Default: 50.
            cpu: Percent above which a core is busy. Default: 90.
            io: Percent above which a core waits. Default: 50.

        Returns:
            One frame, ordered by `run`, `node`, `device`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `device` (text, name): the GPU
            - `n` (bigint, count): samples
            - `mean` (double, percent): mean utilization
            - `zero_ratio` (double, ratio): samples of 0
            - `below_ratio` (double, ratio): samples less than `below`
            - `low_ratio` (double, ratio): samples of at most `low`
            - `between_ratio` (double, ratio): samples above `low` and at most `high`
            - `high_ratio` (double, ratio): samples above `high`
            - `cpu_bottleneck_ratio` (double, ratio): low samples beside a busy core
            - `io_bottleneck_ratio` (double, ratio): low samples beside a core that waited

        Example:
            >>> s.utilization.gpu_load().columns[0]
            'run'
        """
        return self._session.query("utilization.gpu_load", run, low=low, high=high, below=below, cpu=cpu, io=io)

    def io_bottleneck(self, run: str | list[str] | None = None, *, gpu: float = 10.0, io: float = 50.0) -> Frame:
        """When was a GPU idle while a core waited for disks or network?

        One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms) in which the
        utilization of at least one GPU was at most `gpu` and the I/O wait of at least one core above `io`. A core that
        waits beside an idle GPU is a sign that storage cannot keep up. `utilization.gpu_load` has the share of such
        samples.

        smdebug's rule IOBottleneck asks for a utilization below `gpu`, and reports the same snapshots where no value
        lies on the limit.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            gpu: Percent up to which a GPU is idle. Default: 10.
            io: Percent above which a core waits. Default: 50.

        Returns:
            One frame, ordered by `run`, `node`, `ts`, with these columns.

            - `run` (text, id): run
            - `node` (text, id): machine
            - `ts` (bigint, time): first sample of the snapshot
            - `gpus` (bigint, count): GPUs that were idle
            - `cores` (bigint, count): cores that waited
            - `gpu_percent` (double, percent): utilization of the least busy GPU
            - `io_percent` (double, percent): I/O wait of the core that waited most

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

        The time from the first to the last sample of a run is cut into at most `bins` bins of equal length, the same
        for all its machines and quantities; each row has mean, least and greatest value of one bin. Short stalls
        therefore stay visible in a long run. With `by_device` each core or accelerator has rows of its own; otherwise
        all devices of a machine are taken together and `device` is null. There are never more bins than samples of one
        device and quantity, so that a short run is not cut into bins without samples.

        Left out: empty bins, samples without a time, and with `start` or `end` what lies outside of that window, which
        the bins then divide.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.
            by_device: Whether each device has rows of its own. Default: false.
            start: Begin of the window, in ns since the Unix epoch; null for the first sample. Default: null.
            end: End of the window, in ns since the Unix epoch; null for the last sample. Default: null.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, `device`, `ts`, with these columns.

            - `run` (text, id): run the samples belong to
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
            - `unit` (text, name): unit of the values, as recorded
            - `device` (text, name): device (cpu5, gpu0); null for all devices of the machine
            - `ts` (bigint, time): start of the bin
            - `dur` (bigint, ns): length of the bin
            - `n` (bigint, count): samples in it
            - `mean` (double, mixed): mean, in the unit of column unit
            - `min` (double, mixed): least value
            - `max` (double, mixed): greatest value

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
        """How many samples lie in each of the ranges that I give?

        Range number i goes from `lowers[i]` to `uppers[i]`, both of them included. Ranges may leave gaps and overlap: a
        sample counts for the first range in the lists that holds it. The row without a `bucket` has the samples that
        lie in none, so that the counts of a machine and quantity add up to all its samples. `utilization.buckets` takes
        edges instead, and has no gaps.

        Left out: quantities that were not recorded in percent.

        The ranges are those of `get_device_usage_stats` of smdebug, the defaults too; it mixes the quantities of a
        resource, and does not say how many samples lie in none.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            lowers: Lower ends of the ranges, in percent. Default: [90, 10, 0].
            uppers: Upper ends of the ranges, as many. Default: [100, 90, 10].

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `bucket`, with these columns.

            - `run` (text, id): run the samples belong to
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
            - `bucket` (bigint, id): place of the range in the lists, from 0; null for what lies in none
            - `lower` (double, percent): lower end
            - `upper` (double, percent): upper end
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

        smdebug's `get_utilization_stats` has one row per resource, which mixes all its quantities; where a resource has
        only one (memory), the numbers are the same.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

        Returns:
            One frame, ordered by `run`, `node`, `resource`, `metric`, `unit`, with these columns.

            - `run` (text, id): run the samples belong to
            - `node` (text, id): machine
            - `resource` (text, name): cpu, gpu, memory, io or network
            - `metric` (text, name): what was measured
            - `unit` (text, name): unit of the values, as recorded
            - `n` (bigint, count): samples
            - `mean` (double, mixed): mean, in the unit of column unit
            - `min` (double, mixed): least value
            - `p50` (double, mixed): median
            - `p95` (double, mixed): 95th percentile
            - `p99` (double, mixed): 99th percentile
            - `max` (double, mixed): greatest value

        Example:
            >>> s.utilization.summary().columns[0]
            'run'
        """
        return self._session.query("utilization.summary", run)
