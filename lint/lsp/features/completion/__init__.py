"""What can be written at the cursor: `propose` asks `cursor` where it is, the others what fits."""
