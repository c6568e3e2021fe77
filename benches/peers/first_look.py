"""Reads a trace into a temporary lake and runs ten queries: `first_look.py TRACE`."""

import sys

import tracelake

QUESTIONS = [
    "step.over_time",
    "step.breakdown",
    "step.loader_share",
    "operator.summary",
    "kernel.summary",
    "kernel.by_type",
    "kernel.temporal_breakdown",
    "kernel.comm_overlap",
    "memory.peak",
    "annotation.summary",
]

session = tracelake.open(sys.argv[1], ephemeral=True)
for question in QUESTIONS:
    print(session.query(question))
