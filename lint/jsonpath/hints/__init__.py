"""Common mistakes, and what to write instead."""
