"""The canned queries: one class per family, one method per query.

generated from sql/ by `UPDATE=1 cargo test docs`; do not edit
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from tracelake.family import Family

if TYPE_CHECKING:
    from tracelake.frame import Frame

__all__ = [
    "Families",
    "Job",
    "Loader",
    "Step",
    "Utilization",
]


class Families(ABC):
    """The families as attributes of a session."""

    @abstractmethod
    def query(self, name: str, /, run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401
        """The answer of the canned query of this name."""

    @property
    def job(self) -> Job:
        """Queries of the family `job`: `key_figures`, `overview`, `phases`."""
        return Job(self)

    @property
    def loader(self) -> Loader:
        """Queries of the family `loader`.

        `batch_time`, `batch_time_outliers`, `during_outliers`, `init`, `init_outliers`, `next`, `next_outliers`,
        `next_over_time`, `worker_outliers`, `workers`.
        """
        return Loader(self)

    @property
    def step(self) -> Step:
        """Queries of the family `step`: `duration`, `duration_by_rank`, `histogram`, `outliers`, `over_time`."""
        return Step(self)

    @property
    def utilization(self) -> Utilization:
        """Queries of the family `utilization`: `buckets`, `by_phase`, `over_time`, `summary`."""
        return Utilization(self)


class Job(Family):
    """Queries of the family `job`, as `s.job`."""

    __slots__ = ()

    def key_figures(self, run: str | list[str] | None = None) -> Frame:
        """What is there to say about a run in one line?

        The key figures that table `run` keeps, computed anew. The main mode is `train` if the run has steps of it, else
        the mode that most time went into. The durations are those of `step.duration`.

        `loader_ratio` is the time in which a process waited for a batch over the time in which it did a step or waited,
        as a mean over the processes that recorded both. `gpu_percent` is the mean of all samples of GPU utilisation.

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
            - `gpu_percent` (double, percent): mean GPU utilisation

        Example:
            >>> s.job.key_figures().columns[0]
            'run'
        """
        return self._session.query("job.key_figures", run)

    def overview(self, run: str | list[str] | None = None) -> Frame:
        """How long did a job run, and how much of that was spent before, in and after its training loop?

        The job lasts from the first to the last time in its profile, samples and events alike. Initialisation ends
        where the first step starts; the loop lasts until the last step of any mode ends; the rest is finalisation. The
        three add up to the whole. A profile without steps has no loop: its parts are null.

        The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts initialisation
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


class Loader(Family):
    """Queries of the family `loader`, as `s.loader`."""

    __slots__ = ()

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

    def init(self, run: str | list[str] | None = None) -> Frame:
        """How long did it take to set up the data loader, and how was it configured?

        One row per process, iterator and configuration. A loader is set up anew for every pass over the data unless its
        workers persist, so that this time comes back every epoch.

        Left out: initialisations without a duration.

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
            - `n` (bigint, count): initialisations
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
        """Which initialisations of the data loader took much longer than usual?

        An initialisation is an outlier when it lasted at least `factor` times the median of its run and iterator, over
        all processes. One of exactly that length counts.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median an initialisation must last. Default: 2.0.

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

    def next_outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Which batches kept the training process waiting much longer than usual?

        A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes. One of
        exactly that length counts.

        Left out: waits of an ideal replay.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a wait must last. Default: 2.0.

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
        return self._session.query("loader.next_outliers", run, factor=factor)

    def next_over_time(self, run: str | list[str] | None = None, *, bins: int = 200) -> Frame:
        """How did the waits for batches change in the course of a run?

        The time from the first to the last call of a run is cut into at most `bins` bins of equal length, the same for
        all ranks; a call belongs to the bin in which it starts. There are never more bins than calls of one rank.

        Left out: empty bins, and calls without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.

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
        return self._session.query("loader.next_over_time", run, bins=bins)

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


class Step(Family):
    """Queries of the family `step`, as `s.step`."""

    __slots__ = ()

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

    def outliers(self, run: str | list[str] | None = None, *, factor: float = 2.0) -> Frame:
        """Which steps took much longer than usual?

        A step is an outlier when its span over all ranks is at least `factor` times the median of its run and mode. A
        step of exactly that length counts.

        Left out: steps that a recording cut short.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            factor: How many times the median a step must last. Default: 2.0.

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
        return self._session.query("step.outliers", run, factor=factor)

    def over_time(self, run: str | list[str] | None = None) -> Frame:
        """How did the duration of the steps change in the course of a run?

        One row per step, in the order of time. The duration is the step's span over all ranks.

        Left out: steps without a time. Steps that a recording cut short are kept and marked.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.

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
        return self._session.query("step.over_time", run)


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

    def over_time(self, run: str | list[str] | None = None, *, bins: int = 200, by_device: bool = False) -> Frame:
        """How did the load of the machines change in the course of a run?

        The time from the first to the last sample of a run is cut into at most `bins` bins of equal length, the same
        for all its machines and quantities; each row has mean, least and greatest value of one bin. Short stalls
        therefore stay visible in a long run. With `by_device` each core or accelerator has rows of its own; otherwise
        all devices of a machine are taken together and `device` is null. There are never more bins than samples of one
        device and quantity, so that a short run is not cut into bins without samples.

        Left out: empty bins, and samples without a time.

        Args:
            run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.
            bins: Greatest number of bins, at least 1. Default: 200.
            by_device: Whether each device has rows of its own. Default: false.

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
        return self._session.query("utilization.over_time", run, bins=bins, by_device=by_device)

    def summary(self, run: str | list[str] | None = None) -> Frame:
        """How busy were the machines of a run?

        One row per machine and measured quantity, over all its devices and all times. Quantities are never mixed: CPU
        utilisation and I/O wait are two rows, and so are operations and bytes per second. Percentiles are exact, with
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
