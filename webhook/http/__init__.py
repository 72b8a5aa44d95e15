"""HTTP: requests, answers, limits on connections."""
