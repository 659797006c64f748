# SPDX-License-Identifier: Apache-2.0
"""Mutants: cores with some methods replaced, so that they break a promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.core.architecture import Architecture
from headwater.core.component import Core

Mutant = Callable[[Any, Architecture], Core | None]
"""Builds a core that is broken; None if there is nothing to break."""

CoreClass = Callable[[Any, Architecture], type]
"""Gives the class of the core of a cipher at an architecture."""


def mixed(mixin: type, kind: type) -> Any:
    """The class ``kind`` with the methods of ``mixin`` in place of its own."""
    return type(mixin.__name__, (mixin, kind), {})


def replacing(core_class: CoreClass) -> Callable[[type], Callable[[Any, Architecture], Any]]:
    """A function that makes, of a class with replacing methods, the builder of cores with these
    methods."""

    def other(mixin: type) -> Callable[[Any, Architecture], Any]:
        def made(cipher: Any, architecture: Architecture) -> Any:
            return mixed(mixin, core_class(cipher, architecture))(cipher, architecture)

        return made

    return other
