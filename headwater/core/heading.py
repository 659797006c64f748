# SPDX-License-Identifier: Apache-2.0
"""The comment on top of a generated Verilog file: names and what they stand for, in two columns."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from headwater import __version__
from headwater.cipher.description import Cipher
from headwater.cipher.option import MASKING
from headwater.core.architecture import Architecture

LINE_LENGTH = 100
_COLUMN = 22


def heading(fields: Mapping[str, str]) -> str:
    """The licence, and a line or more for each field."""
    lines = (_field(*field) for field in fields.items())
    return "\n".join(["// SPDX-License-Identifier: Apache-2.0", *lines])


def origin(cipher: Cipher, architecture: Architecture) -> dict[str, str]:
    """The fields that say what made a file, and of which cipher and architecture."""
    meanings = {option.name: option for option in (*cipher.choices, MASKING)}
    return {
        **generator(),
        "Cipher": f"{cipher.title}. {cipher.source}",
        "Architecture": f"radix {architecture.radix}, load width {architecture.load_width}",
        **{
            f"{name}={value}": meanings[name].meaning_of(value)
            for name, value in architecture.chosen
        },
    }


def generator() -> dict[str, str]:
    """The field that says what made a file."""
    return {"Generator": f"Headwater {__version__}"}


def digest(cipher: Cipher) -> dict[str, str]:
    """The field that tells a description from others."""
    return {"Description": f"SHA-256 {cipher.digest}"}


def _field(name: str, value: str) -> str:
    return textwrap.fill(
        f"{name + ': ':{_COLUMN}}{value}",
        width=LINE_LENGTH,
        initial_indent="// ",
        subsequent_indent="//" + " " * (_COLUMN + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )
