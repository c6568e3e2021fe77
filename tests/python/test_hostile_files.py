"""Files that attack memory or time: a line of a gigabyte, and a decompression bomb.

tests/it/hostile.rs has the small ones.
"""

import gzip
import subprocess
import sys

import pyarrow as pa
import pytest

import tracelake as tl

pytestmark = pytest.mark.slow

GIGABYTE = 1 << 30
BLOCK = 1 << 20
# maximum peak memory of a process, in MB: far less than its input; 120 are those of an idle process in the dev profile
MOST = 420

REPORTS = "rule-output/ProfilerReport-1/profiler-output/profiler-reports"
PYTHON = "framework/pytorch"
STEP = "train-0-stepstart-1600000202000000.0_train-0-stepend-1600000203000000.0"

# the start of a file of each format, up to a text that does not end
BEGINNINGS = {
    "own.pt.trace.json": b'{"schemaVersion": 1, "traceEvents": [\n{"ph": "X", "name": "',
    "framework/pevents/2020091312/1600000250000000_0-algo-1_pythontimeline.json": b'[\n{"name": "',
    "system/incremental/2020091312/1600000200.algo-1.json": b'{"Type":"cpu","Name":"',
    "timings.csv": b"load_s,compute_s\n0.5,0.25\n",
    "timings.jsonl": b'{"load_s": 0.5}\n{"load_s": ',
    "main-0-7.jsonl": b'{"recorder":"tracelake","version":1,"host":"n","rank":0,"pid":7}\n{"kind":"',
    "fit-perf_logs-0.txt": b"FIT Profiler Report\n",
    "version_0/metrics.csv": b"epoch,step,train_loss\n0,1,0.5\n",
    "trace.json": b'{"traceEvents": [\n{"ph": "X", "name": "',
    f"{REPORTS}/StepOutlier.json": b'{"RuleTriggered": 0, "Details": {"a": "',
    f"{PYTHON}/pyinstrument/0-algo-1/{STEP}/python_stats.json": b'{"sample_count": 1, "root_frame": {"function": "',
    # a text of 2,147,483,647 bytes in the format of `marshal`, and an equally long record of TensorBoard
    f"{PYTHON}/cprofile/0-algo-1/{STEP}/python_stats": b"{u\xff\xff\xff\x7f",
    "events.out.tfevents.1600000200.algo-1": b"\xff\xff\xff\x7f\0\0\0\0\x92\r\xca\xf7",
    "m.json": b'{"mode": "log", "total_batches": 3, "total_time": 1, "avg_batch_time": "',
}


# the peak includes the memory at the fork, so a small process starts it and not this large one
STARTER = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def peak(command):
    """Returns the exit code of a process, its stderr, and its peak memory in MB."""
    done = subprocess.run([sys.executable, "-c", STARTER, *command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, int(done.stdout) / (1e6 if sys.platform == "darwin" else 1e3)


@pytest.mark.parametrize("name", BEGINNINGS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_line_of_a_gigabyte_is_not_held_in_memory(name, packed, tmp_path):
    file = tmp_path / "job" / (name + ".gz" * packed)
    file.parent.mkdir(parents=True)
    with gzip.open(file, "wb", 1) if packed else file.open("wb") as out:
        out.write(BEGINNINGS[name])
        if packed:
            for _ in range(GIGABYTE // BLOCK):
                out.write(b"a" * BLOCK)
        else:
            out.seek(GIGABYTE)  # zeros, which need no disk space
            out.write(b"a")
    code, output, mb = peak(
        [
            sys.executable,
            "-m",
            "tracelake",
            "--lake",
            str(tmp_path / "lake"),
            "ingest",
            str(tmp_path / "job"),
            "--run",
            "job",
        ]
    )
    assert code in (0, 3), output
    assert mb < MOST, f"{mb:.0f} MB"
    assert "panic" not in output
    if code == 3:
        assert "cannot read" in output


def test_a_decompression_bomb_is_refused(lake, tmp_path):
    """A file of blanks, without lines as a limit, which Zstandard compresses to a ten thousandth."""
    file = tmp_path / "own.pt.trace.json.zst"
    with pa.CompressedOutputStream(str(file), "zstd") as out:
        out.write(b'{"schemaVersion": 1, "traceEvents": [\n')
        out.write(b'{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}\n')
        for _ in range(GIGABYTE // BLOCK):
            out.write(b"          \n" * (BLOCK // 11))
        out.write(b"]}")
    assert file.stat().st_size < GIGABYTE / 5000
    with pytest.raises(tl.errors.MalformedError, match=r"it decompresses to more than \d+ bytes") as caught:
        lake.ingest(file, progress=False)
    assert "decompression bomb" in str(caught.value)
    assert len(lake.runs()) == 0
