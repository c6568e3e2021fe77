"""Writers of tables: timings, DALI's evaluator, Lightning's reports and `metrics.csv`."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from labeled.case import Planted, Source


@dataclass(frozen=True)
class Loop:
    """A loop over batches; seconds."""

    batches: int = 60
    load: float = 0.002
    compute: float = 0.1
    first: float | None = None  # load of the first batch of an epoch, if another
    epochs: int = 1
    ranks: int = 1
    jitter: float = 0.05
    period: int = 0  # all but the first of `period` batches are ready at once: workers deliver in bursts
    differs: Callable[[int, int], dict[str, float]] = lambda _rank, _batch: {}

    def rows(self, chance: random.Random) -> list[dict[str, float]]:
        """Returns a row for each batch: step, epoch, rank (if there are several), load_s, compute_s."""
        result = []
        for rank in range(self.ranks):
            for n in range(self.batches * self.epochs):
                epoch, batch = divmod(n, self.batches)
                load = self.first if self.first is not None and batch == 0 else self.load
                if self.period and batch % self.period:
                    load = self.load / 50
                part = {"load_s": load, "compute_s": self.compute, **self.differs(rank, n)}
                part = {key: round(s * (1 + self.jitter * chance.uniform(-1, 1)), 9) for key, s in part.items()}
                result.append({"step": n, "epoch": epoch, **({"rank": rank} if self.ranks > 1 else {}), **part})
        return result


def share(rows: list[dict[str, float]]) -> Planted:
    """Returns the share of loading of a loop's rows; of several ranks, the maximum."""
    ranks = {row.get("rank", 0) for row in rows}
    rows_by_rank = [[row for row in rows if row.get("rank", 0) == rank] for rank in ranks]
    return {
        "load": max(
            sum(r["load_s"] for r in rows) / sum(r["load_s"] + r["compute_s"] for r in rows) for rows in rows_by_rank
        )
    }


def timings(loop: Loop, kind: str = "csv", *, compute: bool = True, damage: str = "") -> Source:
    """Writes a custom table as csv, json or jsonl; optionally without `compute_s`, or with malformed rows."""

    def write(folder: Path, chance: random.Random) -> Planted:
        rows = loop.rows(chance)
        planted = share(rows) if compute and not damage else {}
        if not compute:
            rows = [{key: value for key, value in row.items() if key != "compute_s"} for row in rows]
        if kind == "json":
            text = json.dumps(rows, indent=1) + "\n"
        elif kind == "jsonl":
            text = "".join(json.dumps(row) + "\n" for row in rows)
        else:
            out = io.StringIO()
            writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            text = out.getvalue()
        if damage == "cut":
            text = text[: len(text) - 9]
        if damage == "values":
            lines = text.splitlines()
            lines[3], lines[7] = "2,0,nan,0.1", "6,0,-0.5,0.1"
            text = "\n".join(lines) + "\n"
        (folder / f"timings.{kind}").write_text(text)
        return planted

    return write


def evaluator(loop: Loop, *, replay: bool = True, ends: bool = True) -> Source:
    """Writes logs of DALI's Loader Evaluator: a real pass, and a replay with the same compute time."""

    def log(path: Path, mode: str, times: list[float], total: float) -> None:
        metrics: dict[str, object] = {"mode": mode, "total_batches": len(times), "total_time": total}
        metrics |= {
            "avg_batch_time": sum(times) / len(times),
            "min_batch_time": min(times),
            "max_batch_time": max(times),
        }
        metrics |= {
            "batch_times": times,
            "cached_batches": 20 if mode == "replay" else 0,
            "cache_ready": mode == "replay",
        }
        path.write_text(json.dumps(metrics, indent=2))

    def write(folder: Path, chance: random.Random) -> Planted:
        rows = loop.rows(chance)
        loads, computing = [row["load_s"] for row in rows], sum(row["compute_s"] for row in rows)
        real, ideal = sum(loads) + computing, computing + 1e-6 * len(rows)
        log(folder / "real.json", "log", loads, real if ends else 0)
        if replay:
            log(folder / "ideal.json", "replay", [1e-6] * len(rows), ideal)
        return ({"load": sum(loads) / real} if ends else {}) | ({"speedup": real / ideal} if replay and ends else {})

    return write


def report(actions: Mapping[str, tuple[int, float]], total: float) -> Source:
    """Writes a report of Lightning's SimpleProfiler from calls and seconds of each action."""

    def write(folder: Path, _chance: random.Random) -> Planted:
        width = max(map(len, actions)) + 2

        def line(action: str, *cells: str) -> str:
            return f"|  {action:<{width}}\t|" + "".join(f"  {cell:<15}\t|" for cell in cells)

        head = line("Action", "Mean duration (s)", "Num calls", "Total time (s)", "Percentage %")
        rule = "-" * len(head.expandtabs())
        lines = ["FIT Profiler Report", "", rule, head, rule]
        lines += [line("Total", "-", str(sum(n for n, _ in actions.values())), f"{float(total):.5}", "100 %"), rule]
        for action, (calls, seconds) in sorted(actions.items(), key=lambda item: -item[1][1]):
            lines.append(
                line(action, f"{seconds / calls:.5}", str(calls), f"{float(seconds):.5}", f"{100 * seconds / total:.5}")
            )
        (folder / "fit-perf_logs.txt").write_text("\n".join([*lines, rule, ""]))
        waits = actions.get("[_TrainingEpochLoop].train_dataloader_next")
        return {"load": waits[1] / actions["run_training_epoch"][1]} if waits else {}

    return write


def metrics(columns: Mapping[str, Callable[[int], float]], steps: int = 100) -> Source:
    """Writes `metrics.csv` of Lightning's CSVLogger with its DeviceStatsMonitor."""

    def write(folder: Path, chance: random.Random) -> Planted:
        names = sorted([*columns, "epoch", "step", "train_loss"])
        lines = [",".join(names)]
        for step in range(steps):
            row = {
                name: round(function(step) * (1 + 0.002 * chance.uniform(-1, 1)), 3)
                for name, function in columns.items()
            }
            lines.append(",".join(str(row.get(name, step if name == "step" else "")) for name in names))
            logged = {"epoch": 0, "step": step, "train_loss": round(2 / (1 + step), 4)}
            lines.append(",".join(str(logged.get(name, "")) for name in names))
        (folder / "metrics.csv").write_text("\n".join(lines) + "\n")
        return {}

    return write
