"""Random changes of a lake: after each step, tracelake, DuckDB and Polars return the rows that a model expects.

Some steps corrupt a file of the lake. Then no query returns wrong rows, `check` finds the fault, and `repair` and
another ingest restore all rows.
"""

import datetime as dt
import json
import os
import random
import warnings
from collections import defaultdict
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl
import pytest

import tracelake as tl

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3, 107, 122, 5, *range(1000, 1000 + int(os.environ.get("TRACELAKE_LAW_SEEDS", "0"))))
"""Seeds of the steps. Some of them have found faults of tracelake."""
STEPS = 20
EPOCH = 1_700_000_000_000_000_000
NOW = dt.timedelta(0)
TABLES = {".json": "event", ".jsonl": "loader"}
"""The table with the rows of a file, by the suffix of the file."""
FACTS = "count(*) AS n, sum(dur) AS total, min(ts) AS first, max(ts) AS final"
FACTS_BY_FILE = f"""
    SELECT t.run, o.url, {FACTS}
    FROM {{}} AS t
    LEFT JOIN object AS o ON o.run = t.run AND o.object = t.object
    GROUP BY t.run, o.url
"""
TAGS = "SELECT run, key, value FROM run_attribute WHERE object = -1"
NAMES = [f"run-{number}" for number in range(6)]
"""Names of runs. Few names, so that the name of a deleted run is used again."""
STEP_WEIGHTS = {
    "ingest_again": 2, "change_file": 3, "add_file": 2, "remove_file": 2, "ingest_new": 4, "tag": 3, "rename": 2,
    "delete": 2, "compact": 4, "vacuum": 2, "repair_intact_lake": 1, "corrupt": 8,
}  # fmt: skip
FILE_WEIGHTS = {"data file": 10, "manifest": 6, "bundle": 6, "deletion": 2, "checkpoint": 2, "format": 1}
"""Kinds of files to corrupt. A `deletion` is the manifest of a deleted run; `format` is `lake.json`."""
STEPS_ON_CORRUPT_LAKE = ("ingest_again", "change_file", "add_file", "tag", "rename", "delete", "compact", "vacuum")


class Facts(NamedTuple):
    """Facts of the rows of a file or a run: their number, total duration, and range of `ts`."""

    n: int
    total: int
    first: int | None
    final: int | None


def combine(facts):
    """Returns the facts of all rows of several files."""
    facts = list(facts)
    times = [ts for one in facts for ts in (one.first, one.final) if ts is not None]
    total = sum(one.total for one in facts)
    return Facts(sum(one.n for one in facts), total, min(times, default=None), max(times, default=None))


class Profile:
    """A folder with a few small files, and the facts of each file by its URL."""

    def __init__(self, folder, rng, names):
        self.folder = folder
        self.rng = rng
        self.facts = {}
        folder.mkdir(parents=True)
        for name in names:
            self.write(folder / name)

    def write(self, path):
        """Writes a file with random rows, or replaces it."""
        spans = [(self.rng.randrange(10**9), self.rng.randrange(1, 10**6)) for _ in range(self.rng.randrange(1, 12))]
        total = sum(1000 * dur for _, dur in spans)
        if path.suffix == ".jsonl":
            lines = [json.dumps({"step": step, "load_s": dur / 10**6}) + "\n" for step, (_, dur) in enumerate(spans)]
            path.write_text("".join(lines))
            facts = Facts(len(spans), total, None, None)
        else:
            events = [
                {"ph": "X", "cat": "cpu_op", "name": f"op{n % 3}", "pid": 7, "tid": 7, "ts": ts, "dur": dur, "args": {}}
                for n, (ts, dur) in enumerate(spans)
            ]
            rank = int(path.stem.removeprefix("rank"))
            root = {"schemaVersion": 1, "baseTimeNanoseconds": EPOCH, "distributedInfo": {"rank": rank}}
            path.write_text(json.dumps({**root, "traceEvents": events}))
            times = [EPOCH + 1000 * ts for ts, _ in spans]
            facts = Facts(len(spans), total, min(times), max(times))
        self.facts[path.as_uri()] = facts

    def new_path(self):
        """Returns the path of a file that the profile does not have."""
        return next(path for n in range(99) if (path := self.folder / f"rank{n}.json").as_uri() not in self.facts)


@dataclass
class Run:
    """What the lake must have of a run."""

    profile: Profile
    files: dict[str, Facts] = field(default_factory=dict)
    """Facts of the files, by URL."""
    tags: dict[str, str] = field(default_factory=dict)
    earlier_tags: list[dict[str, str]] = field(default_factory=lambda: [{}])

    def vanished(self):
        """Returns the URLs of files with rows in the lake that the profile no longer has."""
        return [url for url in self.files if url not in self.profile.facts]

    def is_current(self):
        """Whether the last ingest read the files as they are now."""
        return self.profile.facts.items() <= self.files.items()


class Corruption(NamedTuple):
    """A corrupt file of the lake."""

    kind: str
    """One of `FILE_WEIGHTS`."""
    change: str
    """`flip`, `truncate` or `remove`."""
    path: str
    """Path below the lake."""
    runs: set[str]
    """The runs that the file concerns."""
    before: bytes
    """The content before the change."""
    has_current_bytes: bool
    """False if the change concerns only rows that no run has any more: those of a slice of a shared file, or of a file
    that `compact` has written again since.
    """

    def is_noticed(self):
        """Whether tracelake can notice it: a removed manifest looks as if the commit had never happened."""
        is_hidden = self.can_hide_commits() and self.change == "remove"
        return self.kind != "checkpoint" and self.has_current_bytes and not is_hidden

    def can_hide_commits(self):
        """Whether an older generation of a run may be the newest valid one."""
        return self.kind in ("manifest", "deletion", "bundle")


class RandomLake:
    """A lake that changes randomly, and a model of its rows."""

    def __init__(self, seed, folder):
        self.rng = random.Random(seed)
        self.seed = seed
        self.steps = []
        self.path = folder / "lake"
        files = ["rank0.json", "rank1.json", "timings.jsonl"]
        self.profiles = [Profile(folder / "job" / f"run-{n}", self.rng, files) for n in range(4)]
        # A lake with more runs has a checkpoint.
        more = 12 if seed % 2 else 0
        others = [Profile(folder / "job" / f"small-{n}", self.rng, files[-1:]) for n in range(more)]
        self.runs = {profile.folder.name: Run(profile, dict(profile.facts)) for profile in self.profiles + others}
        self.versions = defaultdict(set)
        """The facts of all versions of a file that were ingested, by URL."""
        self.remember_versions(profile.facts for profile in self.profiles + others)
        self.session = tl.open(self.path, create=True)
        self.session.ingest(f"{folder}/job/*", progress=False)
        assert (self.path / "_manifest" / "checkpoint.parquet").exists() == (more > 0)
        self.duckdb = duckdb.connect()
        self.has_compared_views = False

    def close(self):
        self.session.close()
        self.duckdb.close()

    def story(self, what):
        """Returns a text for a failed assertion: what is wrong, the seed, and the steps."""
        return "\n  ".join([f"{what}; seed {self.seed}, steps:", *self.steps])

    def expect_equal(self, actual, expected, what):
        assert actual == expected, self.story(what)

    # Random choices

    @contextmanager
    def any_session(self):
        """Returns the session that stays open, or a new one."""
        if self.rng.random() < 0.5:
            yield self.session
        else:
            with tl.open(self.path) as session:
                yield session

    def choose_run(self, excluded):
        """Returns the name of a run that is not excluded; None if there is none."""
        names = sorted(self.runs.keys() - excluded)
        return self.rng.choice(names) if names else None

    def choose_new_name(self, excluded):
        """Returns a name that no run has; None if there is none."""
        names = sorted({*NAMES} - self.runs.keys() - excluded)
        return self.rng.choice(names) if names else None

    # Steps. Each of them changes the lake and the model; runs in `excluded` stay as they are.

    def take_step(self):
        names = list(STEP_WEIGHTS)
        step = self.rng.choices(names, [STEP_WEIGHTS[name] for name in names])[0]
        getattr(self, step)(set())

    def ingest(self, session, name, *, prune=False):
        """Ingests the profile of a run, and returns the report."""
        run = self.runs[name]
        report = session.ingest(run.profile.folder, run=name, prune=prune, progress=False)
        run.files = {**({} if prune else run.files), **run.profile.facts}
        self.remember_versions([run.files])
        return report

    def remember_versions(self, files):
        for url, facts in (item for one in files for item in one.items()):
            self.versions[url].add(facts)

    def ingest_again(self, excluded):
        if name := self.choose_run(excluded):
            self.steps.append(f"ingest {name} again")
            is_current = self.runs[name].is_current()
            with self.any_session() as session:
                report = self.ingest(session, name)
            self.expect_equal(report["read"] == 0, is_current, "an ingest reads new and changed files")

    def ingest_change(self, name, text, *, prune=False):
        """Ingests a run after its profile has changed."""
        self.steps.append(f"{text}, and ingest {name}")
        with self.any_session() as session:
            return self.ingest(session, name, prune=prune)

    def write_file(self, excluded, action, choose_path):
        """Writes a file of a profile and ingests it."""
        if name := self.choose_run(excluded):
            profile = self.runs[name].profile
            path = choose_path(profile)
            profile.write(path)
            report = self.ingest_change(name, f"{action} {path.name}")
            assert report["read"] > 0, self.story(f"the file is not read: {action} {path.name}")

    def change_file(self, excluded):
        self.write_file(excluded, "change", lambda profile: self.rng.choice(sorted(profile.folder.iterdir())))

    def add_file(self, excluded):
        self.write_file(excluded, "add", lambda profile: profile.new_path())

    def remove_file(self, excluded):
        if name := self.choose_run(excluded):
            profile = self.runs[name].profile
            paths = sorted(profile.folder.iterdir())
            if len(paths) > 1:
                path = self.rng.choice(paths)
                path.unlink()
                del profile.facts[path.as_uri()]
                prune = self.rng.random() < 0.5
                self.ingest_change(name, f"remove {path.name}{' and its rows' if prune else ''}", prune=prune)

    def ingest_new(self, excluded):
        if name := self.choose_new_name(excluded):
            profile = self.rng.choice(self.profiles)
            self.runs[name] = Run(profile)
            self.ingest_change(name, f"take {profile.folder.name} for a new run")

    def tag(self, excluded):
        if name := self.choose_run(excluded):
            run = self.runs[name]
            key, value = self.rng.choice("ab"), self.rng.choice(["1", "2", None])
            self.steps.append(f"tag {name}: {key}={value}")
            with self.any_session() as session:
                session.tag(name, {key: value})
            run.earlier_tags.append(run.tags)
            run.tags = {key: value for key, value in {**run.tags, key: value}.items() if value is not None}

    def rename(self, excluded):
        name, new_name = self.choose_run(excluded), self.choose_new_name(excluded)
        if name and new_name:
            self.steps.append(f"rename {name} to {new_name}")
            with self.any_session() as session:
                session.rename(name, new_name)
            self.runs[new_name] = self.runs.pop(name)

    def delete(self, excluded):
        name = self.choose_run(excluded)
        if name and len(self.runs) > 2:
            self.steps.append(f"delete {name}")
            with self.any_session() as session:
                session.delete(name)
            del self.runs[name]

    def compact(self, _excluded):
        self.steps.append("compact")
        with self.any_session() as session:
            session.compact()

    def vacuum(self, _excluded):
        self.steps.append("vacuum")
        with self.any_session() as session:
            return list(session.vacuum(NOW).rows())

    def repair_intact_lake(self, _excluded):
        self.steps.append("repair an intact lake")
        with self.any_session() as session:
            self.expect_equal(list(session.repair().rows()), [], "there is something to repair")

    # Comparisons

    def facts(self, session):
        """Returns the facts in a session, by run and URL of the file."""
        rows = [row for table in TABLES.values() for row in session.sql(FACTS_BY_FILE.format(table)).rows()]
        return {(row["run"], row["url"]): Facts(*list(row.values())[2:]) for row in rows}

    def tags(self, session):
        """Returns the tags of all runs in a session."""
        tags = {name: {} for name in self.runs}
        for row in session.sql(TAGS).rows():
            tags.setdefault(row["run"], {})[row["key"]] = row["value"]
        return tags

    def expected_facts(self):
        return {(name, url): facts for name, run in self.runs.items() for url, facts in run.files.items()}

    def expected_facts_by_run(self, suffix):
        """Returns the facts of the runs in the table of the files with this suffix."""
        facts = {}
        for name, run in self.runs.items():
            files = [facts for url, facts in run.files.items() if url.endswith(suffix)]
            if files:
                facts[name] = combine(files)
        return facts

    def compare(self):
        """Compares tracelake, DuckDB and Polars with the model."""
        self.session.refresh()
        with tl.open(self.path) as new:
            for session, which in ((new, "a new session"), (self.session, "the open session")):
                names = [row["run"] for row in session.runs().rows()]
                self.expect_equal(names, sorted(self.runs), f"runs of {which}")
                self.expect_equal(self.facts(session), self.expected_facts(), f"rows of {which}")
                tags = {name: run.tags for name, run in self.runs.items()}
                self.expect_equal(self.tags(session), tags, f"tags of {which}")
            for suffix in TABLES:
                self.compare_engines(new, suffix)

    def compare_engines(self, session, suffix):
        """Compares DuckDB and Polars with the model, from the files of a table."""
        table, expected = TABLES[suffix], self.expected_facts_by_run(suffix)
        try:
            files = session.files(table)
        except tl.errors.ConflictError:
            if self.can_read_wrong_rows(suffix) and not self.has_compared_views:
                self.compare_views(session, suffix)
            if self.rng.random() < 0.5:
                return
            self.steps.append("compact, because a shared file has rows of other generations")
            session.compact()
            files = session.files(table)
        self.expect_equal(self.polars_facts(files), expected, f"rows of {table} in Polars")
        sql = f"SELECT run, {FACTS} FROM read_parquet($files) GROUP BY run"
        rows = self.duckdb.execute(sql, {"files": files}).fetchall() if files else []
        self.expect_equal({run: Facts(*facts) for run, *facts in rows}, expected, f"rows of {table} in DuckDB")

    def can_read_wrong_rows(self, suffix):
        """Checks that the files of a table do not have the right rows. Returns false if Polars cannot read them."""
        paths = [str(self.path / path) for path in self.data_files() if path.startswith(f"{TABLES[suffix]}/")]
        try:
            facts = self.polars_facts(paths)
        except pl.exceptions.ComputeError:
            # Rows that no run has any more can be corrupt.
            return False
        assert facts != self.expected_facts_by_run(suffix), self.story("`files` refuses files with the right rows")
        return True

    def polars_facts(self, files):
        if not files:
            return {}
        ts, dur = pl.col("ts"), pl.col("dur")
        rows = pl.scan_parquet(files).group_by("run").agg(pl.len(), dur.sum(), ts.min().alias("a"), ts.max().alias("b"))
        return {run: Facts(*facts) for run, *facts in rows.collect().rows()}

    def compare_views(self, session, suffix):
        """Compares a view of `export_duckdb` with the model: it has only current rows of a shared file."""
        self.has_compared_views = True
        folder, table = self.path.parent / "duckdb", TABLES[suffix]
        session.export_duckdb(folder)
        script = (folder / "views.sql").read_text()
        start = script.index(f'CREATE OR REPLACE VIEW "{table}" AS')
        self.duckdb.execute(script[start : script.index(";", start)])
        rows = self.duckdb.execute(f"SELECT run, {FACTS} FROM {table} GROUP BY run").fetchall()
        facts = {run: Facts(*facts) for run, *facts in rows}
        self.expect_equal(facts, self.expected_facts_by_run(suffix), f"rows of view {table} in DuckDB")

    # Corrupt files

    def newest_manifests(self):
        """Returns the newest manifest of each run, and the path of its file below the lake."""
        newest = {}
        folder = self.path / "_manifest"
        for run in sorted((folder / "run").iterdir()):
            for path in sorted(run.glob("*.json"))[-1:]:
                newest[run.name] = (path, json.loads(path.read_text()))
        for path in sorted(folder.glob("bundle/*.json")):
            for manifest in json.loads(path.read_text()):
                name = manifest["run"]
                # At the same generation, the bundle is valid.
                if name not in newest or manifest["generation"] >= newest[name][1]["generation"]:
                    newest[name] = (path, manifest)
        return {name: (str(path.relative_to(self.path)), manifest) for name, (path, manifest) in newest.items()}

    def data_files(self):
        """Returns the parts in each current data file by their run, by the path of the file below the lake."""
        files = defaultdict(dict)
        for name, (_, manifest) in self.newest_manifests().items():
            for part in manifest["parts"] if name in self.runs else []:
                files[part["path"]][name] = part
        return files

    def current_files(self):
        """Returns the current files by kind: their paths, each with the runs that it concerns."""
        files = defaultdict(lambda: defaultdict(set))
        files["data file"] = {path: set(parts) for path, parts in self.data_files().items()}
        manifests = self.newest_manifests()
        for name, (path, manifest) in manifests.items():
            if manifest.get("deleted"):
                files["deletion"][path].add(name)
            elif name in self.runs:
                files["bundle" if "/bundle/" in path else "manifest"][path].add(name)
        # If the old name of a run was not deleted, only the manifest of its new name hides the old one.
        hidden = {name for name, (_, manifest) in manifests.items() if not manifest.get("deleted")} - self.runs.keys()
        for path, manifest in manifests.values():
            if manifest.get("renamed", [None])[0] in hidden:
                for paths in files.values():
                    paths.pop(path, None)
        for kind, path in (("checkpoint", "_manifest/checkpoint.parquet"), ("format", "_manifest/lake.json")):
            if (self.path / path).exists():
                files[kind][path] = set()
        return files

    def corrupt(self, _excluded):
        """Corrupts a file of the lake, compares rows, searches the fault, and repairs it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            corruption = self.corrupt_file()
            self.compare_corrupt_lake(corruption)
            if self.rng.random() < 0.5:
                self.take_step_on_corrupt_lake(corruption)
                self.compare_corrupt_lake(corruption)
                if corruption.kind == "data file" and corruption.path not in self.data_files():
                    corruption = corruption._replace(has_current_bytes=False)
            if self.find_fault(corruption):
                self.restore(corruption)
            else:
                self.steps.append(f"undo the change of {corruption.path}")
                (self.path / corruption.path).write_bytes(corruption.before)
        self.session.refresh()
        self.expect_equal(self.session.faults(), [], "the open session still has faults")
        with tl.open(self.path) as session:
            lost = [row for row in session.check().rows() if row["loss"]]
        self.expect_equal(lost, [], "`check` finds a fault after the repair")

    def corrupt_file(self):
        files = self.current_files()
        kinds = [kind for kind in FILE_WEIGHTS if files[kind]]
        kind = self.rng.choices(kinds, [FILE_WEIGHTS[kind] for kind in kinds])[0]
        name = self.rng.choice(sorted(files[kind]))
        # A changed bit of the format may be another format.
        change = self.rng.choice(["truncate", "remove"] if kind == "format" else ["flip", "flip", "truncate", "remove"])
        path = self.path / name
        content = path.read_bytes()
        position, has_current_bytes = 0, True
        if change == "flip":
            position, bit = self.choose_byte(len(content)), self.rng.randrange(8)
            if kind == "data file":
                has_current_bytes = any(has_byte(part, position) for part in self.data_files()[name].values())
            flipped = bytes([content[position] ^ 1 << bit])
            path.write_bytes(content[:position] + flipped + content[position + 1 :])
        elif change == "truncate":
            position = self.choose_end(content.rstrip())
            path.write_bytes(content[:position])
        else:
            path.unlink()
        self.steps.append(f"{change} {kind} {name} at byte {position} of {len(content)}")
        return Corruption(kind, change, name, files[kind][name], content, has_current_bytes)

    def choose_byte(self, size):
        """Returns a position in a file; the first and the last bytes are more likely."""
        start, end = self.rng.choice([(0, size), (0, size), (0, 16), (size - 16, size)])
        return self.rng.randrange(max(start, 0), min(end, size))

    def choose_end(self, content):
        """Returns the size of a truncated file; the end of a manifest in a bundle is more likely."""
        ends = [n for n in range(1, len(content)) if content.startswith(b',{"format":', n)]
        end = self.rng.choice([*ends, self.rng.randrange(len(content))])
        return end + (end in ends and self.rng.random() < 0.5)

    def compare_corrupt_lake(self, corruption):
        """No query returns wrong rows: it excludes a run, with a reason, or fails."""
        if corruption.can_hide_commits() and not corruption.is_noticed():
            return
        try:
            with tl.open(self.path) as session:
                facts = self.facts(session)
                excluded = {fault["run"] for fault in session.faults()}
        except (tl.errors.MalformedError, tl.errors.NotFoundError) as error:
            assert "tracelake check" in str(error), self.story("the error has no hint")  # noqa: PT017
            return
        expected = self.expected_facts()
        wrong = {key: (value, expected.get(key)) for key, value in facts.items() if value != expected.get(key)}
        self.expect_equal(wrong, {}, "a query on a corrupt lake returns wrong rows")
        missing = {run for run, _ in expected.keys() - facts.keys()}
        # A bundle may have lost the names of runs, too.
        has_reason = missing <= excluded or (corruption.kind == "bundle" and excluded)
        assert has_reason, self.story(f"no reason why {missing - excluded} has no rows")

    def take_step_on_corrupt_lake(self, corruption):
        """Takes a step that does not concern the runs of the corrupt file."""
        step = self.rng.choice(STEPS_ON_CORRUPT_LAKE)
        result = getattr(self, step)(corruption.runs)
        if step == "vacuum" and corruption.can_hide_commits() and corruption.is_noticed():
            kinds = {row["kind"] for row in result}
            self.expect_equal(kinds & {"part", "manifest"}, set(), "a vacuum removes files that a repair may need")

    def find_fault(self, corruption):
        """Checks that `check` finds the fault. Returns false if no repair can fix it, or none is needed."""
        with tl.open(self.path) as session:
            faults = [row for row in session.check().rows() if row["path"] == corruption.path]
        kinds = {row["fault"] for row in faults}
        self.steps.append(f"check: {sorted(kinds)}")
        if corruption.is_noticed():
            expected = {"missing", "size", "corrupt"} if corruption.kind == "data file" else {"manifest", "newer"}
            assert kinds & expected, self.story(f"`check` does not find the fault of {corruption.path}: {faults}")
            if corruption.kind == "data file":
                runs = {row["run"] for row in faults}
                assert runs <= corruption.runs, self.story(f"the fault concerns {corruption.runs}, not {runs}")
        # A changed number of the format looks like a manifest of a newer version.
        return "newer" not in kinds and corruption.has_current_bytes

    def restore(self, corruption):
        """Repairs the lake and ingests the profiles of the runs again."""
        # An ingest cannot read vanished files again, and `repair` accepts the loss.
        has_vanished_files = any(self.runs[name].vanished() for name in self.runs.keys() & corruption.runs)
        if corruption.kind != "data file" or has_vanished_files or self.rng.random() < 0.5:
            self.steps.append("repair")
            with self.any_session() as session:
                repairs = list(session.repair().rows())
                assert repairs or not corruption.is_noticed(), self.story("nothing was repaired")
                if corruption.can_hide_commits():
                    # An older generation may list data files that were corrupt before.
                    session.check()
        with tl.open(self.path) as session:
            for name in sorted({row["run"] for row in session.runs().rows()} - self.runs.keys()):
                assert corruption.can_hide_commits(), self.story(f"run {name} is back")
                facts = {url: facts for (run, url), facts in self.facts(session).items() if run == name}
                wrong = [url for url, one in facts.items() if one not in self.versions[url]]
                self.expect_equal(wrong, [], f"run {name} is back with wrong rows")
                self.steps.append(f"delete {name}, which is back")
                session.delete(name)
            names = {self.rng.choice(sorted(self.runs)), *self.runs.keys() & corruption.runs}
            self.steps.append(f"ingest {', '.join(sorted(names))} again")
            for name in self.rng.sample(sorted(names), len(names)):
                # An older generation may have files that were removed since.
                prune = corruption.can_hide_commits() and not self.runs[name].vanished()
                self.ingest(session, name, prune=prune)
            self.accept_losses(session, corruption)
            if corruption.can_hide_commits():
                self.restore_tags(session)

    def accept_losses(self, session, corruption):
        """Adapts the model to the lake for files that the profile no longer has, so that no ingest can read them."""
        facts = self.facts(session)
        for name in self.runs.keys() & corruption.runs:
            run = self.runs[name]
            urls = {*run.vanished()}
            if corruption.can_hide_commits() and urls:
                urls |= {url for one, url in facts if one == name and url not in run.profile.facts}
            for url in urls:
                actual = facts.get((name, url))
                allowed = self.versions[url] if corruption.can_hide_commits() else {run.files.get(url)}
                assert actual in {None, *allowed}, self.story(f"{url} has wrong rows in run {name}: {actual}")
                if actual != run.files.get(url):
                    self.steps.append(f"{Path(url).name} of {name} is lost or has older rows")
                run.files[url] = actual
            run.files = {url: facts for url, facts in run.files.items() if facts is not None}

    def restore_tags(self, session):
        """Sets tags again that a repair has replaced by earlier ones."""
        for name, actual in self.tags(session).items():
            run = self.runs[name]
            if actual != run.tags:
                assert actual in run.earlier_tags, self.story(f"tags of {name} are wrong: {actual}")
                self.steps.append(f"tag {name} again")
                session.tag(name, {**dict.fromkeys(actual), **run.tags})


def has_byte(part, position):
    """Whether a byte of a data file concerns this part: it is in its slice, or before or after all slices."""
    piece = part.get("slice")
    if piece is None:
        return True
    first, end = piece["slices"]
    return piece["from"] <= position < piece["to"] or not first <= position < end


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_are_right_after_each_step(seed, tmp_path):
    with closing(RandomLake(seed, tmp_path)) as lake:
        lake.compare()
        for _ in range(STEPS):
            try:
                lake.take_step()
                lake.compare()
            except tl.errors.TracelakeError as error:
                raise AssertionError(lake.story(str(error))) from error
