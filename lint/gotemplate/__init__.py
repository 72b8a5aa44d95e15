"""Go templates, as Flux Operator reads them in a ResourceSet."""

from lint.gotemplate.errors import Kind, Span, TemplateError
from lint.gotemplate.limits import Limits
from lint.gotemplate.template import Template, parse

__all__ = ["Kind", "Limits", "Span", "Template", "TemplateError", "parse"]
