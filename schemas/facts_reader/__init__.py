"""Reads the files of `kinds/`: what they take over from others, and which kinds they are about."""
