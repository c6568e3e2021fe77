"""Samples processors, memory and GPUs, and synchronizes with an accelerator."""
