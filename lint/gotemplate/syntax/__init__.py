"""From the text of a template to its tree, as text/template/parse does it."""
