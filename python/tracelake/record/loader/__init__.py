"""Measures and records the passes over a loader: waits, compute time, workers and items."""
