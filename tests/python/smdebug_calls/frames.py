"""Frames of a profile, statistics over them, and the analysis of PyTorch's data loader."""

CALLS = {}
