"""Findings of steps, devices and ranks, and the verdict, compared with the generated numbers."""

import json
from statistics import fmean, median, pstdev

import pytest

import tracelake as tl
from sagemaker_raw import steps as raw_steps

BASE = 1_600_000_200_000_000  # us
STEPS = 24
GPU = {
    "id": 0,
    "name": "NVIDIA Made Up",
    "totalGlobalMem": 1 << 30,
    "computeMajor": 8,
    "computeMinor": 0,
    "numSms": 8,
}


class Trace:
    """A trace of 24 equal steps; times are in us after its start."""

    def __init__(self, length, *, rank=0, world=1, backend="nccl", gpu=GPU):
        self.length, self.events, self.calls = length, [], 0
        self.root = {"distributedInfo": {"backend": backend, "rank": rank, "world_size": world}}
        if gpu:
            self.root["deviceProperties"] = [gpu]
        for number in range(STEPS):
            self.add_host("user_annotation", f"ProfilerStep#{number}", number * length, length)

    def add_host(self, category, name, ts, dur):
        self.events.append(
            {
                "ph": "X",
                "cat": category,
                "name": name,
                "pid": 1,
                "tid": 1,
                "ts": BASE + ts,
                "dur": dur,
            }
        )

    def add_per_step(self, category, name, ts, dur):
        for number in range(STEPS):
            self.add_host(category, name, number * self.length + ts, dur)

    def add_device_work(self, name, ts, dur, *, launch=None, operator=None, category="kernel", device=0):
        """Adds device work to each step, with a launch of 5 us at `launch`, inside `operator`."""
        for number in range(STEPS):
            self.calls += 1
            start, args = (
                number * self.length,
                {"device": device, "stream": 7, "correlation": self.calls},
            )
            placed = {
                "pid": device,
                "tid": 7,
                "ts": BASE + start + ts,
                "dur": dur,
                "args": args,
            }
            self.events.append({"ph": "X", "cat": category, "name": name, **placed})
            if launch is not None:
                if operator:
                    self.add_host("cpu_op", operator, start + launch - 1, 8)
                self.add_host("cuda_runtime", "cudaLaunchKernel", start + launch, 5)
                self.events[-1]["args"] = {"correlation": self.calls}

    def write(self, folder):
        folder.mkdir(exist_ok=True)
        rank = self.root["distributedInfo"]["rank"]
        path = folder / f"rank{rank}.1600000200000000000.pt.trace.json"
        path.write_text(json.dumps({**self.root, "traceEvents": self.events}))
        return folder


def small():
    """Four kernels of 5 us in 400 us, each launched long after the end of the previous one."""
    trace = Trace(400)
    for place in range(4):
        trace.add_device_work(
            "ampere_sgemm_64x64",
            100 * place + 20,
            5,
            launch=100 * place + 10,
            operator="aten::mm",
        )
    return [trace]


def busy_gpu():
    """A tensor core kernel of 950 in 1000 us, launched a step ahead, and a concurrent copy of 10 us."""
    trace = Trace(1000)
    trace.add_device_work("ampere_h16816gemm_128x128", 20, 950, launch=2, operator="aten::mm")
    trace.add_device_work("Memcpy HtoD (Pinned -> Device)", 500, 10, category="gpu_memcpy")
    return [trace]


def pageable_copies():
    """A pageable copy of 300 us before a kernel of 500 us, in 1000 us, on a device without tensor cores."""
    trace = Trace(1000, gpu={**GPU, "computeMajor": 6})
    trace.add_device_work("Memcpy HtoD (Pageable -> Device)", 50, 300, launch=20, category="gpu_memcpy")
    trace.add_device_work("ampere_sgemm_64x64", 400, 500, launch=30)
    return [trace]


def two_ranks(backend="nccl"):
    """Two ranks with an all-reduce: rank 1 is 300 us late because it waits for data, and rank 0 waits for it."""
    events = []
    for rank in (0, 1):
        trace = Trace(1000, rank=rank, world=2, backend=backend)
        late = 300 * rank
        trace.add_per_step("user_annotation", "DistributedDataParallel.forward", 310, 50)
        if rank:
            trace.add_per_step(
                "user_annotation",
                "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                0,
                300,
            )
        trace.add_device_work("ampere_sgemm_64x64", late + 50, 400, launch=20)
        trace.add_device_work(
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL()",
            late + 450,
            500 - late,
            launch=25,
        )
        events.append(trace)
    return events


def data_parallel():
    """DataParallel on two devices, without operators around the launches."""
    trace = Trace(1000)
    trace.add_per_step("user_annotation", "DataParallel.forward", 10, 900)
    for device in (0, 1):
        trace.add_device_work("ampere_sgemm_64x64", 100, 850, launch=50 + 10 * device, device=device)
    return [trace]


def loop(folder, rows):
    folder.mkdir()
    lines = [f"{step},{load},{compute}" for step, (load, compute) in enumerate(rows)]
    (folder / "timings.csv").write_text("\n".join(["step,load_s,compute_s", *lines]) + "\n")
    return folder


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """A session with all traces, each a separate run."""
    out = tmp_path_factory.mktemp("training")
    runs = {
        "small": small(),
        "full": busy_gpu(),
        "copying": pageable_copies(),
        "two": two_ranks(),
        "mpi": two_ranks("mpi"),
        "several": data_parallel(),
    }
    with tl.open(out / "lake", create=True) as session:
        for run, traces in runs.items():
            for trace in traces:
                folder = trace.write(out / run)
            session.ingest(folder, run=run)
        # ten of eleven batches are equal; a checkpoint after each eleventh, and a slow first one
        saved = [(0.001, 0.5 if n == 0 else 0.2 if n % 11 == 0 else 0.02) for n in range(44)]
        session.ingest(loop(out / "saved", saved), run="saved", tags={"num_workers": 2})
        session.ingest(loop(out / "even", [(0.001, 0.02)] * 30), run="even")
        session.ingest(
            loop(out / "alone", [(0.03, 0.02)] * 30),
            run="alone",
            tags={"num_workers": 0},
        )
        yield session


def finding_of(session, finding, run):
    rows = list(session.sql(f"select * from finding_{finding} where run = '{run}'"))
    assert len(rows) == 1
    assert rows[0]["id"] == finding
    return rows[0]


CASES = {
    # (run, severity, value, potential saving in ns), then a passing run with its value, then one without data
    "small_kernels": (("small", "warning", 5_000, None), ("full", 950_000), "even"),
    "launch_bound": (("small", "warning", 1.0, None), ("full", None), "even"),
    "host_to_device_copy": (
        ("copying", "warning", 0.3, 300_000 * STEPS),
        ("full", 0),
        "even",
    ),
    "communication_high": (
        ("two", "warning", 0.5, 400_000 * STEPS),
        ("full", 0),
        "even",
    ),
    "communication_exposed": (
        ("two", "notice", 1.0, 350_000 * STEPS),
        ("full", None),
        "even",
    ),
    "rank_straggler": (("two", "critical", 0.3, 300_000 * STEPS), None, "full"),
    "data_parallel": (("several", "warning", 2, None), ("full", 0), "even"),
    "ddp_without_nccl": (("mpi", "warning", 2, None), ("two", 2), "even"),
    "tensor_cores_unused": (
        ("small", "warning", 1.0, 20_000 * STEPS),
        ("full", 0),
        "two",
    ),
    "no_workers": (("alone", "warning", 0.6, None), ("saved", None), "even"),
    "accelerator_utilization_low": (
        ("alone", "notice", 0.4, None),
        ("even", 0.02 / 0.021),
        "full",
    ),
    "gpu_low_not_loader": (None, None, "even"),
    "loader_straggler": (None, None, "full"),
    "worker_count_vs_cores": (None, None, "even"),
    "evaluation_share": (None, None, "full"),
    "step_outliers": (None, None, "full"),
    "unattributed": (None, ("full", 0.95 * STEPS / (STEPS - 0.05 + 0.02)), "even"),
}


@pytest.mark.parametrize("finding", CASES)
def test_a_finding_has_each_outcome(lake, finding):
    expected, clear, unknown = CASES[finding]
    if expected:
        run, severity, value, potential_saving = expected
        row = finding_of(lake, finding, run)
        assert (row["outcome"], row["severity"]) == ("found", severity), row
        assert row["value"] == pytest.approx(value)
        assert potential_saving is None or row["potential_saving"] == pytest.approx(potential_saving)
    if clear:
        row = finding_of(lake, finding, clear[0])
        assert (row["outcome"], row["severity"]) == ("passed", None), row
        assert clear[1] is None or row["value"] == pytest.approx(clear[1], abs=2e-3)
    row = finding_of(lake, finding, unknown)
    assert (row["outcome"], row["value"]) == ("no_data", None), row
    assert row["sentence"].startswith("not enough data: needs ")


def test_a_straggler_finding_names_the_cause(lake):
    assert "rank 1 delays the other ranks for 30.0 %" in finding_of(lake, "rank_straggler", "two")["sentence"]
    # two launches of 5 us are in the wait, after a runtime call
    assert "290 us more per step waiting for data" in finding_of(lake, "rank_straggler", "two")["sentence"]


def test_pauses_and_warm_up_are_found(lake):
    """Three checkpoints of 200 ms between batches of 21 ms, without the first batch, which took 500 ms longer."""
    row = finding_of(lake, "between_batches_slow", "saved")
    loop_s = 40 * 0.021 + 3 * 0.201
    assert row["value"] == pytest.approx(3 * 0.18 / loop_s)
    assert row["potential_saving"] == pytest.approx(3 * 0.18e9)
    assert row["severity"] == "warning"
    assert "one pause every 11 batches" in row["sentence"]
    assert finding_of(lake, "between_batches_slow", "even")["outcome"] == "passed"
    assert finding_of(lake, "between_batches_slow", "full")["outcome"] == "no_data"
    row = finding_of(lake, "warmup_steps", "saved")
    assert (row["value"], row["potential_saving"]) == (pytest.approx(25), pytest.approx(0.48e9))
    assert finding_of(lake, "warmup_steps", "even")["outcome"] == "passed"
    assert finding_of(lake, "warmup_steps", "full")["value"] == pytest.approx(1)


def test_the_verdict_follows_from_the_steps(lake):
    rows = {row["run"]: row for row in list(lake.query("job.verdict"))}
    verdicts = {run: row["verdict"] for run, row in rows.items()}
    assert verdicts == {
        "alone": "input-bound",
        "copying": "mixed",
        "even": "no_data",
        "full": "compute-bound",
        "mpi": "input-bound",
        "saved": "no_data",
        "several": "compute-bound",
        "small": "host-bound",
        "two": "input-bound",
    }, rows
    assert rows["small"]["host_ratio"] == pytest.approx(1 - 20 / 400)
    # Rank 0 waits for half of its time in collectives, for rank 1, which waits for data.
    assert rows["two"]["worst_rank"] == 1
    assert [rows["two"]["communication_ratio"], rows["two"]["input_ratio"]] == pytest.approx([0.35, 0.145])
    assert rows["two"]["sentence"].startswith("rank 1 delays the others: 29.0 % waiting for data, 20.0 % communication")
    assert "needs samples of the GPU or its kernels" in rows["even"]["sentence"]
    assert lake.query("job.verdict", "small", idle=0.99).to_arrow()["verdict"].to_pylist() == ["mixed"]


def test_steps_of_a_job_equal_the_raw_steps(generate):
    """Compares outliers and warm-up of SageMaker's steps with the raw files, and evaluation with the phases."""
    path = generate(steps=260, minutes=2, modes=1)
    with tl.open(path, ephemeral=True) as session:
        run = session.runs().to_arrow()["run"].to_pylist()[0]
        processes = {
            process: [end - start for mode, _, start, end in process_steps if mode == "train"]
            for process, process_steps in raw_steps(path).items()
        }
        outliers = {r: sum(d > fmean(durs) + 3 * pstdev(durs) for d in durs) for r, durs in processes.items()}
        row = finding_of(session, "step_outliers", run)
        assert row["value"] == max(outliers.values())
        assert row["outcome"] == "passed"
        [row] = list(session.query("finding.step_outliers", run, n_outliers=int(row["value"]) - 1))
        assert row["outcome"] == "found"
        row = finding_of(session, "warmup_steps", run)
        assert row["value"] == pytest.approx(max(durs[0] / median(durs) for durs in processes.values()))
        phases = list(session.query("job.phases"))
        spent = {mode: sum(p["dur"] for p in phases if p["mode"] == mode) for mode in ("train", "eval")}
        row = finding_of(session, "evaluation_share", run)
        assert row["value"] == pytest.approx(spent["eval"] / sum(spent.values()))


def test_findings_do_not_depend_on_other_runs(shared, tmp_path):
    """Two real ranks that are late alternately give no straggler; a rank that loads slowly is one."""
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(shared / "data" / "kineto" / "hta" / "trace_filter", run="turns")
        session.ingest(shared / "data" / "kineto" / "torch" / "ddp_gloo_2ranks", run="late")
        assert finding_of(session, "rank_straggler", "turns")["outcome"] == "passed"
        assert finding_of(session, "rank_straggler", "late")["value"] > 0.5
        assert finding_of(session, "loader_straggler", "late")["outcome"] == "found"
        assert finding_of(session, "loader_straggler", "turns")["outcome"] == "no_data"
