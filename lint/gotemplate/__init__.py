r"""Go templates, as Flux Operator reads them in a ResourceSet.

    template = parse("name: << inputs.tenant | slugify >>")
    rendered = template.execute({"tenant": "Team 1"})
    rendered.text               # "name: team-1"
    rendered.source_offset(7)   # 6: the action that wrote the `e`

- `parse` gives a `GoTemplate`, or raises a `TemplateError`, worded as Go words it, with the line,
  the column and the span of what is wrong.
- `GoTemplate.execute` gives a `Rendered`: the text, and for each stretch of it the stretch of the
  template that wrote it, literally or by an action. All positions are code points.
- `GoTemplate.analyse` tells which paths of `inputs` it reads and which functions it calls.
- `complete` tells what may be written at a place of a template, which need not be complete.
- `TemplateLimits` bound what one execution may do.

The values are those of `json.loads`: `int` stands for int64, `float` for float64.

Mirrored are text/template of Go 1.26, with the option missingkey=error, slim-sprig v3.0.0
(`HermeticTxtFuncMap`), gosimple/slug v1.15.0 and sigs.k8s.io/yaml v1.6.0, put together as in
internal/builder/resourceset.go of Flux Operator v0.59.

Where it cannot agree with Go:

- What depends on the clock, on chance or on dates (`ago`, `randInt`, `toDate` and the like), and
  the verbs `%p`, and `%b`, `%x` and `%#` of floats, are errors of the kind `UNSUPPORTED`. So are
  scripts in a regular expression (`\p{Greek}`), characters other than Latin ones in `slugify`, and
  U+0085 in `toYaml`.
- `keys` and `values` are sorted; Go gives them in random order.
- `slice` beyond the end of a list is an error; Go gives nils up to the capacity of the list.
- `mustFromJson` reports a text that is not JSON in celvet's words.
- Where an address in a URL is not an IPv6 address, Go says in more detail why.
"""

from __future__ import annotations

from celvet.lint.gotemplate.analysis import ITEM, Read
from celvet.lint.gotemplate.completion import complete
from celvet.lint.gotemplate.errors import ErrorKind, SourceSpan, TemplateError
from celvet.lint.gotemplate.functions.library import OPERATOR
from celvet.lint.gotemplate.source_map import Rendered
from celvet.lint.gotemplate.template import GoTemplate, parse
from celvet.lint.gotemplate.template_limits import TemplateLimits

__all__ = [
    "ITEM",
    "OPERATOR",
    "ErrorKind",
    "GoTemplate",
    "Read",
    "Rendered",
    "SourceSpan",
    "TemplateError",
    "TemplateLimits",
    "complete",
    "parse",
]
