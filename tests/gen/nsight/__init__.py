"""What `nsys.py` is made of: the schema of an export, a job, the file it becomes, and what is in it."""
