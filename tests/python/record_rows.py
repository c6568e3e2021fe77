"""Query results for the tests of recordings."""

import os


def query_rows(session, sql):
    """Returns the rows of a result as tuples."""
    return [tuple(row.values()) for row in session.sql(sql).rows()]


def write_one(rows, number):
    """Records in a child process; it is in a module so that spawned processes can import it."""
    rows.attribute(f"child-{number}", os.getpid())
