"""Runs a program under `tracelake record`, and records its loaders without a change to its code."""
