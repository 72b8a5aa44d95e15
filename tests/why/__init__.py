"""Tests of `celvet why`."""
