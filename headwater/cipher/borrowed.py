# SPDX-License-Identifier: Apache-2.0
"""Descriptions from outside whose kind has the functions of one cipher in it.

The core of such a kind is made of that cipher's own functions. A copy under another name is the
same cipher; with another function or number it would have a core that is not its own.
"""

from __future__ import annotations

import inspect
import pickle
import sys
from types import FunctionType, ModuleType

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.digest import without_prose
from headwater.errors import InputError


def check_borrowed(cipher: Cipher, module: ModuleType) -> None:
    """Refuse a description whose module has another function, or another number or table, than
    the module of which the cores of its class are made."""
    original = _original(cipher)
    if original is None:
        return
    for name, value in vars(original).items():
        if _counts(name, value) and not _same(value, getattr(module, name, None)):
            raise InputError(
                f"{name} must be as in {original.__name__}, of which every core of "
                f"{type(cipher).__name__} is made"
            )


def _original(cipher: Cipher) -> ModuleType | None:
    """The module of this package that describes ciphers of the class, if their functions are not
    held by the descriptions themselves."""
    files = {
        one.described_in
        for one in CATALOGUE.values()
        if type(one) is type(cipher) and one.described_in and not one.offered_by
    }
    modules = [
        module
        for module in sys.modules.values()
        if cipher.described_in and getattr(module, "__file__", None) in files
    ]
    return modules[0] if modules else None


def _counts(name: str, value: object) -> bool:
    """Whether a member of a module is a function or a number, and no description."""
    if name.startswith("_"):
        return False
    if isinstance(value, FunctionType):
        return True
    parts = value if isinstance(value, tuple) else (value,)
    return name.isupper() and not any(isinstance(part, str | Cipher | type) for part in parts)


def _same(value: object, other: object) -> bool:
    """Whether two functions have the same code, or two values the same content; of a value whose
    content cannot be told, whether it is the same one."""
    if value is other:
        return True
    if isinstance(value, FunctionType) and isinstance(other, FunctionType):
        return _code(value) == _code(other)
    try:
        return pickle.dumps(value) == pickle.dumps(other)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


def _code(function: FunctionType) -> str:
    return without_prose(inspect.getsource(function))
