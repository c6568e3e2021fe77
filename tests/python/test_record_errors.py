"""Wrong arguments of the recorders: the error has the actual and the expected value, and a hint."""

import errno
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import tracelake as tl
from record_rows import query_rows
from tracelake import record


class Loader:
    """A loader with the arguments of a DataLoader."""

    def __init__(self, dataset, batch_size=8, num_workers=0, prefetch_factor=None):
        assert prefetch_factor is None
        self.dataset, self.batch_size, self.num_workers = (
            dataset,
            batch_size,
            num_workers,
        )

    def __iter__(self):
        starts = range(0, len(self.dataset), self.batch_size)
        return (self.dataset[begin : begin + self.batch_size] for begin in starts)


class Fixed(Loader):
    """A loader with a single constructor argument."""

    def __init__(self, dataset):
        super().__init__(dataset)


def batches():
    yield [1, 2]
    yield [3, 4]


def do_nothing(_):
    pass


ITERATE = "expected a loader, such as a DataLoader, a list of batches or a generator"
DATA = list(range(80))
EMPTY = Loader([])
GOOD = Loader(DATA)
optimize = record.optimize


def run_evaluator(mode="log"):
    evaluator = record.LoaderEvaluator([[1], [2]], mode=mode)
    list(evaluator)
    return evaluator


WRONG = {
    # a loader
    "a number": (
        lambda _: record.LoaderProfiler(3),
        f"cannot iterate 3 (int): {ITERATE}",
    ),
    "a class": (
        lambda _: record.LoaderProfiler(Loader),
        f"cannot iterate Loader (type): {ITERATE}\n  hint:   create an instance first: Loader(...)",
    ),
    "a function": (
        lambda _: record.LoaderEvaluator(batches),
        (
            f"cannot iterate batches (function): {ITERATE}\n"
            "  hint:   pass the return value of the function, not the function"
        ),
    ),
    "monitored": (
        lambda _: record.MonitoredDataLoader(None),
        f"cannot iterate None (NoneType): {ITERATE}",
    ),
    "measured": (
        lambda _: record.measure_throughput(3),
        f"cannot iterate 3 (int): {ITERATE}",
    ),
    "overhead": (
        lambda _: record.measure_loading_overhead(3),
        f"cannot iterate 3 (int): {ITERATE}",
    ),
    # options of the profiler
    "size": (
        lambda _: record.LoaderProfiler([1], batch_size=32),
        "cannot use batch_size=32: expected a function of a batch that gives the number of its samples",
    ),
    "size of text": (
        lambda folder: list(record.LoaderProfiler(["ab"], folder, batch_size=str.upper)),
        "cannot count samples: batch_size gave 'AB' (str), expected a whole number or None",
    ),
    "synchronize": (
        lambda _: record.LoaderProfiler([1], synchronize="cuda"),
        "cannot use synchronize='cuda': expected True, False or a function",
    ),
    "slow": (
        lambda _: record.LoaderProfiler([1], slow_item=-1),
        "cannot use slow_item=-1: expected a number of at least 0",
    ),
    "slow text": (
        lambda _: record.LoaderProfiler([1], slow_item="1s"),
        "cannot use slow_item='1s': expected a number of at least 0",
    ),
    "attributes": (
        lambda _: record.LoaderProfiler([1], attributes=["a"]),
        "cannot use attributes=['a']: expected names with values, such as {'batch_size': 32}",
    ),
    "block": (
        lambda folder: record.Recording(folder, block_seconds=-1),
        "cannot use block_seconds=-1: expected a number of at least 0",
    ),
    "name": (
        lambda folder: record.Recording(folder, name="a/b"),
        "cannot name the files of a recording 'a/b': expected a name without `/`",
    ),
    # an evaluator
    "mode": (
        lambda _: record.LoaderEvaluator([1], mode="relay"),
        "cannot evaluate a loader in mode 'relay'; one of: log, replay",
    ),
    "kept": (
        lambda _: record.LoaderEvaluator([1], mode="replay", num_cached_batches=-3),
        "cannot use num_cached_batches=-3: expected a whole number of at least 1",
    ),
    "kept half": (
        lambda _: record.LoaderEvaluator([1], mode="replay", num_cached_batches=2.5),
        "cannot use num_cached_batches=2.5: expected a whole number of at least 1",
    ),
    "replay": (
        lambda _: record.LoaderEvaluator(batches(), mode="replay"),
        (
            "cannot replay batches (generator): a replay is as long as its loader, which has no length\n"
            "  hint:   LoaderEvaluator(list(loader), mode='replay'), with all batches of a pass"
        ),
    ),
    "plain": (
        lambda _: record.train_one_epoch(do_nothing, [1, 2]),
        (
            "cannot evaluate [1, 2] (list): expected a LoaderEvaluator\n"
            '  hint:   train_one_epoch(model, LoaderEvaluator(loader, mode="log"))'
        ),
    ),
    "no model": (
        lambda _: record.train_one_epoch(None, record.LoaderEvaluator([1])),
        "cannot use model=None: expected a function of a batch",
    ),
    # a comparison
    "not run": (
        lambda _: record.plot_comparison(record.LoaderEvaluator([1]), run_evaluator("replay")),
        "cannot compare real_log: no batch was drawn from this LoaderEvaluator yet\n  hint:   iterate over it first",
    ),
    "swapped": (
        lambda _: record.plot_comparison(run_evaluator("replay"), run_evaluator()),
        "cannot compare this LoaderEvaluator as real_log: its mode is replay, expected log",
    ),
    "metrics": (
        lambda _: record.plot_comparison(run_evaluator(), run_evaluator("replay").get_metrics()),
        "cannot compare a value of type dict as ideal_log: expected a file of a LoaderEvaluator, or the evaluator",
    ),
    "no json": (
        lambda _: record.plot_comparison(__file__, run_evaluator("replay")),
        f"cannot compare {__file__}: expected a file of a Loader Evaluator, which is JSON with a member `mode`",
    ),
    # a measurement
    "batches": (
        lambda _: record.measure_loading_overhead([1], num_batches=0),
        "cannot use num_batches=0: expected a whole number of at least 1",
    ),
    "compute": (
        lambda _: record.measure_loading_overhead([1], compute_time=-1),
        "cannot use compute_time=-1: expected a number of at least 0",
    ),
    "compute nan": (
        lambda _: record.measure_loading_overhead([1], compute_time=float("nan")),
        "cannot use compute_time=nan: expected a number of at least 0",
    ),
    "warm-up": (
        lambda _: record.measure_throughput([1], warmup=-1),
        "cannot use warmup=-1: expected a whole number of at least 0",
    ),
    "timed": (
        lambda _: record.measure_throughput([1], num_batches=-1),
        "cannot use num_batches=-1: expected a whole number of at least 1",
    ),
    "interval": (
        lambda _: record.MonitoredDataLoader([1], log_interval=0),
        "cannot use log_interval=0: expected a whole number of at least 1",
    ),
    "log": (
        lambda _: record.MonitoredDataLoader([1], log=None),
        "cannot use log=None: expected a function of a line",
    ),
    # a search
    "no step": (
        lambda _: optimize(GOOD, None),
        (
            "cannot use step=None: expected a function of a batch\n"
            "  hint:   step=lambda batch: None measures only the loading"
        ),
    ),
    "no loader": (
        lambda _: optimize(DATA, do_nothing),
        "cannot make another loader like a list: it has no dataset\n  hint:   pass the DataLoader itself",
    ),
    "repeats": (
        lambda _: optimize(GOOD, do_nothing, repeats=1),
        "cannot use repeats=1: expected a whole number of at least 2, since a spread takes two",
    ),
    "no batches": (
        lambda _: optimize(GOOD, do_nothing, batches=0),
        "cannot use batches=0: expected a whole number of at least 1",
    ),
    "workers": (
        lambda _: optimize(GOOD, do_nothing, workers=2),
        "cannot use workers=2: expected several whole numbers\n  hint:   workers=[2]",
    ),
    "fewer workers": (
        lambda _: optimize(GOOD, do_nothing, workers=[0, -1]),
        "cannot use workers[1]=-1: expected a whole number of at least 0",
    ),
    "sizes": (
        lambda _: optimize(GOOD, do_nothing, batch_sizes="16"),
        "cannot use batch_sizes='16': expected several whole numbers",
    ),
    "memory": (
        lambda _: optimize(GOOD, do_nothing, memory_limit="8GB"),
        "cannot use memory_limit='8GB': expected a whole number of at least 1 bytes",
    ),
    "few data": (
        lambda _: optimize(Loader(DATA[:16]), do_nothing, workers=[], repeats=2),
        (
            "cannot time batch_size=8: too few batches, all of them (2) are warm-up\n"
            "  hint:   use more data, or smaller batches"
        ),
    ),
    "other arguments": (
        lambda _: optimize(Fixed(DATA), do_nothing, workers=[], repeats=2),
        (
            "cannot make another loader of dataset, batch_size: "
            "Fixed.__init__() got an unexpected keyword argument 'batch_size'\n"
            "  hint:   dataloader=..., a function of these that makes the loader"
        ),
    ),
    "an instance": (
        lambda _: optimize(GOOD, do_nothing, dataloader=3),
        "cannot use dataloader=3: expected a class of loaders, or a function of the arguments of one",
    ),
    # a diagnosis
    "a loader": (
        lambda _: record.diagnose_dataloader(EMPTY, dataloader=Loader),
        (
            "cannot diagnose a value of type Loader: it is a loader, expected its dataset\n"
            "  hint:   diagnose_dataloader(loader.dataset)"
        ),
    ),
    "no dataset": (
        lambda _: record.diagnose_dataloader(3, dataloader=Loader),
        "cannot diagnose 3 (int): expected a dataset, which can be indexed or iterated",
    ),
    "batch of 0": (
        lambda _: record.diagnose_dataloader(DATA, 0, dataloader=Loader),
        "cannot use batch_size=0: expected a whole number of at least 1",
    ),
    # a loop by hand
    "machine": (
        lambda _: record.Recorder(machine=0),
        "cannot use machine=0: expected a number above 0",
    ),
    "machine text": (
        lambda _: record.Recorder(machine="1"),
        "cannot use machine='1': expected a number above 0",
    ),
    "phase": (
        lambda folder: record.Recorder(folder, machine=None).phase(do_nothing),
        (
            "cannot name a phase do_nothing (function): expected a text\n"
            '  hint:   recorder.phase("a name"), also as a decorator'
        ),
    ),
    "annotation": (
        lambda folder: record.Recorder(folder, machine=None).annotation(3),
        (
            "cannot name an annotation 3 (int): expected a text\n"
            '  hint:   recorder.annotation("a name"), also as a decorator'
        ),
    ),
    "step": (
        lambda folder: record.Recorder(folder, machine=None).step(do_nothing),
        "cannot begin step do_nothing (function): the decorator needs parentheses\n  hint:   @recorder.step()",
    ),
    "step number": (
        lambda folder: record.Recorder(folder, machine=None).step(-1),
        "cannot use number=-1: expected a whole number of at least 0",
    ),
    "step mode": (
        lambda folder: record.Recorder(folder, machine=None).step(mode="val"),
        "cannot begin a step of mode 'val'; one of: train, eval, predict, global",
    ),
    "scalar": (
        lambda folder: record.Recorder(folder, machine=None).scalar("loss", "low"),
        "cannot record 'low' (str) as scalar `loss`: expected a number",
    ),
}  # fmt: skip - a line for each is enough


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_arguments_have_clear_messages(wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, message = WRONG[wrong]
    with pytest.raises((TypeError, ValueError)) as caught:
        call(tmp_path / "run")
    assert str(caught.value) == message


PATH = "expected a folder, a file that ends in .jsonl, or an address such as s3://bucket/prefix"


def test_an_unwritable_path_is_an_error_before_the_training(tmp_path):
    file = tmp_path / "file"
    file.write_text("here")
    for path, kind, message in (
        (3, TypeError, f"cannot record to 3 (int): {PATH}"),
        ("", ValueError, f"cannot record to '': {PATH}"),
        ("s4://bucket/run", ValueError, f"cannot record to 's4://bucket/run': {PATH}"),
        (
            file,
            NotADirectoryError,
            f"cannot record to {file}: it is a file, expected a folder or a name that ends in .jsonl",
        ),
        (
            file / "run",
            NotADirectoryError,
            f"cannot record to {file / 'run'}: cannot create the folder: Not a directory",
        ),
    ):
        with pytest.raises(kind) as caught:
            record.LoaderProfiler([1], path)
        assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_another_user_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="has no write permission"):
        record.Recording(tmp_path)


def test_a_read_only_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        PermissionError,
        match=f"cannot record to {tmp_path}: this user has no write permission",
    ):
        record.Recording(tmp_path)


def test_a_command_reports_the_error_in_one_line(tmp_path):
    file = tmp_path / "file"
    file.write_text("here")
    command = [
        sys.executable,
        "-m",
        "tracelake.record",
        "--path",
        file,
        "--",
        sys.executable,
        "-c",
        "print('ran')",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    expected = (
        f"tracelake record: cannot record to {file}: it is a file, expected a folder or a name that ends in .jsonl\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (4, "", expected)


def test_a_full_disk_loses_rows_with_a_warning(tmp_path, monkeypatch):
    write = os.write

    def full(_file, _block):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with record.LoaderProfiler([[1]] * 5, tmp_path / "run", block_seconds=0) as loader:
        begun = iter(loader)
        next(begun)
        monkeypatch.setattr(os, "write", full)
        with pytest.warns(RuntimeWarning, match="No space left on device"):
            assert next(begun) == [1]
        monkeypatch.setattr(os, "write", write)
        assert len(list(begun)) == 3
    assert loader.summary()[0]["num_batches"] == 5
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        assert query_rows(session, "select count(*) from loader where kind = 'next'") == [(4,)]


def test_an_exhausted_iterator_is_reported(tmp_path):
    with record.LoaderProfiler(batches(), tmp_path / "run", name="train") as loader:
        assert len(list(loader)) == 2
        expected = "loader `train` gave no batch: batches .generator. can be iterated only once and is exhausted"
        with pytest.warns(RuntimeWarning, match=expected):
            assert list(loader) == []
    used = iter([])
    for measure in (
        record.measure_throughput,
        record.measure_loading_overhead,
        lambda it: list(record.LoaderEvaluator(it)),
    ):
        with pytest.warns(RuntimeWarning, match="can be iterated only once"):
            measure(used)
    # an empty list is not an error
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(record.LoaderEvaluator([])) == []


def test_a_pass_after_the_end_of_the_recording_warns(tmp_path, capsys):
    loader = record.LoaderProfiler([], tmp_path / "run")
    list(loader)
    loader.close()
    with pytest.warns(RuntimeWarning, match="this pass is not recorded: the recording is closed"):
        list(loader)
    loader.report()
    assert capsys.readouterr().out == "epoch 1: no batch\nepoch 2: no batch\n"


def test_metrics_without_a_batch_are_empty_as_in_dali(tmp_path):
    file = tmp_path / "real.json"
    evaluator = record.LoaderEvaluator([1])
    with pytest.warns(RuntimeWarning, match=f"{file} has no metrics: no batch was drawn yet"):
        evaluator.save_metrics(file)
    assert file.read_text() == "{}"
    with pytest.raises(ValueError, match="expected a file of a Loader Evaluator"):
        record.plot_comparison(file, run_evaluator("replay"))


def test_an_invalid_metrics_file_is_refused_before_the_pass(tmp_path):
    batches = []
    file = tmp_path / "nowhere" / "real.json"
    with pytest.raises(
        FileNotFoundError,
        match=f"cannot write metrics to {file}: there is no folder {file.parent}",
    ):
        record.train_one_epoch(batches.append, record.LoaderEvaluator([1]), log_file=file)
    assert batches == []


def test_a_recording_that_cannot_be_ingested_stays(tmp_path):
    (tmp_path / "file").write_text("here")
    rows = record.Recording(lake=str(tmp_path / "file" / "lake"))
    with (
        pytest.warns(RuntimeWarning, match=f"stays in {rows.path}: run `tracelake ingest"),
        pytest.raises(tl.TracelakeError),
    ):
        rows.close()
    assert len(list(Path(rows.path).glob("*.jsonl"))) == 1


@pytest.mark.parametrize("name", ["torch", "lightning"])
def test_a_missing_library_is_named(name, monkeypatch, tmp_path):
    for module in (
        "torch",
        "torch.utils.data",
        "lightning",
        "lightning.pytorch.profilers",
        "pytorch_lightning.profilers",
    ):
        monkeypatch.setitem(sys.modules, module, None)
    call = {
        "torch": lambda: record.diagnose_dataloader(DATA),
        "lightning": lambda: record.lightning.TracelakeProfiler(tmp_path),
    }
    with pytest.raises(ImportError, match=f"pip install {name}"):
        call[name]()
