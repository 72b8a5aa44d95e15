"""Holds the files of the catalogue of kinds against the sources that they cite.

    python -m tests.catalogue check --sources DIRECTORY [--record] [KIND.GROUP ...]
    python -m tests.catalogue newer --sources DIRECTORY [KIND.GROUP ...]

`DIRECTORY` has git repositories, `OWNER+NAME` or `OWNER+NAME/repo`, with or without a work tree,
and zip files of the Go module proxy, `OWNER+NAME@VERSION.zip`. `newer` tells which words the newest
release there has no longer. Where only single files can be had, a commit with these, tagged as it
is cited, serves as well.
"""
