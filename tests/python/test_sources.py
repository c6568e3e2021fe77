"""Each query lists its formats: a query with rows for a bundled profile lists one of its formats."""

from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
PROFILES = (
    "first_look",
    "pytorch_ddp",
    "data_loading/timings",
    "dali_loader_evaluator",
    "lightning/advanced",
    "lightning/simple",
    "lightning_scalars",
    "loader_timings",
    "cprofile",
    "nsys",
    "recorder/planted",
    "tensorboard_events",
)


def split_names(text):
    return {name.strip() for name in text.split(",")}


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_query_with_rows_names_a_format_of_the_profile(profile):
    s = tl.open(DATA / profile, ephemeral=True)
    formats = {name for row in s.sql("select profilers from run").rows() for name in split_names(row["profilers"])}
    queries = list(s.sql("select name, sources from help_queries where sources <> ''").rows())
    others = [query["name"] for query in queries if not split_names(query["sources"]) & formats]
    assert others
    assert [name for name in others if any(s.query(name).rows())] == []
