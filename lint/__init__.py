"""celvet's engine and its command line: vets health-check expressions in manifests.

Importing this package costs nothing: the CEL engine, jsonschema and the
frontends are loaded by the call that needs them.
"""

__version__ = "0.1.0"
