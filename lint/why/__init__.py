"""Why objects in a cluster wait: which object holds them up, by which part, and until when."""
