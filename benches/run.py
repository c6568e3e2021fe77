"""The figures that README.md and docs quote: `make bench` runs this with release builds and prints medians of five.

Ingest is measured as whole processes, in turn with the bare pass (benches/bare_pass.rs), so that the ratio holds on a
noisy machine; that of traces without reading the file. Peak memory is that of the whole process as the operating system
counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[1]
RUNS = 5
FIRST_LOOK = ROOT / "tests/data/first_look/profiler-output"
# 20 MB, 200 MB and 2 GB of profile; the middle one is the one that ratios are quoted for.
SIZES = {
    "20 MB": ["--minutes", "6", "--steps", "750"],
    "200 MB": ["--minutes", "60", "--steps", "7500"],
    "2 GB": ["--minutes", "600", "--steps", "75000"],
}
# A trace with stacks, in MB.
TRACES = {"50 MB": 50, "200 MB": 200, "1 GB": 1000, "4 GB": 4000}
SHAPE = [
    "--nodes",
    "2",
    "--ranks",
    "2",
    "--epochs",
    "4",
    "--submodules",
    "12",
    "--modes",
    "1",
    "--cores",
    "16",
    "--gpus",
    "4",
    "--pystats",
    "0",
]
# The cells of a Rust notebook, in their order.
CELLS = {
    "first cell": f"""\
let s: Session = open_with("{FIRST_LOOK}", Open {{ ephemeral: true, ..Open::default() }})?;
s.step().duration().fetch()?""",
    "query": "s.loader().next().fetch()?",
    "SQL": 's.sql("select mode, count(*) as n, median(dur) as dur from step group by mode order by mode")?',
    "figure": 's.figure("step_timeline", &[("run", "first_look")])?',
    "variable": "let steps: usize = s.step().duration().fetch()?.rows()?;",
}
CELL_SECONDS = 300


def measured(command: list[str], cores: int = 1) -> tuple[float, float, float, str]:
    """Wall seconds, processor seconds, peak MB and output of a process on so many cores."""
    begun = time.perf_counter()
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(everywhere)[:cores]))  # inherited by the child
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(0, everywhere)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command} ended with {child.returncode}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def machine() -> str:
    """What the figures were measured on."""
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "?",
    )
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def ingest(tracelake: str, bare: str, profile: Path, scratch: Path) -> None:
    """Ingest against the bare pass, in turn."""
    rates, bares, peaks, rows = [], [], [], 0
    for _ in range(RUNS):
        _, seconds, _, text = measured([bare, str(profile)])
        one = json.loads(text)
        bares.append(one["bytes"] / 1e6 / seconds)
        lake = scratch / "lake"
        shutil.rmtree(lake, ignore_errors=True)
        _, seconds, peak, text = measured([tracelake, "--lake", str(lake), "ingest", str(profile), "--run", "bench"])
        rates.append(one["bytes"] / 1e6 / seconds)
        peaks.append(peak)
        rows = one["entries"] / seconds
    ratio = statistics.median(a / b for a, b in zip(rates, bares, strict=True))
    print(
        f"  {one['bytes'] / 1e6:8.1f} MB, {one['entries']} entries: "
        f"ingest {statistics.median(rates):.0f} MB/s, {rows:,.0f} entries/s; "
        f"bare pass {statistics.median(bares):.0f} MB/s; ratio {ratio:.2f}; peak {statistics.median(peaks):.0f} MB"
    )


def traces(tracelake: str, bare: str, size: int, scratch: Path) -> None:
    """One trace on one core and on two, plain and packed, against the bare pass over the plain one, in turn."""
    generator = [sys.executable, str(ROOT / "tests/gen/large_trace.py"), "--megabytes", str(size)]
    kinds = {"plain": scratch / "plain", "gzip": scratch / "gzip"}
    subprocess.run([*generator, "--out", str(kinds["plain"])], check=True)
    subprocess.run([*generator, "--out", str(kinds["gzip"]), "--gzip"], check=True)
    bares: list[float] = []
    runs: dict[tuple[str, int], list[tuple[float, float, float]]] = {
        (kind, cores): [] for kind in kinds for cores in (1, 2)
    }
    for _ in range(RUNS):
        bares.append(json.loads(measured([bare, str(kinds["plain"])])[3])["visiting"])
        for (kind, cores), done in runs.items():
            lake = scratch / "lake"
            shutil.rmtree(lake, ignore_errors=True)
            command = [tracelake, "--lake", str(lake), "ingest", str(kinds[kind]), "--run", "bench"]
            done.append(measured(command, cores)[:3])
    mb = sum(file.stat().st_size for file in kinds["plain"].iterdir()) / 1e6
    print(f"  {mb:8.1f} MB; bare pass {mb / statistics.median(bares):.0f} MB/s")
    for (kind, cores), done in runs.items():
        ratio = statistics.median(one / cpu for one, (_, cpu, _) in zip(bares, done, strict=True))
        faster = statistics.median(one / two for (one, *_), (two, *_) in zip(runs[kind, 1], done, strict=True))
        wall, cpu, peak = (statistics.median(column) for column in zip(*done, strict=True))
        print(
            f"    {kind}, {cores} cores: {mb / cpu:.0f} MB/s of processor time, ratio {ratio:.2f}; "
            f"{mb / wall:.0f} MB/s of wall time, {faster:.2f} times one core; peak {peak:.0f} MB",
            flush=True,
        )


def exports(tracelake: str, size: int, scratch: Path) -> None:
    """A trace from the lake to a file, plain and packed, both cores; rates are those of the JSON that is written."""
    generator = [sys.executable, str(ROOT / "tests/gen/large_trace.py"), "--megabytes", str(size)]
    subprocess.run([*generator, "--out", str(scratch / "trace")], check=True)
    lake = str(scratch / "lake")
    subprocess.run([tracelake, "--lake", lake, "ingest", str(scratch / "trace"), "--run", "bench"], check=True)
    for name in ("trace.json", "trace.json.gz"):
        command = [tracelake, "--lake", lake, "export", "bench", "-o", str(scratch / name)]
        done = [measured(command, cores=2)[:3] for _ in range(RUNS)]
        wall, cpu, peak = (statistics.median(column) for column in zip(*done, strict=True))
        mb = (scratch / "trace.json").stat().st_size / 1e6
        rates = f"{mb / cpu:.0f} MB/s of processor time, {mb / wall:.0f} MB/s"
        print(f"    {name}: {mb:.0f} MB; {rates}; peak {peak:.0f} MB", flush=True)


def programs() -> dict[str, str]:
    """The release builds: the command, the native module, and the programs of the benches, by name."""
    for command in (["cargo", "build", "--release", "--workspace"], ["cargo", "bench", "--no-run"]):
        subprocess.run([*command, "--locked"], cwd=ROOT, check=True)
    text = subprocess.run(
        ["cargo", "bench", "--no-run", "--locked", "--message-format=json"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    built = {}
    for line in text.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("executable"):
            built[message["target"]["name"]] = message["executable"]
    release = Path(built["bare_pass"]).parents[1]
    ending = "dylib" if platform.system() == "Darwin" else "so"
    return {**built, "tracelake": str(release / "tracelake"), "module": str(release / f"lib_tracelake.{ending}")}


def package(module: str, scratch: Path) -> dict[str, str]:
    """The environment of a Python that imports the package with this native module."""
    folder = scratch / "tracelake"
    folder.mkdir()
    for source in (ROOT / "python/tracelake").iterdir():
        if not source.name.startswith("_tracelake.abi3"):
            (folder / source.name).symlink_to(source)
    (folder / "_tracelake.abi3.so").symlink_to(module)
    return {**os.environ, "PYTHONPATH": str(scratch)}


def first_figure(module: str, scratch: Path) -> None:
    """From `import` to the first figure of the bundled profile, a new process and a new lake each time."""
    environment = package(module, scratch)
    code = (
        "import time; t = time.perf_counter(); import tracelake as tl; "
        f"s = tl.open({str(FIRST_LOOK)!r}, ephemeral=True); s.figure('step_timeline').to_html(); "
        "print(time.perf_counter() - t)"
    )
    seconds = []
    for _ in range(RUNS):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds.append(float(done.stdout))
    print(f"  import to first figure: {statistics.median(seconds):.2f} s")


def recorder(module: str, scratch: Path) -> None:
    """What recording a loader costs: benches/recorder.py."""
    subprocess.run([sys.executable, str(ROOT / "benches/recorder.py")], env=package(module, scratch), check=True)


def queries(program: str, profile: Path, tracelake: str, scratch: Path) -> None:
    """Every canned query over the generated profile: divan's own table."""
    lake = str(scratch / "queries")
    subprocess.run([tracelake, "--lake", lake, "ingest", str(profile), "--run", "bench"], check=True)
    subprocess.run([program, "--bench"], env={**os.environ, "TRACELAKE_BENCH_LAKE": lake}, check=True)


def rust_notebook(tracelake: str, scratch: Path) -> None:
    """The kernel of the Rust notebook from its start until it is ready, and its cells, a new kernel each time."""
    cache = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake")
    tools = cache / "tools/bin"
    if not (tools / "evcxr_jupyter").exists():
        print(f"  not measured: there is no evcxr_jupyter in {tools}; `make kernel` installs it")
        return
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    install = [tracelake, "jupyter", "install", "--release", "--prefix", str(scratch)]
    subprocess.run(install, cwd=ROOT, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.DEVNULL)
    times = [kernel(scratch / "share/jupyter/kernels") for _ in range(RUNS)]
    for what in times[0]:
        print(f"  {what}: {statistics.median(one[what] for one in times):.2f} s")


def kernel(kernels: Path) -> dict[str, float]:
    """Seconds until a kernel is ready, and for each cell."""
    specs = KernelSpecManager(kernel_dirs=[str(kernels)], ensure_native_kernel=False)
    manager = KernelManager(kernel_name="tracelake-rust", kernel_spec_manager=specs)
    begun = time.perf_counter()
    manager.start_kernel()
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=CELL_SECONDS)
        seconds = {"start of the kernel": time.perf_counter() - begun}
        for what, code in CELLS.items():
            said: list[dict] = []
            begun = time.perf_counter()
            reply = client.execute_interactive(code, allow_stdin=False, timeout=CELL_SECONDS, output_hook=said.append)
            seconds[what] = time.perf_counter() - begun
            if reply["content"]["status"] != "ok":
                sys.exit(f"a cell of the Rust notebook failed: {code}\n{[message['content'] for message in said]}")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return seconds


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sizes", nargs="*", default=["20 MB", "200 MB"], choices=list(SIZES), help="profiles to ingest"
    )
    parser.add_argument("--traces", nargs="*", default=["50 MB", "1 GB"], choices=list(TRACES), help="traces to ingest")
    given = parser.parse_args()
    built = programs()
    print(
        f"{machine()}, {time.strftime('%Y-%m-%d')}; medians of {RUNS}; rates per second of processor time, on one core"
    )
    print("ingest of a generated SageMaker profile:")
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            generator = [sys.executable, str(ROOT / "tests/gen/sagemaker.py"), "--out", str(scratch / "profile")]
            subprocess.run([*generator, *SIZES[size], *SHAPE], check=True, stdout=subprocess.DEVNULL)
            ingest(built["tracelake"], built["bare_pass"], scratch / "profile", scratch)
            if size == "200 MB":
                print("canned queries over it:", flush=True)
                queries(built["queries"], scratch / "profile", built["tracelake"], scratch)
    print("ingest of a generated PyTorch trace:")
    for size in given.traces:
        with tempfile.TemporaryDirectory() as folder:
            traces(built["tracelake"], built["bare_pass"], TRACES[size], Path(folder))
    print("export of a generated PyTorch trace of 200 MB:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        exports(built["tracelake"], TRACES["200 MB"], Path(folder))
    print("Python:")
    with tempfile.TemporaryDirectory() as folder:
        first_figure(built["module"], Path(folder))
    print("recorder, beside the bare loop:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        recorder(built["module"], Path(folder))
    print("Rust notebook:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rust_notebook(built["tracelake"], Path(folder))


if __name__ == "__main__":
    main()
