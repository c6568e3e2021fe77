"""Profiles whose causes are known: the set that the diagnosis is judged by. README.md says what is there."""
