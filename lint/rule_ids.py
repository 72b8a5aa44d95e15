"""The ids of the rules that other code names; `celvet.lint.rules` has all of them."""

from __future__ import annotations

from typing import Final

CEL_SYNTAX: Final = "cel-syntax"
CEL_TYPE: Final = "cel-type"
CRD_ENUM: Final = "crd-enum"
CRD_FIELD: Final = "crd-field"
CRD_TYPE: Final = "crd-type"
DUPLICATE_GROUP_KIND: Final = "duplicate-group-kind"
DUPLICATE_KEY: Final = "duplicate-key"
HELM_TEMPLATE: Final = "helm-template"
SCHEMA_VIOLATION: Final = "schema-violation"
UNREADABLE_FILE: Final = "unreadable-file"
YAML_SYNTAX: Final = "yaml-syntax"
