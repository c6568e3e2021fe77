"""How long a notebook is waited for: the first figure in Python, and the kernel and the cells of a Rust notebook."""

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
let s: Session = open_with("{FIRST_LOOK}", Open {{ ephemeral: true, ..Open::default() }})?;
s.step().duration().fetch()?""",
    "Rust, query": "s.loader().next().fetch()?",
    "Rust, SQL": 's.sql("select mode, count(*) as n, median(dur) as dur from step group by mode order by mode")?',
    "Rust, figure": 's.figure("step_timeline", &[("run", "first_look")])?',
    "Rust, variable": "let steps: usize = s.step().duration().fetch()?.rows()?;",
}
CELL_SECONDS = 300


def rust_notebook(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> dict[str, float]:
    """The kernel of the Rust notebook from its start until it is ready, and its cells, a new kernel each time."""
    cache = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake")
    tools = cache / "tools/bin"
    if not (tools / "evcxr_jupyter").exists():
        print("  NOT MEASURED: there is no evcxr_jupyter in the cache folder; `make kernel` installs it", flush=True)
        return {}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    # it builds the crate of the clone that it is called in
    install = [built.command, "jupyter", "install", "--release", "--prefix", str(scratch)]
    subprocess.run(install, cwd=ROOT, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.DEVNULL)
    times = [kernel(scratch / "share/jupyter/kernels") for _ in range(given.runs)]
    return {what: median(one[what] for one in times) for what in times[0]}


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
        seconds = {"Rust, start of the kernel": time.perf_counter() - begun}
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
    """Measures both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        built = programs.programs(given)
        every = [float(run([sys.executable, "-c", FIGURE], PYTHONPATH=built.package).text) for _ in range(given.runs)]
        seconds = {"Python, from `import` to the first figure of the bundled profile": median(every)}
        seconds |= rust_notebook(given, built, Path(folder))
    rows = [[what, f"{took:.2f}"] for what, took in seconds.items()]
    how = f"new processes and new lakes, medians of {given.runs}"
    document.tell(given, "notebooks", document.table(["", "seconds"], rows), how)


if __name__ == "__main__":
    main()
