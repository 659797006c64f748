# SPDX-License-Identifier: Apache-2.0
"""Texts from templates.

A template has ``${value}`` for values, as ``{{`` occurs in C and Verilog, and ``{% if ... %}`` for
conditions and loops.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


class Templates:
    """The templates of a folder."""

    def __init__(self, folder: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            variable_start_string="${",
            variable_end_string="}",
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )

    def rendered(self, template: str, **values: Any) -> str:
        """The text of a template with these values; a value that is missing is an error."""
        return self._environment.get_template(template).render(values)
