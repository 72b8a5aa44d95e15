"""The report of a run: findings with lines and columns, baselines, and its formats."""
