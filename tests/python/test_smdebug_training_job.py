"""`TrainingJob` of `tracelake.smdebug`, with boto3 and a server on loopback that answers like SageMaker."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from loopback_server import LoopbackServer
from tracelake.errors import ArgumentError
from tracelake.smdebug.profiler.analysis.notebook_utils import TrainingJob, training_job

JOB = "my-job"


class SageMaker(LoopbackServer):
    """Responds to DescribeTrainingJob; `answers` are the successive responses, and the last one repeats."""

    def __init__(self, *answers):
        super().__init__()
        self.answers = list(answers)
        self.requests = []
        self.after = lambda: None

    def respond(self, exchange):
        self.requests.append((exchange.headers["X-Amz-Target"], json.loads(exchange.body())))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.after()
        exchange.send(200, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps(answer).encode())


@pytest.fixture
def sagemaker(monkeypatch):
    """Creates a server for boto3, and patches sleeping."""
    servers = []

    def make(*answers):
        server = SageMaker(*answers)
        servers.append(server)
        monkeypatch.setenv("AWS_ENDPOINT_URL_SAGEMAKER", server.url)
        return server

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr(training_job, "PAUSE_S", 0)
    yield make
    for server in servers:
        server.close()


def described(folder, status="InProgress", secondary="Training"):
    config = {} if folder is None else {"ProfilerConfig": {"S3OutputPath": str(folder)}}
    return {"TrainingJobName": JOB, "TrainingJobStatus": status, "SecondaryStatus": secondary, **config}


@pytest.mark.parametrize("root", ["text", "path", "name"])
def test_a_local_profile_is_a_job_without_sagemaker(profile, tmp_path, monkeypatch, capsys, root):
    shutil.copytree(profile, tmp_path / JOB)
    monkeypatch.chdir(tmp_path)
    job = TrainingJob({"text": f"{tmp_path}/{JOB}", "path": Path(JOB), "name": JOB}[root])
    assert (job.name, job.get_sm_client()) == (JOB, None)
    job.wait_for_sys_profiling_data_to_be_available()
    job.wait_for_framework_profiling_data_to_be_available()
    assert capsys.readouterr().out.count("is available") == 2
    assert len(job.get_systems_metrics_reader().get_events(0, 2**61)) == 3724


def test_a_finished_job_has_readers(sagemaker, profile, tmp_path, capsys):
    shutil.copytree(profile, tmp_path / JOB / "profiler-output")
    server = sagemaker(described(f"{tmp_path}/", "Completed", "Completed"))
    job = TrainingJob(JOB, region="eu-west-1")
    path = f"{tmp_path}/{JOB}/profiler-output"
    assert server.requests == [("SageMaker.DescribeTrainingJob", {"TrainingJobName": JOB})]
    assert job.get_config_and_profiler_s3_output_path() == ({"S3OutputPath": f"{tmp_path}/"}, path)
    assert capsys.readouterr().out == f"ProfilerConfig:{{'S3OutputPath': '{tmp_path}/'}}\ns3 path:{path}\n"
    assert job.get_sm_client().meta.region_name == "eu-west-1"
    assert job.get_systems_metrics_reader() is job.get_framework_metrics_reader() is None
    job.wait_for_sys_profiling_data_to_be_available()
    job.wait_for_framework_profiling_data_to_be_available()
    assert capsys.readouterr().out == (
        "\n\nProfiler data from system is available\n"
        "\n\n Profiler data from framework is available\n"
        "Found recorded framework annotations. Latest available timestamp microsseconds_since_epoch "
        "is:1600000313340808 , human_readable_timestamp in utc: 2020-09-13T12:31:53:340808\n"
    )
    assert len(job.get_systems_metrics_reader().get_events(0, 2**51)) == 3724
    assert len(job.get_framework_metrics_reader().get_events(0, 2**51)) == 980
    assert len(server.requests) == 1
    assert job.describe_training_job()["TrainingJobStatus"] == "Completed"


def test_a_job_that_writes_later_is_awaited(sagemaker, profile, tmp_path, capsys):
    folder = tmp_path / JOB / "profiler-output"
    states = [("InProgress", "Starting"), ("InProgress", "Starting"), ("InProgress", "Training")]
    server = sagemaker(described(tmp_path), *(described(tmp_path, *state) for state in states))
    server.after = lambda: len(server.requests) == 4 and shutil.copytree(profile, folder)
    job = TrainingJob(JOB)
    capsys.readouterr()
    job.wait_for_sys_profiling_data_to_be_available()
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "Status" not in line] == [
        *["Profiler data from system not available yet"] * 3, "", "", "Profiler data from system is available",
    ]  # fmt: skip
    assert [line.split("TrainingJobStatus:")[1] for line in lines if "Status" in line] == [
        "InProgress TrainingJobSecondaryStatus:Starting",
        "InProgress TrainingJobSecondaryStatus:Training",
    ]


def test_a_job_that_ended_without_data_is_reported(sagemaker, tmp_path, capsys):
    server = sagemaker(described(tmp_path), described(tmp_path), described(tmp_path, "Failed", "Failed"))
    job = TrainingJob(JOB)
    job.wait_for_sys_profiling_data_to_be_available()
    job.wait_for_framework_profiling_data_to_be_available()
    out = capsys.readouterr().out
    assert out.count(f"There is none in {tmp_path}/{JOB}/profiler-output, and the job has ended") == 2
    assert len(server.requests) == 4
    assert job.get_systems_metrics_reader().get_events(0, 2**51) == []


def test_a_job_without_profiler_is_an_error(sagemaker, capsys):
    sagemaker(described(None))
    job = TrainingJob(JOB)
    assert capsys.readouterr().out == "ProfilerConfig:None\ns3 path:None\n"
    for wait in (
        job.wait_for_sys_profiling_data_to_be_available,
        job.wait_for_framework_profiling_data_to_be_available,
    ):
        with pytest.raises(ArgumentError, match=r"cannot read the profile of my-job: its ProfilerConfig names no"):
            wait()


def test_a_path_needs_neither_boto3_nor_sagemaker(profile, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "boto3", None)
    job = TrainingJob(profile)
    assert job.name == "first_look"
    job.wait_for_sys_profiling_data_to_be_available()
    assert job.get_systems_metrics_reader().get_timestamp_of_latest_available_file() == 1_600_000_320_000_000
    with pytest.raises(ArgumentError, match="cannot describe first_look"):
        job.describe_training_job()
    empty = TrainingJob(f"{tmp_path}/nothing")
    capsys.readouterr()
    empty.wait_for_framework_profiling_data_to_be_available()
    expected = f"Profiler data from framework not available yet\nThere is none in {tmp_path}/nothing\n"
    assert capsys.readouterr().out == expected
    with pytest.raises(
        ImportError, match=r"cannot ask SageMaker about a job: `boto3` is not installed\n.*pip install boto3"
    ):
        TrainingJob(JOB)
