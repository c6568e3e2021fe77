"""DataFrames of a profile, statistics over them, and the merged timeline."""
