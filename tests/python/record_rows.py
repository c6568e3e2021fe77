"""Answers as the tests of recordings compare them."""

import os


def answer(session, sql):
    """The rows of an answer as tuples."""
    return [tuple(row.values()) for row in session.sql(sql).rows()]


def write_one(rows, number):
    """What a child process records: here, where one that is spawned can import it."""
    rows.attribute(f"child-{number}", os.getpid())
