# SPDX-License-Identifier: Apache-2.0
"""Texts from templates.

A template has ``${value}`` for values, as ``{{`` occurs in C and Verilog, and ``{% if ... %}`` for
conditions and loops.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


class Templates:
    """The templates of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _environment(self) -> Environment:
        # Imported on first use: most commands write no file, and need not wait for it.
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        return Environment(
            loader=FileSystemLoader(self._folder),
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
