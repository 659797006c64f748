# SPDX-License-Identifier: Apache-2.0
"""Texts from the templates beside this file.

A template has ``${value}`` for values, as ``{{`` occurs in C and Verilog, and ``{% if ... %}`` for
conditions and loops.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    variable_start_string="${",
    variable_end_string="}",
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,
)


def rendered(template: str, **values: Any) -> str:
    """The text of a template with these values; a value that is missing is an error."""
    return _ENVIRONMENT.get_template(template).render(values)
