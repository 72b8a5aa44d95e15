"""Completion: `cursor` finds where the cursor is, `propose` collects what fits there."""
