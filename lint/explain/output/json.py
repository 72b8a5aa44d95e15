"""JSON, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celvet.lint.explain.page import Line, Page
from celvet.lint.safe_text import json_text

_VERSION = 1


def render(report: Sequence[Page], color: bool) -> str:
    """One document with all pages."""
    return json_text({"version": _VERSION, "pages": [_page(page) for page in report]})


def _page(page: Page) -> dict[str, Any]:
    return {
        "title": page.title,
        "field": page.field,
        "subject": page.subject,
        "place": page.place,
        "expressions": page.texts,
        "controller": page.controller or None,
        "waiter": page.waiter or None,
        "life": [_line(line) for line in page.life],
        "states": [_line(line) for line in page.lines],
        "notes": [
            {"rule": note.rule, "severity": str(note.severity), "message": note.message}
            for note in page.notes
        ],
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "state": line.state,
        "description": line.description,
        "object": line.object,
        "cells": line.cells,
    }
