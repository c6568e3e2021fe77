"""The processes of a cluster on free ports."""

from __future__ import annotations

import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from hang_guard import HANG_GUARD_S, wait_until
from s3_server import GIVEN_PORTS, free_ports, is_free

if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("TRACELAKE_CLUSTER_PROGRAM", str(ROOT / "cluster/target/debug/tracelake-cluster"))
SHELL = os.environ.get("TRACELAKE_PROGRAM", str(ROOT / "target/debug/tracelake"))


def text_at(url: str) -> tuple[int, str]:
    """Returns status and text of an HTTP response; status 0 without a server."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310 - of loopback
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:
        return 0, ""


class Node:
    """A process of the cluster, and its stderr."""

    def __init__(self, log: Path, probes: int, arguments: list[str], environment: Mapping[str, str]) -> None:
        self.log, self.probes = log, f"http://127.0.0.1:{probes}"
        self.arguments, self.environment = arguments, {**os.environ, **environment}
        self.start()

    def start(self) -> None:
        """Starts or restarts the process."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([PROGRAM, *self.arguments], stderr=log, env=self.environment)

    def wait(self, others: Sequence[Node] = ()) -> None:
        """Waits until the process is ready. It is an error if it ends, or one of the others that it waits for."""

        def is_ready() -> bool:
            for node in (self, *others):
                assert node.process.poll() is None, f"{node.log.name}: {node.text()}"
            return text_at(f"{self.probes}/readyz")[0] == 200

        try:
            wait_until(is_ready, f"readiness of the process that logs to {self.log}", 0.1)
        except AssertionError as error:
            error.add_note(self.text())
            raise

    def text(self) -> str:
        """Returns the text on stderr."""
        return self.log.read_text(errors="replace")

    def end(self, how: signal.Signals) -> int:
        """Sends a signal, and returns the exit code."""
        self.process.send_signal(how)
        return self.process.wait(HANG_GUARD_S)


class Cluster:
    """A scheduler and executors while the `with` block lasts."""

    def __init__(
        self, folder: Path, *, executors: int, environment: Mapping[str, str] | None = None, cores: int = 1
    ) -> None:
        self.folder = folder
        ports = free_ports(2)
        self.address = f"df://127.0.0.1:{ports[0]}"
        common = ["--dead-after", "8", "--patience", "20"]
        self.scheduler = Node(
            folder / "scheduler.log",
            ports[0],
            ["scheduler", "--port", str(ports[0]), "--executors-port", str(ports[1]), *common],
            environment or {},
        )
        self.executors: list[Node] = []
        for n in range(executors):
            port = run_of_ports(3)
            arguments = [
                "executor", "--scheduler", f"127.0.0.1:{ports[1]}", "--port", str(port), "--cores", str(cores),
                "--folder", str(folder), "--memory", "2048",
            ]  # fmt: skip
            node = Node(folder / f"executor-{n}.log", port + 2, arguments, environment or {})
            self.executors.append(node)

    @property
    def nodes(self) -> list[Node]:
        """Returns all processes."""
        return [self.scheduler, *self.executors]

    def __enter__(self) -> Self:
        try:
            for node in self.nodes:
                node.wait(self.nodes)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            if node.process.poll() is None:
                node.process.kill()
                node.process.wait()

    def logs(self) -> str:
        """Returns the text on stderr of all processes."""
        return "".join(node.text() for node in self.nodes)

    def shuffle_files(self) -> list[Path]:
        """Returns the shuffle files of the executors."""
        folders = self.folder.glob("tracelake-executor-*")
        # unlike `glob`, `walk` tolerates folders that an executor removes meanwhile
        return [Path(path, name) for folder in folders for path, _, names in os.walk(folder) for name in names]


def run_of_ports(count: int) -> int:
    """Returns the first of `count` consecutive free ports."""
    while True:
        (first,) = free_ports(1)
        ports = range(first + 1, first + count)
        if all(port not in GIVEN_PORTS and is_free(port) for port in ports):
            GIVEN_PORTS.update(ports)
            return first
