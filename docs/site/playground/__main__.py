"""Writes the playground."""

from docs.site.playground import DIRECTORY, write

write(DIRECTORY)
