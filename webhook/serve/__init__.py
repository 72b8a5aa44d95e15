"""The process that serves: its parts, its certificate, its status port."""
