"""A training job of SageMaker: the location of its profile, and readers of the profile when it has data."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.errors import ArgumentError
from tracelake.optional import import_optional
from tracelake.smdebug.profiler import algorithm_metrics_reader, system_metrics_reader
from tracelake.smdebug.profiler.utils import us_since_epoch_to_human_readable_time

if TYPE_CHECKING:
    from tracelake.smdebug.profiler.algorithm_metrics_reader import AlgorithmMetricsReader
    from tracelake.smdebug.profiler.system_metrics_reader import SystemMetricsReader

__all__ = ["TrainingJob"]

PAUSE_S = 10
"""Seconds between two checks for new files."""

ENDED = ("Completed", "Failed", "Stopped")


class TrainingJob:
    """A training job of SageMaker, or an existing profile.

    Attributes:
        name: Name of the job.
        profiler_config: `ProfilerConfig` of the job; None if there is no such configuration.
        profiler_s3_output_path: Root of the profile; None if there is no profile.

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
        """Requests the location of the job's profile from SageMaker, with boto3.

        Args:
            training_job_name: Name of the job. A `Path`, a text with a slash, such as an `s3://` address, or the name
                of a folder with `system` or `framework` in it, is the root of a profile; it needs no request to
                SageMaker.
            region: Region of the job. The default is the region of the environment.
        """
        name = os.fspath(training_job_name)
        self.sm_client: Any = None
        self.profiler_config: dict[str, Any] | None = None
        self.profiler_s3_output_path: str | None = None
        self.system_metrics_reader: SystemMetricsReader | None = None
        self.framework_metrics_reader: AlgorithmMetricsReader | None = None
        if isinstance(training_job_name, os.PathLike) or "/" in name or _is_profile(name):
            parts = [part for part in name.split("/") if part and part != "profiler-output"]
            self.name = parts[-1] if parts else name
            self.profiler_s3_output_path = name
        else:
            self.name = name
            boto3 = import_optional("boto3", None, "ask SageMaker about a job")
            self.sm_client = boto3.client("sagemaker", region_name=region)
        self.get_config_and_profiler_s3_output_path()

    def get_systems_metrics_reader(self) -> SystemMetricsReader | None:
        """Returns the reader of system metrics; None before `wait_for_sys_profiling_data_to_be_available`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_systems_metrics_reader()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.system_metrics_reader

    def get_framework_metrics_reader(self) -> AlgorithmMetricsReader | None:
        """Returns the reader of timelines; None before `wait_for_framework_profiling_data_to_be_available`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_framework_metrics_reader()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.framework_metrics_reader

    def get_sm_client(self) -> Any:  # noqa: ANN401 - boto3 creates its classes at run time
        """Returns the SageMaker client; None for a profile that was opened by its path.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
            >>> TrainingJob("s3://bucket/job/profiler-output").get_sm_client()
            ProfilerConfig:None
            s3 path:s3://bucket/job/profiler-output
        """
        return self.sm_client

    def get_config_and_profiler_s3_output_path(self) -> tuple[dict[str, Any] | None, str | None]:
        """Returns the job's `ProfilerConfig` and the root of its profile; prints both until there is a configuration.

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
        """Returns SageMaker's description of the job.

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
        """Waits for the first file of system metrics; then `get_systems_metrics_reader` returns a reader.

        It stops waiting, with a message, after the job ended; for a profile that was opened by its path, immediately.

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
        """Waits for the first timeline; then `get_framework_metrics_reader` returns a reader.

        It stops waiting, with a message, after the job ended; for a profile that was opened by its path, immediately.

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
        """Waits for files; returns False if the job ended without any."""
        last_status = None
        has_ended = False
        while reader.get_timestamp_of_latest_available_file() == 0:
            print(f"Profiler data from {what} not available yet")
            if has_ended or self.sm_client is None:
                why = ", and the job has ended" if has_ended else ""
                print(f"There is none in {self.profiler_s3_output_path}{why}")
                return False
            description = self.describe_training_job()
            status = description.get("TrainingJobStatus"), description.get("SecondaryStatus")
            if tell_status and status != last_status:
                print(f"time: {time.time()} TrainingJobStatus:{status[0]} TrainingJobSecondaryStatus:{status[1]}")
            last_status = status
            # the last files exist before the job has the status of its end, so one more check is enough
            has_ended = status[0] in ENDED
            if not has_ended:
                time.sleep(PAUSE_S)
            reader.refresh_event_file_list()
        return True


def _is_profile(path: str) -> bool:
    """Returns whether a local folder is the root of a profile."""
    return any(Path(path, part).is_dir() for part in ("system", "framework"))
