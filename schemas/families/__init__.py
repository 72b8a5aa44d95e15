"""Kinds that share facts: files that are like another, and files of a whole family."""
