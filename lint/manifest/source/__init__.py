"""From bytes to documents: encoding, files, the prefilter, document markers."""
