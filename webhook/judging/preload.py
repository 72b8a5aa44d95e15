"""Imported by the fork server alone, once: makes it warm."""

from celvet.webhook.judging.child import warm_up

warm_up()
