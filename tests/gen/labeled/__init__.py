"""Profiles with known causes, for the evaluation of the diagnosis; README.md describes them."""
