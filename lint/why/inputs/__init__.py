"""Where objects come from: files that kubectl has written, or a cluster."""
