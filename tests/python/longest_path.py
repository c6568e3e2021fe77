"""Critical paths for tests: a brute-force graph, and random traces for it."""

import random
from collections import defaultdict
from decimal import Decimal
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise

BASE = 1_600_000_000_000_000_000
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
LOCKS = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaHostAlloc"}
WAITS = {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaEventQuery", "cudaMemcpy"}
SYNCS = {
    "cudaStreamSynchronize": "Stream Sync",
    "cudaDeviceSynchronize": "Context Sync",
    "cudaEventSynchronize": "Event Sync",
    "cudaStreamWaitEvent": "Stream Wait Event",
}
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset"}
HOST = {"cpu_op", "cuda_runtime", "cuda_driver"}


class Brute:
    """The graph of a window of a raw trace, built by brute force, and its longest path."""

    def __init__(self, trace, begin, end):
        events = self.events(trace)
        self.all_calls = [e for e in events if e["cat"] in ("cuda_runtime", "cuda_driver") and e["end"] > e["ts"]]
        self.all_work = sorted((e for e in events if e["cat"] in DEVICE), key=lambda e: (e["ts"], e["end"], e["row"]))
        self.syncs = [e for e in events if e["cat"] == "cuda_sync"]
        inside = [e for e in events if begin <= e["ts"] < end and e["end"] > e["ts"]]
        self.host = [e for e in inside if e["cat"] in HOST or e["name"].startswith("enumerate(DataLoader)#")]
        rows = {e["row"] for e in self.host}
        self.work = [w for w in self.all_work if self.launch(w) and self.launch(w)["row"] in rows]
        self.time = {}
        for event in self.host + self.work:
            self.time[event["row"], "start"], self.time[event["row"], "end"] = event["ts"], event["end"]
        self.edges = {}
        named = [e for e in inside if e["cat"] in ("cpu_op", "user_annotation")]
        forward, backward = (
            {(e["pid"], e["tid"]) for e in named if word in e["name"]} for word in ("forward", "autograd")
        )
        merged = dict(zip(backward, forward, strict=True)) if len(forward) == len(backward) == 1 else {}
        threads = defaultdict(list)
        for event in self.host:
            thread = event["pid"], event["tid"]
            threads[merged.get(thread, thread)].append(event)
        for events in threads.values():
            self.call_tree(events)
        self.add_lock_edges()
        for work in self.work:
            self.add_work(work)
        self.add_synchronizations()

    @staticmethod
    def events(trace):
        """Returns the complete events with their position in the file."""
        base = trace.get("baseTimeNanoseconds", 0)
        result = []
        for row, event in enumerate(trace["traceEvents"]):
            if event.get("ph") == "X":
                ts = int(Decimal(event["ts"]) * 1000) + base
                end = ts + int(Decimal(event["dur"]) * 1000)
                result.append({"args": {}, **event, "cat": event["cat"].lower(), "row": row, "ts": ts, "end": end})
        return result

    @cache  # noqa: B019 - cached for the lifetime of the test
    def call(self, correlation):
        return min(
            (c for c in self.all_calls if c["args"].get("correlation") == correlation),
            key=lambda c: (c["ts"], c["row"]),
            default=None,
        )

    def launch(self, work):
        return self.call(work["args"].get("correlation"))

    def edge(self, source, target, kind, *, weighs):
        time = self.time.get(target, -1) - self.time.get(source, 0)
        if source in self.time and target in self.time and time >= 0:
            edge = (time if weighs else 0, kind)
            self.edges[source, target] = max(self.edges.get((source, target), edge), edge)

    def call_tree(self, events):
        """Returns a tree of calls by containment, and the traversal of it."""
        events.sort(key=lambda e: (e["ts"], -e["end"], e["row"]))
        inside, outermost, open_ = defaultdict(list), [], []
        for event in events:
            while open_ and open_[-1]["end"] <= event["ts"]:
                open_.pop()
            (inside[open_[-1]["row"]] if open_ else outermost).append(event)
            open_.append(event)
        names = {e["row"]: e["name"] for e in events}
        last = None

        def visit(event, loading):
            loading = loading or event["name"].startswith("enumerate(")
            step((event["row"], "start"), loading)
            for child in inside[event["row"]]:
                visit(child, loading)
            step((event["row"], "end"), loading)

        def step(node, loading):
            nonlocal last
            if last is not None:
                locked = names[last[0]] in LOCKS and names[node[0]] in LOCKS
                waits = node[1] == "end" and names[node[0]] in WAITS
                if not (locked and (last[1], node[1]) != ("end", "start")):
                    kind = None if waits else "loader" if loading else "host"
                    self.edge(last, node, kind, weighs=not waits)
            last = node

        for number, event in enumerate(outermost):
            if number:
                self.edge(last, (event["row"], "start"), None, weighs=False)
                last = None
            visit(event, loading=False)
        self.loading = getattr(self, "loading", set()) | {
            child["row"]
            for event in events
            if event["name"].startswith("enumerate(")
            for child in events
            if event["ts"] <= child["ts"] and child["end"] <= event["end"]
        }

    def add_lock_edges(self):
        locks = [e for e in self.host if e["name"] in LOCKS]
        ends = sorted(locks, key=lambda e: (e["end"], -e["ts"], -e["row"]))
        for lock in locks:
            # the first call that ends after the start gets the lock first
            first = next(e for e in ends if e["end"] > lock["ts"])
            kind = "loader" if lock["row"] in self.loading else "host"
            same = first is lock
            self.edge((lock["row"], "start"), (first["row"], "end"), kind if same else None, weighs=same)
        for one, other in pairwise(ends):
            if not any(one["end"] <= e["ts"] < other["end"] for e in locks):
                self.edge((one["row"], "end"), (other["row"], "end"), None, weighs=False)

    @staticmethod
    def stream_of(event):
        return event["args"].get("device", event["pid"]), event["args"].get("stream")

    @cache  # noqa: B019 - cached for the lifetime of the test
    def launches_onto(self, lane):
        """Returns launches onto a stream: start of the call, start of its first work, its thread, the work."""
        first = {}
        for work in self.all_work:
            if self.stream_of(work) == lane and (call := self.launch(work)):
                first.setdefault(call["row"], (call["ts"], work["ts"], (call["pid"], call["tid"]), work))
        return sorted(first.values(), key=lambda launch: launch[0])

    def work_before(self, sync):
        """Returns the work that was launched before the event of a synchronization was recorded."""
        record = self.call(sync["args"].get("wait_on_cuda_event_record_corr_id"))
        lane = (self.stream_of(sync)[0], sync["args"].get("wait_on_stream"))
        return [q[3] for q in self.launches_onto(lane) if record and q[0] <= record["ts"]][-1:]

    def add_work(self, work):
        start, end = (work["row"], "start"), (work["row"], "end")
        kind = "memory" if work["cat"] != "kernel" else "communication" if "nccl" in work["name"] else "computation"
        self.edge(start, end, kind, weighs=True)
        lane, launch = self.stream_of(work), self.launch(work)
        mine = [w for w in self.all_work if self.stream_of(w) == lane]
        place = mine.index(work)
        before = mine[place - 1] if place else None
        synced = []
        for sync in self.syncs:
            call = self.call(sync["args"].get("correlation"))
            if sync["name"] != "Stream Wait Event" or not call or self.stream_of(sync) != lane:
                continue
            thread = (call["pid"], call["tid"])
            after = [q[3] for q in self.launches_onto(lane) if q[0] >= call["ts"] and q[2] == thread]
            if after and after[0] is work:
                synced += [
                    s for s in self.work_before(sync) if self.stream_of(s) != lane and (s["row"], "end") in self.time
                ]
        for source in synced:
            self.edge((source["row"], "end"), start, None, weighs=False)
        queue = self.launches_onto(lane)
        ended = max((s["end"] for s in synced), default=-1)
        others = [q for q in queue if q[3] is not work]
        alone = (
            any(q[3] is work for q in queue)
            and sum((q[0], mine.index(q[3])) < (launch["ts"], place) for q in others)
            == sum(q[1] < launch["ts"] for q in others)
            and sum(q[0] <= work["ts"] for q in others)
            == sum((q[1], mine.index(q[3])) < (work["ts"], place) for q in others)
        )
        if alone and (before is None or before["end"] < launch["ts"]) and ended < launch["ts"]:
            self.edge((launch["row"], "start"), start, "launch_delay", weighs=True)
        elif before and work["ts"] - before["end"] < 1_500_000 and ended < before["end"]:
            if before["end"] <= work["ts"]:
                self.edge((before["row"], "end"), start, "kernel_delay", weighs=True)
            else:
                name = "communication" if "nccl" in before["name"] else "computation"
                kind = name if before["cat"] == "kernel" else "memory"
                self.edge((before["row"], "start"), start, kind, weighs=True)

    def add_synchronizations(self):
        for sync in self.syncs:
            call = self.call(sync["args"].get("correlation"))
            device, stream = self.stream_of(sync)
            if not call:
                continue
            begun = [w for w in self.all_work if w["ts"] < sync["end"] and self.stream_of(w)[0] == device]
            lanes = {self.stream_of(w) for w in begun}
            if sync["name"] == "Stream Sync":
                lanes &= {(device, stream)}
            last = [[w for w in begun if self.stream_of(w) == lane][-1] for lane in lanes]
            if sync["name"] == "Event Sync":
                last = self.work_before(sync)
            if sync["name"] != "Stream Wait Event":
                for work in last:
                    self.edge((work["row"], "end"), (call["row"], "end"), None, weighs=False)

    def longest(self):
        """Returns the length of the longest path and its parts; `many` if there are several longest paths."""
        leads = defaultdict(list)
        for (source, target), edge in self.edges.items():
            leads[target].append((source, edge))
        sources = {node: [source for source, _ in leads[node]] for node in self.time}
        best = {}
        for node in TopologicalSorter(sources).static_order():
            spent = [(0, {})]
            for source, (weight, kind) in leads[node]:
                length, parts = best[source]
                spent.append((length + weight, {**parts, kind: parts.get(kind, 0) + weight} if weight else parts))
            best[node] = longest_of(spent)
        return longest_of([(0, {}), *best.values()])


def longest_of(paths):
    """Returns the longest of some paths."""
    length = max(length for length, _ in paths)
    parts = [parts for other, parts in paths if other == length]
    return length, parts[0] if all(other == parts[0] for other in parts) else {"many": length}


class RandomTrace:
    """A small random trace with threads, streams, locks and all kinds of synchronization."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.events, self.free, self.recorded = [], defaultdict(int), []
        self.numbers = iter(range(1, 10_000))
        self.longest = self.draw.choice((100, 1000, 6000))
        for step in range(2):
            self.add("user_annotation", f"ProfilerStep#{step}", (100, 1), (step * 20_000, 20_000))
        for tid in (1, 2, 3):
            self.calls(tid, self.draw.randint(0, 30), 40_000, 0)

    def trace(self):
        head = {"schemaVersion": 1, "distributedInfo": {"rank": 0}, "baseTimeNanoseconds": BASE}
        return {**head, "traceEvents": self.events}

    def add(self, cat, name, track, interval, **args):
        (pid, tid), (ts, dur) = track, interval
        event = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "args": args}
        self.events.append({**event, "ts": Decimal(ts) / 1000, "dur": Decimal(dur) / 1000})

    def calls(self, tid, ts, until, depth):
        draw = self.draw
        while ts + 4 < until:
            room = draw.randint(3, min(until - ts, 12_000))
            if depth < 3 and draw.random() < 0.5 and room > 400:
                loads = depth == 0 and draw.random() < 0.2
                cat, name = ("user_annotation", LOADER) if loads else ("cpu_op", "aten::op")
                self.add(cat, name, (100, tid), (ts, room))
                self.calls(tid, ts + draw.randint(0, 2), ts + room - draw.randint(0, 2), depth + 1)
            else:
                room = max(2, room // 8)
                self.call(tid, (ts, draw.randint(1, room)))
            ts += room + draw.choice((0, 1, 50, 500) if depth else (50, 500, 1500, 4000))

    def call(self, tid, interval):
        """Adds a runtime call with its device work."""
        number, lane = next(self.numbers), (self.draw.randint(0, 1), self.draw.choice((7, 8)))
        if self.draw.random() < 0.6:
            name = self.draw.choice(("cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemsetAsync", "cudaGraphLaunch"))
            self.launch(interval[0], lane, number)
        else:
            name = self.draw.choice((*SYNCS, "cudaEventRecord", "cudaHostAlloc"))
            if name == "cudaEventRecord":
                self.recorded.append((number, lane))
            elif name in SYNCS:
                self.sync(SYNCS[name], interval, lane, number)
        self.add("cuda_runtime", name, (100, tid), interval, correlation=number)

    def launch(self, start, lane, number):
        draw, (device, stream) = self.draw, lane
        for _ in range(draw.choice((1, 1, 1, 3))):
            ts = max(start + draw.randint(-2, 2000), self.free[lane] + draw.choice((0, 5, 700, 1_600_000)))
            # sometimes it starts while the previous one still runs
            ts -= draw.random() < 0.1 and draw.randint(0, 300)
            dur = draw.choice((0, 1, 100, 400, self.longest))
            self.free[lane] = max(self.free[lane], ts + dur)
            cat, name = draw.choice((("kernel", "gemm"), ("kernel", "ncclDevKernel_AllReduce"), ("gpu_memcpy", "copy")))
            self.add(cat, name, lane, (ts, dur), device=device, stream=stream, correlation=number)

    def sync(self, name, interval, lane, number):
        args = {"device": lane[0], "stream": 4294967295 if name == "Context Sync" else lane[1]}
        if "Event" in name and self.recorded:
            record, (args["device"], source) = self.draw.choice(self.recorded)
            args |= {"wait_on_cuda_event_record_corr_id": record, "wait_on_stream": source}
        # the wait ends slightly before the call
        interval = (interval[0], interval[1] - 1)
        self.add("cuda_sync", name, (args["device"], args["stream"]), interval, correlation=number, **args)
