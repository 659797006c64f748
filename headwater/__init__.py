# SPDX-License-Identifier: Apache-2.0
"""Headwater: stream ciphers in hardware, from one executable description each.

    import headwater as hw

    hw.cipher("trivium").keystream(key, iv, bits=64)

The names of this interface are declared in the file beside this one, `__init__.pyi`, and are
imported on first use, so that `import headwater` takes no time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

PLACES = {
    "Cipher": "api.ciphers",
    "cipher": "api.ciphers",
    "ciphers": "api.ciphers",
    "add_cipher_file": "api.ciphers",
    "Core": "api.core",
    "Operations": "api.operations",
    "Sealed": "cipher.message",
    "Checks": "api.verification",
    "verify": "api.verification",
    "vectors": "api.vectors",
    "vector_files": "api.vectors",
    "converted_vectors": "api.vectors",
    "Verdict": "leakage.verdict",
    "leakage": "api.leakage",
    "bench": "api.judging",
    "Settings": "measure.settings",
    "evaluate": "api.evaluation",
    "Records": "api.records",
    "results": "api.records",
    "Optimum": "api.optimizing",
    "optimize": "api.optimizing",
    "Choice": "api.choosing",
    "choose": "api.choosing",
    "Reproduced": "api.reproduction",
    "reproduce": "api.reproduction",
    "Studied": "api.studying",
    "study": "api.studying",
    "studies": "api.studying",
    "codesign": "api.systems",
    "report": "api.reporting",
    "chart": "api.charts",
    "charts": "api.charts",
}
"""The module of each public name."""

__all__ = ["__version__", *PLACES]


class _CallablePackage(ModuleType):
    """A package of Headwater's own that has the name of a public function, and works as it."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return _public(self.__name__.rpartition(".")[2])(*arguments, **named)


def _public(name: str) -> Any:
    return getattr(import_module(f"headwater.{PLACES[name]}"), name)


def _version() -> str:
    """The version that was installed, which is that of a tag."""
    metadata = import_module("importlib.metadata")
    try:
        found: str = metadata.version("headwater")
    except metadata.PackageNotFoundError:
        return "0+source"
    return found


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in PLACES:
        raise AttributeError(f"module 'headwater' has no attribute {name!r}")
    return _public(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


for _package in ("cipher", "verify", "leakage", "codesign", "report"):
    import_module(f"headwater.{_package}")
    sys.modules[f"headwater.{_package}"].__class__ = _CallablePackage
