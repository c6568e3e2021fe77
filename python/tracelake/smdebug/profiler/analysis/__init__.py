"""Analyses of profiles: frames, statistics, charts, Python profiles."""
