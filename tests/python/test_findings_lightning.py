"""Findings from reports of Lightning's profilers: checkpoints, evaluation and loading."""

import re
from pathlib import Path

import pytest

import tracelake as tl
from test_findings_machine import NS, record, steps_with_gaps

DATA = Path(__file__).parents[1] / "data" / "lightning"

NEXT = "[_TrainingEpochLoop].train_dataloader_next"
SAVE = "save_checkpoint"
CALLBACK = "[Callback]ModelCheckpoint{'monitor': None}"
TRAINED = {"run_training_epoch": (3, 100), "run_training_batch": (300, 60), NEXT: (300, 2)}
VALIDATED = {"[_EvaluationLoop].val_next": (90, 3), "[Strategy]SingleDeviceStrategy.validation_step": (90, 42)}


def report(actions, stage="FIT"):
    """Formats calls and seconds like SimpleProfiler."""
    cells = [(name, f"{s / n:.5}", str(n), f"{float(s):.5}", "1.0") for name, (n, s) in actions.items()]
    head = ("Action", "Mean duration (s)", "Num calls", "Total time (s)", "Percentage %")
    total = ("Total", "-", str(sum(n for n, _ in actions.values())), "150.0", "100 %")
    lines = ["|" + "".join(f"  {cell:<15}\t|" for cell in row) for row in (head, total, *cells)]
    rule = "-" * 99
    return "\n".join([f"{stage} Profiler Report", "", rule, lines[0], rule, lines[1], rule, *lines[2:], rule, ""])


def write(folder, **files):
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.txt").write_text(text)
    return folder


def runs(folder):
    """Writes a folder per run."""
    inside = report(TRAINED | {SAVE: (12, 36)})
    yield "inside", write(folder / "inside", fit_x=inside)
    behind = {f"{CALLBACK}.on_train_epoch_end": (3, 40), SAVE: (12, 36)}
    yield "behind", write(folder / "behind", fit_x=report(TRAINED | behind))
    yield "seldom", write(folder / "seldom", fit_x=report(TRAINED | {SAVE: (1, 4)}))
    yield "never", write(folder / "never", fit_x=report(TRAINED))
    yield (
        "untimed",
        write(folder / "untimed", fit_x=report(TRAINED | {"[LightningModule]Net.on_save_checkpoint": (3, 1)})),
    )
    old = {"run_training_epoch": (3, 100), "run_training_batch": (300, 60), "get_train_batch": (300, 2)}
    yield "old", write(folder / "old", fit_x=report(old))
    more = {
        "[LightningModule]Net.on_validation_epoch_end": (3, 5),
        f"{CALLBACK}.on_validation_end": (3, 30),
        SAVE: (3, 29),
    }
    evaluates = report(TRAINED | VALIDATED | more)
    yield "evaluates", write(folder / "evaluates", fit_x=evaluates)
    # the reports of later stages repeat the fit and add their own actions
    light = {name: (n, s / 10) for name, (n, s) in VALIDATED.items()}
    again = {name: (2 * n, 10 * s) for name, (n, s) in light.items()}
    fit, later = report(TRAINED | light | {SAVE: (1, 4)}), report(TRAINED | again | {SAVE: (2, 50)}, "VALIDATE")
    yield "later", write(folder / "later", fit_x=fit, validate_x=later)
    yield "only-later", write(folder / "only-later", validate_x=later)
    yield "appended", write(folder / "appended", fit_x=inside + "\n" + report(TRAINED | {SAVE: (2, 8)}))
    yield (
        "ranks",
        write(
            folder / "ranks",
            fit_x_0=report(TRAINED | {SAVE: (3, 6)}),
            fit_x_1=report(TRAINED | VALIDATED | {SAVE: (12, 36)}),
        ),
    )
    # pauses without a known cause
    yield "both", record(folder / "steps", steps_with_gaps(lambda *_: [], 4))
    yield "both", write(folder / "report", fit_x=inside)
    yield "both-never", folder / "steps"
    yield "both-never", folder / "never"
    yield "gaps", folder / "steps"
    yield "saving", DATA / "simple_saving"
    yield "advanced", DATA / "advanced"


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """The findings by run and name."""
    folder = tmp_path_factory.mktemp("lightning")
    with tl.open(folder / "lake", create=True) as session:
        for run, profile in runs(folder):
            session.ingest(profile, run=run)
        return {(row["run"], row["id"]): row for row in session.sql("SELECT * FROM diagnosis").rows()}


@pytest.mark.parametrize(
    ("run", "outcome", "value", "severity", "words"),
    [
        ("inside", "found", 36 / 100, "warning", "36.0 % of training time is spent saving 12 checkpoints, 3 s each"),
        # saving after an epoch is not part of it
        ("behind", "found", 36 / 140, "warning", "25.7 %"),
        ("seldom", "passed", 4 / 100, None, "4.0 % of training time is spent saving 1 checkpoint"),
        ("never", "passed", 0, None, "no checkpoint"),
        ("untimed", "no_data", None, None, "release 2.5"),
        ("old", "no_data", None, None, "release 2.5"),
        ("later", "passed", 4 / 100, None, "saving 1 checkpoint"),
        ("only-later", "no_data", None, None, "SimpleProfiler"),
        ("appended", "found", 8 / 100, "notice", "2 checkpoints, 4 s each"),
        ("ranks", "found", 36 / 100, "warning", "on rank 1"),
        ("gaps", "no_data", None, None, "3 long gaps"),
        ("both", "found", 36 / 100, "warning", "12 checkpoints"),
        ("both-never", "passed", 0, None, "reported no checkpoint"),
        ("advanced", "passed", 0, None, "reported no checkpoint"),
    ],
)
def test_findings_about_checkpoints(findings, run, outcome, value, severity, words):
    row = findings[run, "checkpoint_stalls"]
    assert (row["outcome"], row["severity"]) == (outcome, severity), row
    assert row["value"] == (None if value is None else pytest.approx(value, rel=1e-6)), row
    assert words in row["sentence"], row
    assert row["potential_saving"] == (
        round(value * (140 if run == "behind" else 100) * NS) if outcome == "found" else None
    )


@pytest.mark.parametrize(
    ("run", "outcome", "value", "words"),
    [
        # saving in `on_validation_end` is not evaluation
        ("evaluates", "found", 50 / 100, "50 s for 90 steps, compared with 50 s of training"),
        ("ranks", "found", 45 / 100, "45.0 % of loop time on rank 1"),
        ("later", "passed", 4.5 / 100, "evaluation takes 4.5 %"),
        ("never", "passed", 0, "none of the 300 steps"),
        ("only-later", "no_data", None, "SimpleProfiler"),
        ("both", "passed", 0, "none of the 40 steps"),
    ],
)
def test_findings_about_evaluation(findings, run, outcome, value, words):
    row = findings[run, "evaluation_share"]
    assert (row["outcome"], row["severity"]) == (outcome, "notice" if outcome == "found" else None), row
    assert row["value"] == (None if value is None else pytest.approx(value, rel=1e-6)), row
    assert words in row["sentence"], row
    if outcome == "found":
        assert (row["potential_saving"], row["steps"]) == (pytest.approx((value - 0.2) * 100 * NS, abs=1), 390), row


def test_an_advanced_report_has_the_shares_of_its_actions(findings):
    """AdvancedProfiler stops an action when another one begins, so the times of all actions add up."""
    seconds, name = {}, None
    for line in (DATA / "advanced" / "fit-perf_logs.txt").read_text().splitlines():
        if line.startswith("Profile stats for: "):
            name = line.removeprefix("Profile stats for: ").rsplit(".", 1)[-1]
        elif " function calls " in line:
            seconds[name] = seconds.get(name, 0) + float(line.split()[-2])
    outside = {"setup", "configure_callbacks", "configure_optimizers", "on_fit_start", "on_train_start"}
    loop = sum(value for name, value in seconds.items() if name not in outside)
    row = findings["advanced", "load_share_high"]
    assert row["value"] == pytest.approx(seconds["train_dataloader_next"] / loop, rel=1e-6)
    assert (row["outcome"], row["severity"], row["steps"]) == ("found", "critical", 24)
    row = findings["advanced", "evaluation_share"]
    assert row["value"] == pytest.approx((seconds["val_next"] + seconds["validation_step"]) / loop, rel=1e-6)
    # two epochs of 12 batches and 3 of validation, and a sanity check
    assert (row["outcome"], row["steps"]) == ("found", 24 + 7)


def test_findings_of_a_real_report(findings):
    """Two epochs of 12 batches: checkpoints after 5, 10, 15, 20 batches and each epoch; 6 validation batches."""
    seconds = {}
    for line in (DATA / "simple_saving" / "fit-perf_logs.txt").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").rsplit("|", 4)]
        if len(cells) == 5 and cells[2].isdigit() and cells[1] != "-":
            seconds[cells[0]] = float(cells[3])
    assert len(seconds) > 100
    around = ("on_train_start", "on_train_epoch_start", "on_train_epoch_end", "on_train_end")
    loop = seconds["run_training_epoch"] + sum(s for name, s in seconds.items() if name.endswith(around))
    row = findings["saving", "checkpoint_stalls"]
    assert (row["outcome"], row["severity"], row["steps"]) == ("found", "notice", 24), row
    assert row["value"] == pytest.approx(seconds["save_checkpoint"] / loop, rel=1e-6)
    # each slept for at least 50 ms
    assert re.search(r"saving 6 checkpoints, [\d.]+ ms each", row["sentence"])
    assert row["potential_saving"] > 6 * 0.05 * NS
    evaluation = sum(
        s
        for name, s in seconds.items()
        if name.endswith((".val_next", ".validation_step"))
        or (".on_validation_" in name and not name.endswith("on_validation_end"))
    )
    row = findings["saving", "evaluation_share"]
    assert (row["outcome"], row["steps"]) == ("passed", 30), row
    assert row["value"] == pytest.approx(evaluation / seconds["run_training_epoch"], rel=1e-6)
    assert evaluation > 6 * 0.02
