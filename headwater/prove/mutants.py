# SPDX-License-Identifier: Apache-2.0
"""Cores some of whose methods are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.core.architecture import Architecture
from headwater.core.component import Core

Mutant = Callable[[Any, Architecture], Core | None]
"""Builds a core that is broken; None if there is nothing to break."""

CoreClass = Callable[[Any, Architecture], type]
"""The class that the core of a cipher at an architecture is of."""


def mixed(mixin: type, kind: type) -> Any:
    """The class with the methods of another one before its own."""
    return type(mixin.__name__, (mixin, kind), {})


def replacing(core_class: CoreClass) -> Callable[[type], Callable[[Any, Architecture], Any]]:
    """Makes, of a class with some methods, the builder of cores that have these."""

    def other(mixin: type) -> Callable[[Any, Architecture], Any]:
        def made(cipher: Any, architecture: Architecture) -> Any:
            return mixed(mixin, core_class(cipher, architecture))(cipher, architecture)

        return made

    return other
