"""Frames of a profile, statistics over them, and the analysis of PyTorch's data loader."""

from itertools import product

import pandas as pd

import test_smdebug_oracle as oracle
from smdebug_calls import captured_output, content
from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import PandasFrameAnalysis, Resource, StatsBy
from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from tracelake.smdebug.profiler.analysis.utils.pytorch_dataloader_analysis import PT_dataloader_analysis

STEPS = [f"Step:ModeKeys.{mode}" for mode in ("TRAIN", "EVAL", "GLOBAL", "PREDICT")]
RESOURCES = {
    "all": None,
    "none": None,
    "cpu": Resource.CPU,
    "gpu": Resource.GPU,
    "io": Resource.IO,
    "network": Resource.NETWORK,
    "memory": Resource.MEMORY,
    "cpu_gpu": [Resource.CPU, Resource.GPU],
}
RANGES = {
    "default": None,
    "custom": [(0, 10), (10, 20), (30, 80), (80, 100)],
    "overlap": [(0, 50), (50, 50), (40, 100)],
    "bad_onetuple": [(30,)],
    "bad_emptylist": [],
    "bad_tuple": ((0, 10), (10, 90)),
}
CALLS = {}


def answers(file):
    """Registers a function of a profile's path as the call for an oracle file."""

    def enter(call):
        CALLS[file] = call
        return call

    return enter


# Frames


@answers("get_all_system_metrics.csv")
def system(path):
    return PandasFrame(path).get_all_system_metrics()


@answers("get_all_system_metrics__cpu0.csv")
def cpu0(path):
    return PandasFrame(path).get_all_system_metrics(["cpu0"])


@answers("get_all_framework_metrics.csv")
def framework(path):
    return PandasFrame(path).get_all_framework_metrics()


@answers("get_all_framework_metrics__steps.csv")
def steps(path):
    return PandasFrame(path).get_all_framework_metrics(STEPS)


@answers("get_all_dataloader_metrics.csv")
def loader(path):
    return PandasFrame(path).get_all_dataloader_metrics()


def by_time(path):
    frame = PandasFrame(path)
    start = frame.start_time + 50_000_000
    return frame.get_profiler_data_by_time(start, start + 5_000_000)


def by_step(path):
    return PandasFrame(path).get_profiler_data_by_step(2, 3)


for name, call in {"get_profiler_data_by_time": by_time, "get_profiler_data_by_step_2_3": by_step}.items():
    CALLS[f"{name}__system.csv"] = lambda path, call=call: call(path)[0]
    CALLS[f"{name}__framework.csv"] = lambda path, call=call: call(path)[1]


def shapes(pair):
    return {name: list(frame.shape) for name, frame in zip(["system", "framework"], pair, strict=True)}


@answers("get_profiler_data_by_time.json")
def by_time_shapes(path):
    start = PandasFrame(path).start_time + 50_000_000
    return {"start_us": start, "end_us": start + 5_000_000, **shapes(by_time(path))}


@answers("get_profiler_data_by_step_2_3.json")
def by_step_shapes(path):
    return shapes(by_step(path))


@answers("get_framework_metrics_by_timesteps.json")
def by_timesteps(path, last=None):
    times = content(path.parents[2] / "oracle" / "sagemaker" / path.name / "timesteps_used.json")
    return PandasFrame(path).get_framework_metrics_by_timesteps(times[:last])


@answers("notebook_step_outliers.csv")
def outliers(path, frame=None):
    frame = steps(path).sort_values("start_time_us") if frame is None else frame
    duration = frame["end_time_us"] - frame["start_time_us"]
    return frame[duration > 2 * duration.median()]


def during(path, frame):
    return PandasFrame(path).get_framework_metrics_by_begin_and_end_timesteps(
        frame["start_time"].tolist(), frame["end_time"].tolist()
    )


@answers("get_framework_metrics_by_begin_and_end_timesteps__outliers.json")
def during_outliers(path):
    return during(path, outliers(path))


@answers("get_framework_metrics_by_begin_and_end_timesteps__normal5.json")
def during_normal(path):
    frame = steps(path).sort_values("start_time_us")
    duration = frame["end_time_us"] - frame["start_time_us"]
    return during(path, frame[duration < 2 * duration.median()][:5])


# Statistics


@answers("framework_frame__mappable_input.csv")
def mappable(path):
    """Returns the rows with a step, recorded or assigned by a brute-force search over all steps."""
    frame = framework(path)
    marks = frame[frame["framework_metric"].str.contains("Step:ModeKeys")].groupby("step")
    start, end = marks["start_time_us"].min().to_numpy(), marks["end_time_us"].max().to_numpy()
    inside = (start < frame[["start_time_us"]].to_numpy()) & (end > frame[["end_time_us"]].to_numpy())
    return frame[(frame["step"] != -1) | inside.any(axis=1)]


@answers("PandasFrameAnalysis_full_frame_ctor.json")
def whole(path):
    PandasFrameAnalysis(system(path), framework(path))
    return {"ok": True}


FRAMES = {"steps": steps, "mappable": mappable}
for name, call in FRAMES.items():

    def analysis(path, call=call):
        return PandasFrameAnalysis(system(path), call(path).copy())

    CALLS[f"framework_frame_after_ctor__{name}.csv"] = lambda path, a=analysis: a(path).framework_metrics_df
    CALLS[f"get_job_statistics__{name}.json"] = lambda path, a=analysis: a(path).get_job_statistics()
    for grouping in StatsBy:
        file = f"get_step_statistics__{grouping.value}__{name}.csv"
        CALLS[file] = lambda path, a=analysis, grouping=grouping: a(path).get_step_statistics(grouping)


def of_steps(path):
    return PandasFrameAnalysis(system(path), steps(path))


for name in ["all", "cpu", "gpu", "io", "network", "memory", "cpu_gpu"]:
    CALLS[f"get_utilization_stats__{name}.csv"] = lambda path, r=RESOURCES[name]: of_steps(path).get_utilization_stats(
        r
    )


@answers("get_utilization_stats__training_phase.csv")
def by_phase(path):
    return of_steps(path).get_utilization_stats(by=StatsBy.TRAINING_PHASE)


@answers("get_utilization_stats__training_phase_TRAIN.csv")
def by_train(path):
    analysis = of_steps(path)
    analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE)
    return analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE, phase=["Step:ModeKeys.TRAIN"])


for ranges, name in product(["default", "custom", "overlap"], ["none", "cpu", "gpu", "cpu_gpu", "memory"]):
    CALLS[f"get_device_usage_stats__{ranges}__{name}.csv"] = lambda path, d=RESOURCES[name], r=RANGES[ranges]: of_steps(
        path
    ).get_device_usage_stats(d, r)
for ranges in ["bad_onetuple", "bad_emptylist", "bad_tuple"]:
    CALLS[f"get_device_usage_stats__{ranges}.csv"] = lambda path, r=RANGES[ranges]: of_steps(
        path
    ).get_device_usage_stats(None, r)

for name, phase in {"all": None, "TRAIN": "Step:ModeKeys.TRAIN", "EVAL": "Step:ModeKeys.EVAL"}.items():
    CALLS[f"get_training_phase_intervals__{name}.csv"] = lambda path, p=phase: of_steps(
        path
    ).get_training_phase_intervals(p)


# The data loader

LOADER = ["analyze_dataloaderIter_initialization", "analyze_dataloaderWorkers", "analyze_dataloader_getnext"]
for name in [*LOADER, "analyze_batchtime"]:
    CALLS[f"{name}.csv"] = lambda path, n=name: getattr(PT_dataloader_analysis(PandasFrame(path)), n)()
    CALLS[f"{name}.stdout.txt"] = lambda path, n=name: captured_output(
        getattr(PT_dataloader_analysis(PandasFrame(path)), n)
    )


@answers("dataIter_metric_after_batchtime.csv")
def after_batchtime(path):
    analysis = PT_dataloader_analysis(PandasFrame(path))
    captured_output(analysis.analyze_batchtime)
    return analysis.dataIter_metric


def compare(file, expected, result):
    """Compares frames with datetimes as text."""
    if file in ("analyze_batchtime.csv", "dataIter_metric_after_batchtime.csv"):
        times = result.select_dtypes("datetime").astype("str")
        previous = result["previous_batch_start"].map(str)
        result = result.assign(**times, previous_batch_start=previous)
    oracle.compare_plainly(file, expected, result)


def corrected(file, expected, _result):
    """Returns the part of the original's result that is correct."""
    path = expected.parents[3] / "data" / "sagemaker" / expected.parent.name
    if file == "get_framework_metrics_by_timesteps.json":
        # the original omits the last time
        oracle.compare_plainly(file, expected, by_timesteps(path, last=-1))


# Profiles with one oddity


SYSTEM_COLUMNS = ["timestamp", "timestamp_us", "value", "system_metric"]
SYSTEM = (
    "trunc_last mid blank_last nonl missing_key missing_name null_value neg zero dup before tmp corruptname othername"
)
FRAMEWORK_COLUMNS = ["start_time_us", "end_time_us", "pid", "framework_metric", "step", "bytes", "process", "nodeID"]
FRAMEWORK = """BE BE_negative BE_tid C_i_phases E_extra E_noname E_noname_hvd E_noname_smd E_without_B after_last_file
    args_names badname_2parts before_first_sys csv dict_root dup float_ts negdur_X nodur step_notint trunc unknown_pid
    unknown_suffix"""
EDGE = {}


def rows(frame):
    """Returns the rows of a frame; unknown values are None, except for numbers."""
    texts = frame.select_dtypes(exclude="number")
    return frame.astype("object").where(frame.notna() | ~frame.columns.isin(texts.columns), None).to_numpy().tolist()


def system_edge(path):
    return rows(system(path)[SYSTEM_COLUMNS])


def framework_edge(path):
    return [[str(value) for value in row] for row in rows(framework(path)[FRAMEWORK_COLUMNS])]


def two_files(path):
    return rows(framework(path)[["framework_metric", "process", "nodeID"]])


def values(frame):
    return None if frame is None else rows(frame)


def side_effects(path):
    analysis = whole_analysis(path)
    analysis.get_device_usage_stats()
    analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE)
    return analysis.sys_metrics_df.columns.tolist()


def whole_analysis(path):
    return PandasFrameAnalysis(system(path), framework(path))


def job(path):
    statistics = whole_analysis(path).get_job_statistics()
    return {name: value.tolist() if isinstance(value, pd.Series) else value for name, value in statistics.items()}


def loader_edge(path):
    analysis = PT_dataloader_analysis(PandasFrame(path))
    return [getattr(analysis, name)() for name in [*LOADER, "analyze_batchtime"]]


ANALYSES = {
    "job": job,
    "steps": lambda path: values(whole_analysis(path).get_step_statistics()),
    "steps_none_if_str": lambda path: whole_analysis(path).get_step_statistics("training_phase"),
    "intervals": lambda path: values(whole_analysis(path).get_training_phase_intervals()),
    "intervals_TRAIN": lambda path: values(whole_analysis(path).get_training_phase_intervals("Step:ModeKeys.TRAIN")),
    "util_phase": lambda path: values(whole_analysis(path).get_utilization_stats(by=StatsBy.TRAINING_PHASE)),
}
EMPTY = {
    "system": lambda path: list(system(path).shape),
    "framework": lambda path: list(framework(path).shape),
    "ctor": lambda path: "ok" if whole_analysis(path) else None,
    "job": job,
    "steps_phase": lambda path: values(whole_analysis(path).get_step_statistics()),
    "steps_proc": lambda path: values(whole_analysis(path).get_step_statistics(StatsBy.PROCESS)),
    "util": lambda path: values(whole_analysis(path).get_utilization_stats()),
    "util_phase": ANALYSES["util_phase"],
    "dev": lambda path: list(whole_analysis(path).get_device_usage_stats().shape),
    "intervals": ANALYSES["intervals"],
    "PT": loader_edge,
}


def edge(case, call, profile=None):
    EDGE[case] = lambda folder: call(folder / (profile or case))


for case in [*SYSTEM.split(), "flat", "flat2", "algo10"]:
    edge(f"s_{case}", system_edge)
for case in FRAMEWORK.split():
    edge(f"f_{case}", framework_edge)
for profile, (name, call) in product(["a_onestep", "a_nostep0", "a_overlap", "a_dupmode"], ANALYSES.items()):
    edge(f"{profile}:{name}", call, profile)
for name, call in EMPTY.items():
    edge(f"empty:{name}", call, "empty")
edge("p_two_files_second_has_no_process_name_for_pid1", two_files, "p_two")
edge("side_effect_columns", side_effects, "a_onestep")
