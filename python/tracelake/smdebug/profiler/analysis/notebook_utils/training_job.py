"""A training job by name: where its profile is, and readers of it once there is something to read."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from tracelake.errors import ArgumentError
from tracelake.optional import needs
from tracelake.smdebug.profiler import algorithm_metrics_reader, system_metrics_reader
from tracelake.smdebug.profiler.utils import us_since_epoch_to_human_readable_time

if TYPE_CHECKING:
    from tracelake.smdebug.profiler.algorithm_metrics_reader import AlgorithmMetricsReader
    from tracelake.smdebug.profiler.system_metrics_reader import SystemMetricsReader

__all__ = ["TrainingJob"]

PAUSE_S = 10
"""How long to wait before looking again."""

ENDED = ("Completed", "Failed", "Stopped")


class TrainingJob:
    """A training job of SageMaker, or a profile that is at hand.

    Attributes:
        name: Name of the job.
        profiler_config: Its `ProfilerConfig`, None if it has none.
        profiler_s3_output_path: Root of its profile, None if it has none.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
        >>> job = TrainingJob(str(profile))  # doctest: +ELLIPSIS
        ProfilerConfig:None
        s3 path:...profiler-output
        >>> job.wait_for_sys_profiling_data_to_be_available()
        <BLANKLINE>
        <BLANKLINE>
        Profiler data from system is available
        >>> job.get_systems_metrics_reader().get_timestamp_of_first_available_file()
        1600000200000000
    """

    def __init__(self, training_job_name: str | os.PathLike[str], region: str | None = None) -> None:
        """Asks SageMaker where the job's profile is, which needs boto3.

        Args:
            training_job_name: Name of the job; or, with a slash in it, root of a profile, a folder or an `s3://`
                address, and then SageMaker is not asked.
            region: Region of the job; the one of the environment without it.
        """
        name = os.fspath(training_job_name)
        self.sm_client: Any = None
        self.profiler_config: dict[str, Any] | None = None
        self.profiler_s3_output_path: str | None = None
        self.system_metrics_reader: SystemMetricsReader | None = None
        self.framework_metrics_reader: AlgorithmMetricsReader | None = None
        if "/" in name:
            parts = [part for part in name.split("/") if part and part != "profiler-output"]
            self.name = parts[-1] if parts else name
            self.profiler_s3_output_path = name
        else:
            self.name = name
            self.sm_client = needs("boto3", None, "ask SageMaker about a job").client("sagemaker", region_name=region)
        self.get_config_and_profiler_s3_output_path()

    def get_systems_metrics_reader(self) -> SystemMetricsReader | None:
        """The reader of system metrics; None before `wait_for_sys_profiling_data_to_be_available`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_systems_metrics_reader()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.system_metrics_reader

    def get_framework_metrics_reader(self) -> AlgorithmMetricsReader | None:
        """The reader of timelines; None before `wait_for_framework_profiling_data_to_be_available`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_framework_metrics_reader()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.framework_metrics_reader

    def get_sm_client(self) -> Any:  # noqa: ANN401 - boto3 makes its classes when asked for
        """The client of SageMaker; None for a profile that was opened by its path.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_sm_client()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.sm_client

    def get_config_and_profiler_s3_output_path(self) -> tuple[dict[str, Any] | None, str | None]:
        """The job's `ProfilerConfig` and the root of its profile, printed when they are first asked for.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_config_and_profiler_s3_output_path()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
            (None, 's3://bucket/job/profiler-output')
        """
        if self.profiler_config is None:
            if self.sm_client is not None:
                self.ds = self.describe_training_job()
                config = self.ds.get("ProfilerConfig", {})
                if "S3OutputPath" in config:
                    self.profiler_config = config
                    folder = config["S3OutputPath"].rstrip("/")
                    self.profiler_s3_output_path = f"{folder}/{self.name}/profiler-output"
            print(f"ProfilerConfig:{self.profiler_config}")
            print(f"s3 path:{self.profiler_s3_output_path}")
        return self.profiler_config, self.profiler_s3_output_path

    def describe_training_job(self) -> dict[str, Any]:
        """What SageMaker says about the job.

        Raises:
            ArgumentError: The profile was opened by its path.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").describe_training_job()
            Traceback (most recent call last):
            ArgumentError: cannot describe job: its profile was opened by a path
        """
        if self.sm_client is None:
            text = f"cannot describe {self.name}: its profile was opened by a path"
            raise ArgumentError(text)
        return self.sm_client.describe_training_job(TrainingJobName=self.name)

    def wait_for_sys_profiling_data_to_be_available(self) -> None:
        """Waits for the first file of system metrics, then `get_systems_metrics_reader` has a reader.

        It gives up when the job has ended, or at once for a profile that was opened by its path, and says so.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob(str(profile)).wait_for_sys_profiling_data_to_be_available()  # doctest: +ELLIPSIS
            ProfilerConfig:None
            s3 path:...
            <BLANKLINE>
            <BLANKLINE>
            Profiler data from system is available
        """
        self.system_metrics_reader = system_metrics_reader.open_reader(self._path())
        if self._wait(self.system_metrics_reader, "system", tell_status=True):
            print("\n\nProfiler data from system is available")

    def wait_for_framework_profiling_data_to_be_available(self) -> None:
        """Waits for the first timeline, then `get_framework_metrics_reader` has a reader.

        It gives up when the job has ended, or at once for a profile that was opened by its path, and says so.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob(str(profile)).wait_for_framework_profiling_data_to_be_available()  # doctest: +ELLIPSIS
            ProfilerConfig:None
            s3 path:...
            <BLANKLINE>
            <BLANKLINE>
             Profiler data from framework is available
            Found recorded framework annotations. ... in utc: 2020-09-13T12:31:53:340808
        """
        self.framework_metrics_reader = reader = algorithm_metrics_reader.open_reader(self._path())
        if self._wait(reader, "framework", tell_status=False):
            print("\n\n Profiler data from framework is available")
            latest = reader.get_timestamp_of_latest_available_file()
            print(
                "Found recorded framework annotations. Latest available timestamp microsseconds_since_epoch "
                f"is:{latest} , human_readable_timestamp in utc:",
                us_since_epoch_to_human_readable_time(latest),
            )

    def _path(self) -> str:
        if self.profiler_s3_output_path is None:
            text = f"cannot read the profile of {self.name}: its ProfilerConfig names no S3OutputPath"
            raise ArgumentError(text)
        return self.profiler_s3_output_path

    def _wait(self, reader: SystemMetricsReader | AlgorithmMetricsReader, what: str, *, tell_status: bool) -> bool:
        """Whether there are files, sooner or later."""
        last = None
        ended = False
        while reader.get_timestamp_of_latest_available_file() == 0:
            print(f"Profiler data from {what} not available yet")
            if ended or self.sm_client is None:
                why = ", and the job has ended" if ended else ""
                print(f"There is none in {self.profiler_s3_output_path}{why}")
                return False
            said = self.describe_training_job()
            status = said.get("TrainingJobStatus"), said.get("SecondaryStatus")
            if tell_status and status != last:
                print(f"time: {time.time()} TrainingJobStatus:{status[0]} TrainingJobSecondaryStatus:{status[1]}")
            last = status
            # what the job wrote last is there before it has ended: one more look is enough
            ended = status[0] in ENDED
            if not ended:
                time.sleep(PAUSE_S)
            reader.refresh_event_file_list()
        return True
