"""What is computed from profiles: frames, statistics, charts, Python profiles."""
