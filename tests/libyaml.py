"""Reads and writes YAML of tests with libyaml, which takes a fifth of the time."""

from __future__ import annotations

from functools import partial

import yaml

dump = partial(yaml.dump, Dumper=yaml.CSafeDumper)
dump_all = partial(yaml.dump_all, Dumper=yaml.CSafeDumper)
load = partial(yaml.load, Loader=yaml.CSafeLoader)
load_all = partial(yaml.load_all, Loader=yaml.CSafeLoader)
