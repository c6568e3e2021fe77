"""Compares settings of a loader in trials, and searches for the fastest ones."""
