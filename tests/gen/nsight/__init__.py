"""The modules of `nsys.py`: the schema of an export, a job, the written file, and its truth."""
