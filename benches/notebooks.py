"""Measures the time to the first figure in Python, and the start of the kernel and the cells of a Rust notebook."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import document
import programs
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from process import run
from programs import ROOT
from sources import FIRST_LOOK

FIGURE = (
    "import time; t = time.perf_counter(); import tracelake as tl; "
    f"s = tl.open({str(FIRST_LOOK)!r}, ephemeral=True); s.figure('step_timeline').to_html(); "
    "print(time.perf_counter() - t)"
)
# The cells of a Rust notebook, in their order.
CELLS = {
    "Rust, first cell": f"""\
let s: Session = open_with("{FIRST_LOOK}", OpenOptions {{ ephemeral: true, ..OpenOptions::default() }})?;
s.step().duration().fetch()?""",
    "Rust, query": "s.loader().next().fetch()?",
    "Rust, SQL": 's.sql("select mode, count(*) as n, median(dur) as dur from step group by mode order by mode")?',
    "Rust, figure": 's.figure("step_timeline", &[("run", "first_look")])?',
    "Rust, variable": "let steps: usize = s.step().duration().fetch()?.len()?;",
}
CELL_SECONDS = 300


def rust_notebook(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> dict[str, float]:
    """Seconds of the start of the Rust kernel and of each cell: medians over several new kernels."""
    cache = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake")
    tools = cache / "tools/bin"
    if not (tools / "evcxr_jupyter").exists():
        print("  NOT MEASURED: there is no evcxr_jupyter in the cache folder; `make kernel` installs it", flush=True)
        return {}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    # The command builds the crate of the clone in its working folder.
    install = [build.command, "jupyter", "install", "--release", "--prefix", str(scratch)]
    subprocess.run(install, cwd=ROOT, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.DEVNULL)
    times = [measure_kernel(scratch / "share/jupyter/kernels") for _ in range(args.runs)]
    return {name: median(one[name] for one in times) for name in times[0]}


def measure_kernel(kernels: Path) -> dict[str, float]:
    """Seconds until a kernel is ready, and of each cell."""
    specs = KernelSpecManager(kernel_dirs=[str(kernels)], ensure_native_kernel=False)
    manager = KernelManager(kernel_name="tracelake-rust", kernel_spec_manager=specs)
    start = time.perf_counter()
    manager.start_kernel()
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=CELL_SECONDS)
        seconds = {"Rust, start of the kernel": time.perf_counter() - start}
        for name, code in CELLS.items():
            messages: list[dict] = []
            start = time.perf_counter()
            reply = client.execute_interactive(
                code, allow_stdin=False, timeout=CELL_SECONDS, output_hook=messages.append
            )
            seconds[name] = time.perf_counter() - start
            if reply["content"]["status"] != "ok":
                sys.exit(f"a cell of the Rust notebook failed: {code}\n{[message['content'] for message in messages]}")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return seconds


def main() -> None:
    """Measures Python and the Rust notebook."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    args = document.parse_args(parser)
    with tempfile.TemporaryDirectory() as folder:
        build = programs.programs(args)
        first_figures = [
            float(run([sys.executable, "-c", FIGURE], PYTHONPATH=build.package).text) for _ in range(args.runs)
        ]
        seconds = {"Python, from `import` to the first figure of the bundled profile": median(first_figures)}
        seconds |= rust_notebook(args, build, Path(folder))
    rows = [[name, f"{value:.2f}"] for name, value in seconds.items()]
    method = f"new processes and new lakes, medians of {args.runs}"
    document.report_block(args, "notebooks", document.table(["", "seconds"], rows), method)


if __name__ == "__main__":
    main()
