# SPDX-License-Identifier: Apache-2.0
"""Calls that are carried out in another process, perhaps on another machine."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from headwater.cipher import outside
from headwater.errors import ToolError, of_file


def packed(call: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """A call with the ciphers from outside, because it may refer to functions in their files."""
    return pickle.dumps((outside.files(), pickle.dumps((call, arguments))))


def carry_out(call: bytes) -> Any:
    """What a packed call gives."""
    ciphers, pickled = pickle.loads(call)
    outside.add_installed()
    for file in ciphers:
        outside.add_source(file)
    function, arguments = pickle.loads(pickled)
    try:
        return function(*arguments)
    except OSError as error:  # A full disk, say.
        raise ToolError(of_file(error)) from error
