"""Imported once, by the fork server only, to load and warm the engine."""

from celvet.webhook.judging.child import warm_up

warm_up()
