"""The own profile of tracelake is compared with its actions, and with the requests to the store."""

import contextlib
import json
import time
from collections import Counter, defaultdict

import pytest

import tracelake as tl


def events(path):
    """Returns the events of a trace by the letter of their phase."""
    events_by_name = defaultdict(list)
    for event in json.loads(path.read_text("utf-8"))["traceEvents"]:
        events_by_name[event["ph"]].append(event)
    return events_by_name


def test_the_profile_has_reads_writes_and_queries(lake, profile, tmp_path):
    path = tmp_path / "own.json"
    with tl.self_trace(path):
        (report,) = [lake.ingest(profile, run="job-7")]
        frame = lake.sql("select name, count(*) as n from event group by name order by name")
        rows = frame.to_arrow().num_rows
        lake.figure("step_timeline").to_json()
    lake.sql("select 1 as x").to_arrow()
    spans = defaultdict(list)
    for event in events(path)["X"]:
        spans[event["name"]].append(event["args"])
    assert len(spans["read"]) == report["read"]
    assert sum(read["bytes"] for read in spans["read"]) == report["bytes"]
    tables = Counter()
    for put in spans["put"]:
        tables[put["path"].split("/")[0]] += put["rows"]
    assert tables.pop("call_path") > 0  # made from the events
    assert tables == report["rows"]
    assert [span["run"] for span in spans["ingest"]] == ["job-7"]
    query = {"name": "select name, count(*) as n from event group by name order by name", "rows": rows}
    assert query in spans["query"]
    assert {span["figure"] for span in spans["figure"]} == {"step_timeline"}
    assert not any(span["name"] == "select 1 as x" for span in spans["query"])


def test_spans_of_a_thread_are_nested(lake, profile, tmp_path):
    path = tmp_path / "own.json"
    with tl.self_trace(path):
        lake.ingest(profile, run="job-7")
        lake.step.duration().to_arrow()
    by_thread = defaultdict(list)
    for event in events(path)["X"]:
        by_thread[event["tid"]].append((event["ts"], -event["dur"]))
    assert len(by_thread) > 1
    for spans in by_thread.values():
        open_until = []
        for ts, minus in sorted(spans):
            end = ts - minus
            while open_until and open_until[-1] <= ts + 1e-3:
                open_until.pop()
            assert not open_until or end <= open_until[-1] + 1e-3
            open_until.append(end)


def test_tracelake_reads_its_own_profile(lake, profile, tmp_path):
    path = tmp_path / "own.json"
    before = time.time_ns()
    with tl.self_trace(path):
        lake.ingest(profile, run="job-7")
    after = time.time_ns()
    spans = events(path)["X"]
    with tl.open(path, ephemeral=True) as own:
        read = own.sql(
            "select name, count(*) as n, sum(dur) as dur, min(ts) as ts from event group by name"
        ).to_pandas()
        assert own.sql("select * from problem").to_arrow().num_rows == 0
    assert dict(zip(read["name"], read["n"], strict=True)) == Counter(span["name"] for span in spans)
    for name, dur in zip(read["name"], read["dur"], strict=True):
        assert dur == pytest.approx(sum(span["dur"] for span in spans if span["name"] == name) * 1e3, abs=len(spans))
    # with the clock of this machine
    assert before <= read["ts"].min().value < after


def test_the_profile_has_each_request_and_no_key(s3, profile, tmp_path):
    bucket, path = s3.bucket(), tmp_path / "own.json"
    job = s3.upload(profile, bucket, "jobs/job-7/profiler-output")
    with tl.self_trace(path):
        cloud = tl.open(f"s3://{bucket}/lake", create=True, options=s3.options)
        cloud.ingest(job, run="job-7", options=s3.options)
        cloud.step.duration().to_arrow()
        traffic = cloud.traffic()
    actual = events(path)
    requests = actual["b"]
    assert sorted(event["id"] for event in requests) == sorted(event["id"] for event in actual["e"])
    methods = Counter(event["args"]["method"] for event in requests)
    assert methods["GET"] == traffic["get"] + traffic["list"]
    assert (methods["PUT"], methods["HEAD"]) == (traffic["put"], traffic["head"])
    assert sum(event["args"].get("bytes", 0) for event in requests) == traffic["received"]
    assert all(event["args"]["path"].startswith(f"/{bucket}") for event in requests)
    text = path.read_text("utf-8")
    assert not any(secret in text for secret in (s3.options["secret_access_key"], s3.options["access_key_id"]))
    assert "X-Amz" not in text


def test_errors_are_reported(lake, tmp_path):
    begun = tl.self_trace(tmp_path / "one.json")
    with pytest.raises(tl.errors.ConflictError, match=r"another one is being written to .*one\.json"):
        tl.self_trace(tmp_path / "two.json")
    assert not (tmp_path / "two.json").exists()
    begun.end()
    begun.end()
    with pytest.raises(tl.errors.NotFoundError, match="cannot write the profile"):
        tl.self_trace(tmp_path / "none" / "x.json")
    with pytest.raises(tl.errors.DeniedError, match="cannot write the profile"):
        tl.self_trace(tmp_path)
    # the end of a failed block is also an end
    with contextlib.suppress(tl.TracelakeError), tl.self_trace(tmp_path / "two.json"):
        lake.sql("select 1 as x").to_arrow()
        lake.sql("selec")
    names = [event["name"] for event in events(tmp_path / "two.json")["X"]]
    # each optimizer rule is a span, too; DataFusion determines the rules
    assert [name for name in names if name != "rule"] == [
        "plan",
        "analyze",
        "optimize",
        "physical_plan",
        "query",
        "plan",
    ]


def test_a_full_disk_is_reported_at_the_end(lake):
    begun = tl.self_trace("/dev/full")
    lake.sql("select 1 as x").to_arrow()
    with pytest.raises(tl.errors.ExhaustedError, match="cannot write the profile /dev/full"):
        begun.end()
