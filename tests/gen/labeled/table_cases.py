"""Cases of tables that loops and tools wrote."""

from __future__ import annotations

from labeled.case import Case
from labeled.tables import Loop, evaluator, metrics, report, timings
from labeled.trace_cases import DATA, NO_GPU

NEXT, TRAIN = "[_TrainingEpochLoop].train_dataloader_next", "run_training_batch"
MONITOR = "DeviceStatsMonitor.on_train_batch_end/"


def every_nth(every: int, **parts: float):
    """Batches that differ, one of `every`."""
    return lambda _rank, batch: parts if batch % every == every - 1 else {}


def one_rank(rank: int, **parts: float):
    """One rank differs."""
    return lambda other, _batch: parts if other == rank else {}


TIMINGS = [
    Case("timings-clean-csv", "no_data", None, {"timings": timings(Loop())}, never=DATA, missing=NO_GPU),
    Case(
        "timings-clean-json",
        "no_data",
        None,
        {"timings": timings(Loop(batches=40, epochs=3), "json")},
        never=DATA,
        missing=NO_GPU,
    ),
    Case(
        "timings-clean-two-ranks",
        "no_data",
        None,
        {"timings": timings(Loop(ranks=2, load=0.001), "jsonl")},
        never=DATA,
        missing=NO_GPU,
    ),
    Case(
        "timings-ready",
        "no_data",
        None,
        {"timings": timings(Loop(load=2e-5, batches=200))},
        never=DATA,
        missing=NO_GPU,
    ),
    Case("timings-slow", "input-bound", "load_share_high", {"timings": timings(Loop(load=0.15))}, missing=NO_GPU),
    Case(
        "timings-slow-small-batch",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.06, compute=0.02), "json")},
        missing=NO_GPU,
    ),
    Case(
        "timings-slow-two-ranks",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.3, ranks=2, epochs=2), "jsonl")},
        missing=NO_GPU,
    ),
    Case(
        "timings-bursts",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.6, period=4, batches=80))},
        also=("batch_time_unsteady",),
        missing=NO_GPU,
    ),
    Case(
        "timings-start-only",
        "no_data",
        "load_share_startup_only",
        {"timings": timings(Loop(first=6.0))},
        also=("first_batch_slow",),
        missing=NO_GPU,
    ),
    Case(
        "timings-start-of-epochs",
        "no_data",
        "load_share_startup_only",
        {"timings": timings(Loop(first=3.5, batches=30, epochs=3), "json")},
        also=("first_batch_slow",),
        missing=NO_GPU,
    ),
    Case("timings-slow-first-batch", "no_data", "first_batch_slow", {"timings": timings(Loop(first=0.1))}, never=DATA),
    Case(
        "timings-loader-straggler",
        "input-bound",
        "loader_straggler",
        {"timings": timings(Loop(ranks=4, differs=one_rank(2, load_s=0.08)))},
        verdict_clear=False,
    ),
    Case(
        "timings-straggler-of-two",
        "input-bound",
        "loader_straggler",
        {"timings": timings(Loop(ranks=3, compute=0.3, differs=one_rank(1, load_s=0.2)), "json")},
        verdict_clear=False,
    ),
    Case(
        "timings-logging",
        "no_data",
        "between_batches_slow",
        {"timings": timings(Loop(differs=every_nth(10, compute_s=0.6)))},
        never=DATA,
    ),
    Case(
        "timings-outliers",
        "no_data",
        "loader_outliers",
        {"timings": timings(Loop(load=0.004, batches=100, differs=every_nth(8, load_s=0.02)))},
        never=("gpu_starved_by_loader",),
    ),
    Case("timings-near-below", "no_data", "load_share_high", {"timings": timings(Loop(load=0.04))}, clear=False),
    Case("timings-near-above", "input-bound", "load_share_high", {"timings": timings(Loop(load=0.045))}, clear=False),
    Case(
        "timings-one-row",
        "no_data",
        None,
        {"timings": timings(Loop(batches=1, load=0.2), "json")},
        missing=("load_share_high",),
    ),
    Case(
        "timings-no-compute",
        "no_data",
        None,
        {"timings": timings(Loop(load=0.2), compute=False)},
        missing=("load_share_high", "accelerator_utilization_low"),
    ),
    Case(
        "timings-cut",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.15), damage="cut")},
        also=("evidence_corrupt",),
        damage=("truncated",),
    ),
    Case(
        "timings-bad-values",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.2), damage="values")},
        also=("evidence_corrupt",),
        damage=("bad_value",),
    ),
]

DALI = [
    Case(
        "dali-bottleneck",
        "input-bound",
        "ideal_speedup",
        {"dali": evaluator(Loop(load=0.3))},
        also=("load_share_high",),
        missing=NO_GPU,
    ),
    Case(
        "dali-small-batch",
        "input-bound",
        "ideal_speedup",
        {"dali": evaluator(Loop(load=0.05, compute=0.02, batches=200))},
        also=("load_share_high",),
        missing=NO_GPU,
    ),
    Case(
        "dali-large-batch",
        "input-bound",
        "ideal_speedup",
        {"dali": evaluator(Loop(load=4, compute=0.5, batches=25))},
        also=("load_share_high",),
        missing=NO_GPU,
    ),
    Case("dali-potential", "input-bound", "ideal_speedup", {"dali": evaluator(Loop(load=0.03))}, verdict_clear=False),
    Case("dali-clean", "no_data", None, {"dali": evaluator(Loop())}, never=(*DATA, "ideal_speedup"), missing=NO_GPU),
    Case(
        "dali-clean-large-batch",
        "no_data",
        None,
        {"dali": evaluator(Loop(compute=0.9, load=0.01, batches=30))},
        never=(*DATA, "ideal_speedup"),
        missing=NO_GPU,
    ),
    Case(
        "dali-no-replay",
        "input-bound",
        "load_share_high",
        {"dali": evaluator(Loop(load=0.3), replay=False)},
        missing=("ideal_speedup",),
    ),
    Case(
        "dali-unfinished",
        "no_data",
        None,
        {"dali": evaluator(Loop(load=0.3), ends=False)},
        damage=("bad_total_time",),
        also=("evidence_corrupt",),
        missing=("load_share_high", "ideal_speedup"),
    ),
]


def fit_actions(epoch: float, **parts: tuple[int, float]) -> dict[str, tuple[int, float]]:
    """Actions of a fit whose training epochs took so many seconds."""
    return {"run_training_epoch": (3, epoch), **parts}


LIGHTNING = [
    Case(
        "lightning-slow",
        "input-bound",
        "load_share_high",
        {"report": report(fit_actions(100, **{NEXT: (300, 60), TRAIN: (300, 35)}), 104)},
        missing=NO_GPU,
    ),
    Case(
        "lightning-slower",
        "input-bound",
        "load_share_high",
        {"report": report(fit_actions(820, **{NEXT: (900, 610), TRAIN: (900, 180)}), 830)},
        missing=NO_GPU,
    ),
    Case(
        "lightning-clean",
        "no_data",
        None,
        {"report": report(fit_actions(100, **{NEXT: (300, 2), TRAIN: (300, 95)}), 103)},
        never=DATA,
        missing=(*NO_GPU, "first_batch_slow"),
    ),
    Case(
        "lightning-clean-long",
        "no_data",
        None,
        {"report": report(fit_actions(3600, **{NEXT: (9000, 36), TRAIN: (9000, 3400)}), 3650)},
        never=DATA,
        missing=(*NO_GPU, "first_batch_slow"),
    ),
    Case(
        "lightning-evaluates-much",
        "no_data",
        "evaluation_share",
        {
            "report": report(
                fit_actions(
                    100,
                    **{
                        NEXT: (300, 2),
                        TRAIN: (300, 52),
                        "[_EvaluationLoop].val_next": (90, 3),
                        "[Strategy]SingleDeviceStrategy.validation_step": (90, 42),
                    },
                ),
                103,
            )
        },
        never=DATA,
    ),
    Case(
        "lightning-checkpoints",
        "no_data",
        "checkpoint_stalls",
        {"report": report(fit_actions(100, **{NEXT: (300, 2), TRAIN: (300, 60), "save_checkpoint": (12, 36)}), 103)},
        never=DATA,
    ),
    Case(
        "metrics-leak",
        "no_data",
        "host_memory_growth",
        {"metrics": metrics({f"{MONITOR}cpu_vm_percent": lambda n: 20 + 0.4 * n})},
        missing=(*NO_GPU, "load_share_high"),
    ),
    Case(
        "metrics-long-leak",
        "no_data",
        "host_memory_growth",
        {"metrics": metrics({f"{MONITOR}cpu_vm_percent": lambda n: 35 + 0.1 * n}, 400)},
        missing=(*NO_GPU, "load_share_high"),
    ),
    Case(
        "metrics-clean",
        "no_data",
        None,
        {"metrics": metrics({f"{MONITOR}cpu_vm_percent": lambda _: 40})},
        never=("host_memory_growth",),
        missing=(*NO_GPU, "load_share_high"),
    ),
    Case(
        "metrics-out-of-memory",
        "no_data",
        "out_of_memory",
        {
            "metrics": metrics(
                {f"{MONITOR}num_ooms": lambda n: 0 if n < 70 else 2, f"{MONITOR}cpu_vm_percent": lambda _: 40}
            )
        },
        missing=(*NO_GPU, "load_share_high"),
    ),
]

CASES = [*TIMINGS, *DALI, *LIGHTNING]
