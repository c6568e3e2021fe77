"""Writes lakes of fictitious runs: manifests with key metrics and no rows, according to docs/lake.md."""

import json

HOUR = 3600 * 10**9


def write(lake, runs):
    """Writes a lake of these runs, in order of time; each is a dict of key metrics and `attributes`."""
    (lake / "_manifest").mkdir(parents=True)
    (lake / "_manifest" / "lake.json").write_text('{"format": 1}\n')
    for number, (run, figures) in enumerate(runs.items()):
        folder = lake / "_manifest" / "run" / run
        folder.mkdir(parents=True)
        began = 1_600_000_000 * 10**9 + number * HOUR
        entry = {
            "id": 0,
            "source": "file:///x",
            "url": f"file:///x/{run}",
            "etag": "",
            "size": 1,
            "modified": 0,
            "format": "kineto",
            "format_version": 1,
            "rows": {},
            "skipped": 0,
            "repaired": 0,
            "error": None,
            "nodes": [],
            "ranks": [0],
            "framework": "pytorch",
            "started": began,
            "ended": began + HOUR,
        }
        known = dict.fromkeys(("steps", "step_p50", "step_p95", "loader_ratio", "gpu_utilization", "verdict"))
        manifest = {
            "format": 1,
            "run": run,
            "generation": 1,
            "committed": began,
            "sources": ["file:///x"],
            "tags": {},
            "parts": [],
            "objects": [entry],
            "figures": {"catalog": "made", **known, **figures},
        }
        (folder / "0000000001.json").write_text(json.dumps(manifest))
    return lake
