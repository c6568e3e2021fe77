"""Profiles of cProfile and pyinstrument."""

import re
from functools import partial
from pathlib import Path

import pandas as pd

import test_smdebug_oracle as oracle
from smdebug_calls import captured_output, content
from tracelake.smdebug.profiler.analysis.python_profile_analysis import PyinstrumentAnalysis, cProfileAnalysis
from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import Metrics
from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes as Modes
from tracelake.smdebug.profiler.python_profile_utils import StepPhase

CALLS = {}
START = StepPhase.STEP_START


def by_time_last(analysis):
    last = analysis.python_profile_stats[-1]
    times = (last.start_time_since_epoch_in_micros, last.end_time_since_epoch_in_micros)
    return analysis.fetch_profile_stats_by_time(*(us / 1e6 for us in times))


FETCH = {
    "pre_step_zero": lambda a: a.fetch_pre_step_zero_profile_stats(),
    "post_hook_close": lambda a: a.fetch_post_hook_close_profile_stats(),
    "by_step_9": lambda a: a.fetch_profile_stats_by_step(9),
    "by_step_9_10_start_start": lambda a: a.fetch_profile_stats_by_step(9, 10, start_phase=START, end_phase=START),
    "by_step_9_11": lambda a: a.fetch_profile_stats_by_step(9, 11),
    "by_step_2_3": lambda a: a.fetch_profile_stats_by_step(2, 3),
    "by_time_last": by_time_last,
    "between_train_train": lambda a: a.fetch_profile_stats_between_modes(Modes.TRAIN, Modes.TRAIN),
}
PHASES = {
    "by_training_phase": lambda a: a.fetch_profile_stats_by_training_phase(),
    "by_job_phase": lambda a: a.fetch_profile_stats_by_job_phase(),
}


def analysis(path, framework, kind):
    return kind(str(path / "framework" / framework / kind.name))


def functions(stats):
    """Returns functions by name, in the oracle's form."""
    result = [vars(function) | {"callers": sorted(function.callers)} for function in stats.function_stats_list]
    return sorted(result, key=lambda function: function["function_name"])


def trees(stats):
    """Returns the folders of pages, and the trees."""
    return [{"html": Path(one.html_file_path).parent.name, "json": one.json_stats} for one in stats]


def phases(stats):
    name = {True: lambda pair: str(tuple(mode.name for mode in pair)), False: str}
    return {name[isinstance(key, tuple)](key): functions(value) for key, value in stats.items()}


def rows_of_profiles(profiles):
    """Returns the list with the paths of the oracle, and with enumerations and numbers as in a CSV file."""
    profiles["stats_path"] = profiles["stats_path"].str.replace(r"^.*/(?=data/sagemaker/)", "", regex=True)
    for name in ("start_phase", "end_phase"):
        profiles[name] = profiles[name].map(str)
    return profiles


def add_calls(prefix, framework, kind, shape):
    create_analysis = partial(analysis, framework=framework, kind=kind)
    for name, fetch in FETCH.items():
        CALLS[f"{prefix}_{name}.json"] = lambda path, fetch=fetch: shape(fetch(create_analysis(path)))
        CALLS[f"{prefix}_{name}.stdout.txt"] = lambda path, fetch=fetch: captured_output(
            lambda: fetch(create_analysis(path))
        )
    CALLS[f"{prefix}_list_profile_stats.csv"] = lambda path: rows_of_profiles(
        create_analysis(path).list_profile_stats()
    )
    CALLS[f"{prefix}_list_available_node_ids.json"] = lambda path: create_analysis(path).list_available_node_ids()
    if kind is PyinstrumentAnalysis:
        return
    for name, fetch in PHASES.items():
        CALLS[f"{prefix}_{name}.json"] = lambda path, fetch=fetch: phases(fetch(create_analysis(path)))
        CALLS[f"{prefix}_{name}.stdout.txt"] = lambda path, fetch=fetch: captured_output(
            lambda: fetch(create_analysis(path))
        )
    for metric in Metrics:
        CALLS[f"{prefix}_print_top_n_{metric.value}.stdout.txt"] = lambda path, metric=metric: captured_output(
            lambda: FETCH["between_train_train"](create_analysis(path)).print_top_n_functions(metric, 10)
        )


for framework in ("pytorch", "tensorflow"):
    add_calls(f"{framework}_cprofile", framework, cProfileAnalysis, functions)
    add_calls(f"{framework}_pyinstrument", framework, PyinstrumentAnalysis, trees)


def compare(file, expected, result):
    if file.endswith("list_profile_stats.csv"):
        theirs = pd.read_csv(expected, index_col=0)
        # numbers in a numeric column are equal as int and float
        theirs["end_step"] = theirs["end_step"].astype(result["end_step"].dtype)
        oracle.same_frames(result, theirs, leave_out=())
    elif "print_top_n" in file:
        assert table(result) == table(expected.read_text())
    elif file.endswith(".json"):
        assert oracle.values_equal(oracle.oracle_form(result), content(expected))
    else:
        oracle.compare_plainly(file, expected, result)


def table(text):
    """Returns the text of `pstats` without file times and parent folders."""
    lines = [re.sub(r"^\w{3} \w{3} +\d+ [\d:]+ \d{4} +(?:.*/)?(?=data/)", "", line) for line in text.splitlines()]
    return [line.rstrip() for line in lines]
