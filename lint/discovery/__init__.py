"""The files that are linted: those named, and those below directories that git does not ignore."""
