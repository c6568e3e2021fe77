"""A cluster gives the same answers as a single process, whatever happens to its processes.

Running all canned queries takes minutes. With `TRACELAKE_CLUSTER_EVERY=4`, one query of four runs, a different quarter
each day, and at least one query of each family.
"""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from processes import SHELL, Cluster, Node, text_at

from hang_guard import HANG_GUARD_S, run_guarded, wait_until
from loopback_server import LoopbackServer
from s3_server import free_ports
from sql_times import cases
from sql_times import steps as step_times
from test_duckdb_views import difference, ordering, rows_of
from tracelake import _tracelake, errors

EVERY = int(os.environ.get("TRACELAKE_CLUSTER_EVERY", "1"))
ALL = sorted(query["name"] for query in _tracelake.help_queries())
FIRST = {name.partition(".")[0]: name for name in reversed(ALL)}
NAMES = sorted({*ALL[int(time.time() // 86400) % EVERY :: EVERY], *FIRST.values()})
BUSY = """
    select a.run, count(*) as n, sum(a.dur + b.dur) as dur
    from event a join event b on a.run = b.run and a.category = b.category
    group by a.run order by a.run
"""
"""A query that takes some seconds; its result shows a missing or duplicate row."""


def columns_and_rows(session, name):
    """Returns the names of the columns, and the rows."""
    return rows_of(session.query(name).to_arrow())


def value(frame):
    """Returns the only value of a result."""
    ((cell,),) = rows_of(frame.to_arrow())[1]
    return cell


def steps(frame):
    """Returns the operators in the plan of a query."""
    return [step for step in list(frame.explain()) if step["depth"]]


@pytest.mark.parametrize("name", NAMES)
def test_every_canned_query_has_the_local_result(local, distributed, name):
    order_columns = ordering(local)[name.replace(".", "_")]
    assert difference(columns_and_rows(local, name), columns_and_rows(distributed, name), order_columns) is None


def test_the_cluster_runs_the_queries(distributed, cluster):
    """Without this, the comparison could run both queries in this process."""
    plan = steps(distributed.sql("select run, max(dur) as longest from event where dur > 7 group by run order by run"))
    assert [(step["detail"], step["depth"]) for step in plan if step["operator"] == "ClusterExec"] == [
        (cluster.address, 1)
    ]
    assert all(step["rows"] is None for step in plan if step["depth"] > 1)


def test_data_files_are_pruned_before_the_plan_is_sent(local, distributed):
    """Filters by run and time prune files, and scans read only the needed columns."""
    whole = "select sum(dur) as n from event where dur >= 0"
    largest = "select run, max(ts) - 1 as since from event group by run order by count(*) desc limit 1"
    run, since = next(local.sql(largest).rows()).values()
    (scan,) = [step for step in steps(distributed.sql(whole)) if step["parts"]]
    assert scan["parts_pruned"] == 0
    assert "projection=[dur]" in scan["detail"]
    narrow = f"{whole} and run = '{run}' and ts > {since}"
    (few,) = [step for step in steps(distributed.sql(narrow)) if step["parts"]]
    assert few["parts"] + few["parts_pruned"] == scan["parts"]
    assert few["parts"] < scan["parts"] / 4
    assert value(distributed.sql(narrow)) == value(local.sql(narrow))


def test_many_rows_arrive_in_order(local, distributed):
    text = "select run, ts, dur, name, category, row, object from event order by run, object, row, ts, name"
    assert distributed.sql(text).to_arrow().equals(local.sql(text).to_arrow())


def test_times_in_sql_have_the_local_results(local, distributed):
    of_run = "from (select * from step where run = 'pytorch_ddp') as step"
    for sql, _, unit in cases(*step_times(local)):
        one_run = sql.replace("from step", of_run)
        ours = distributed.sql(one_run)
        assert list(ours.rows(named=False)) == list(local.sql(one_run).rows(named=False)), sql
        assert list(ours.units.values()) == [unit], sql


def test_figures_are_the_same(local, distributed):
    run = "first_look-profiler-output"
    for name in ("step_timeline", "loader_share"):
        assert distributed.figure(name, run=run).to_json() == local.figure(name, run=run).to_json()


def test_an_error_of_sql_is_the_same(local, distributed):
    messages = []
    for session in (local, distributed):
        with pytest.raises(errors.QueryError) as error:
            session.sql("select cast('x' || category as bigint) as n from event where category = 'kernel'").to_arrow()
        messages.append(str(error.value))
    assert messages[0].split("\n", 1)[0] == messages[1].split("\n", 1)[0]


def test_an_undistributable_query_is_an_error_or_runs_locally_with_local_fallback(
    lake_location, local, distributed, cluster
):
    text = """
        with recursive n(x) as (select min(step) from step where step > 0 union all select x + 1 from n where x < 9)
        select sum(x) from n
    """
    with pytest.raises(errors.QueryError, match="cannot send this query to the cluster") as error:
        value(distributed.sql(text))
    assert "local_fallback" in str(error.value)
    with lake_location.open(cluster=cluster.address, local_fallback=True) as session:
        assert value(session.sql(text)) == value(local.sql(text))


def test_a_query_survives_a_killed_executor(lake_location, local, new_cluster):
    expected = local.sql(BUSY).to_arrow()
    with lake_location.open(cluster=new_cluster.address) as session, ThreadPoolExecutor(1) as pool:
        begun = time.monotonic()
        assert session.sql(BUSY).to_arrow().equals(expected)
        took = time.monotonic() - begun
        # the second run can be faster than the first, so the next run is killed earlier
        for share in (1 / 2, 1 / 4, 1 / 8, 0):
            pending = pool.submit(lambda: session.sql(BUSY).to_arrow())
            time.sleep(share * took)
            if not pending.done():
                break
        assert not pending.done()
        new_cluster.executors[0].end(signal.SIGKILL)
        assert pending.result(HANG_GUARD_S).equals(expected)


def test_a_stopped_scheduler_is_an_error_and_a_restarted_one_works(lake_location, new_cluster):
    text = "select count(*) from event where dur > 7"
    with lake_location.open(cluster=new_cluster.address) as session:
        expected = value(session.sql(text))
        new_cluster.scheduler.end(signal.SIGKILL)
        with pytest.raises(errors.UnreachableError, match="does not respond") as error:
            value(session.sql(text))
        assert new_cluster.address in str(error.value)
        with pytest.raises(errors.UnreachableError, match="does not respond"):
            lake_location.open(cluster=new_cluster.address)
        new_cluster.scheduler.start()
        new_cluster.scheduler.wait()
        assert value(session.sql(text)) == expected


def test_wrong_credentials_are_reported_and_no_secret_is_logged(lake_location, s3, tmp_path):
    """The session has its keys in its environment, so it does not send them; the executors have wrong keys."""
    wrong = "wrong-" + "s" * 20
    environment = {**lake_location.variables(), "AWS_SECRET_ACCESS_KEY": wrong}
    program = (
        "import sys, tracelake as tl\n"
        "with tl.open(sys.argv[1], cluster=sys.argv[2]) as s:\n"
        "    try: print(s.sql('select sum(dur) from event where dur > 7').to_arrow())\n"
        "    except tl.errors.DeniedError as error: print('denied:', error)\n"
    )
    with Cluster(tmp_path, executors=1, environment=environment) as cluster:
        command = [sys.executable, "-c", program, lake_location.url, cluster.address]
        done = subprocess.run(command, env=lake_location.environment(), capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        logs = cluster.logs()
    assert output.startswith("denied: "), output
    assert ".parquet" in output
    for secret in (wrong, s3.secret):
        assert secret not in output
        assert secret not in logs


def test_transmitted_keys_are_not_logged(distributed, s3, cluster):
    """Each query sends the options of the session; the executors have no keys of their own."""
    assert value(distributed.sql("select sum(dur) from event where dur > 7")) > 0
    assert s3.secret not in cluster.logs()


def test_a_cluster_of_another_version_is_refused(lake_location):
    class Other(LoopbackServer):
        def respond(self, exchange):
            exchange.send(200, {}, json.dumps({"version": "9.9.9", "cores": 2}).encode())

    message = r"it is tracelake 9\.9\.9, and the session is tracelake"
    with Other() as other, pytest.raises(errors.ArgumentError, match=message):
        lake_location.open(cluster=other.url.replace("http", "df"))


@pytest.mark.parametrize("address", ["head", "s3://bucket", "df://head/folder"])
def test_an_invalid_address_is_refused(lake_location, address):
    with pytest.raises(errors.ArgumentError, match="df://host:50050"):
        lake_location.open(cluster=address)


def test_a_server_that_is_not_a_cluster_is_reported(lake_location, s3):
    with pytest.raises(errors.UnrecognizedError, match="not a tracelake-cluster"):
        lake_location.open(cluster=s3.proxy.url)


def test_a_cancelled_query_frees_the_executors(lake_location, new_cluster):
    """A cancelled query stops, so that the next one runs immediately."""
    endless = "select sum(a.dur * b.dur * c.dur % 7) from event a join event b using (run) join event c using (run)"
    with lake_location.open(cluster=new_cluster.address) as session:
        value(session.sql("select count(*) from event where dur > 7"))
        program = (
            "import json, sys, tracelake as tl\n"
            "given = json.load(sys.stdin)\n"
            "with tl.open(given['url'], options=given['options'], cluster=given['cluster']) as s:\n"
            "    s.sql(given['text']).to_arrow()\n"
        )
        client = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        arguments = {
            "url": lake_location.url,
            "options": lake_location.options,
            "cluster": new_cluster.address,
            "text": endless,
        }
        client.stdin.write(json.dumps(arguments).encode())
        client.stdin.close()
        time.sleep(5)
        assert client.poll() is None
        client.send_signal(signal.SIGINT)
        client_errors = client.stderr.read()
        client.stderr.close()
        client.wait(HANG_GUARD_S)
        assert b"KeyboardInterrupt" in client_errors, client_errors
        run_guarded(lambda: value(session.sql("select count(*) from event where dur > 8")))


def test_shuffle_files_are_removed_after_the_query(distributed, cluster):
    distributed.sql("select run, name, count(*) from event group by run, name").to_arrow()
    wait_until(lambda: not cluster.shuffle_files(), "removal of shuffle files", 0.2)


def test_an_executor_starts_with_an_empty_folder_and_stops_on_request(tmp_path):
    with Cluster(tmp_path, executors=1) as cluster:
        (executor,) = cluster.executors
        port = executor.arguments[executor.arguments.index("--port") + 1]
        orphan = tmp_path / f"tracelake-executor-{port}" / "dead-job" / "1" / "data.arrow"
        orphan.parent.mkdir(parents=True)
        orphan.write_bytes(b"of a process that was killed")
        assert executor.end(signal.SIGKILL) == -signal.SIGKILL
        executor.start()
        executor.wait()
        assert not orphan.exists()
        assert text_at(f"{executor.probes}/healthz") == (200, "ok\n")
        assert text_at(f"{cluster.scheduler.probes}/healthz") == (200, "ok\n")
        assert executor.end(signal.SIGTERM) == 0
        assert cluster.scheduler.end(signal.SIGTERM) == 0


def test_a_scheduler_without_executors_reports_that_it_is_not_ready(lake_location, tmp_path):
    with Cluster(tmp_path, executors=1) as cluster, lake_location.open(cluster=cluster.address) as session:
        cluster.executors[0].end(signal.SIGKILL)
        probe = f"{cluster.scheduler.probes}/readyz"
        wait_until(lambda: text_at(probe)[0] != 200, "end of the readiness of the scheduler", 0.2)
        assert text_at(probe) == (503, "there is no executor\n")
        with pytest.raises(errors.UnreachableError, match="the cluster has no executor"):
            value(session.sql("select sum(dur) from event where dur > 7"))


def test_the_shell_runs_queries_on_a_cluster(lake_location, local, cluster):
    text = "select sum(dur) as dur from event where dur > 7"
    command = [SHELL, "--lake", lake_location.url, "--cluster", cluster.address, "sql", text]
    done = subprocess.run(command, env=lake_location.environment(), capture_output=True, text=True, check=False)
    # the executors have no keys, and keys from the environment are not sent
    assert done.returncode == 4, done
    assert "cannot read the lake: the store refused" in done.stderr
    assert "a machine of the cluster was refused" in done.stderr
    options = [f"--option={name}={value}" for name, value in lake_location.options.items()]
    done = subprocess.run([*command[:3], *options, *command[3:]], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["dur", str(value(local.sql(text)))]


def test_a_cluster_works_on_one_machine(local, lake_location, tmp_path):
    (port,) = free_ports(1)
    file = tmp_path / "cluster.toml"
    file.write_text(f'[standalone]\nport = {port}\ncores = 2\nfolder = "{tmp_path}"\n')
    node = Node(tmp_path / "log", port, ["standalone", "--file", str(file)], {})
    try:
        node.wait()
        with lake_location.open(cluster=f"df://127.0.0.1:{port}") as session:
            text = "select run, count(*) as n from event where dur > 7 group by run order by run"
            assert session.sql(text).to_arrow().equals(local.sql(text).to_arrow())
        assert node.end(signal.SIGTERM) == 0
    finally:
        node.process.kill()
        node.process.wait()


def test_concurrent_clients_get_correct_results(lake_location, local, cluster):
    """Eight sessions run the same ten queries in different orders."""
    names = ["step.duration", "loader.share", *NAMES[:8]]
    expected = {name: columns_and_rows(local, name) for name in names}

    def client(n):
        with lake_location.open(cluster=cluster.address) as session:
            for name in names[n:] + names[:n]:
                order_columns = ordering(local)[name.replace(".", "_")]
                assert difference(expected[name], columns_and_rows(session, name), order_columns) is None, name
        return n

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(client, range(8))) == list(range(8))
