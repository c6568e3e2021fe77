"""Writes the recording of a process: its rows, its origin, and the files or objects that store them."""
