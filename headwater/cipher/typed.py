# SPDX-License-Identifier: Apache-2.0
"""Whether the values of a description are of the types that its class states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

from headwater.cipher.description import Cipher
from headwater.errors import InputError, unknown


def check_types(described: Any, name: str) -> None:
    """Refuse a field of another type than its class states, also in the parts of a description:
    registers, phases, load. ``name`` is what an error calls the description."""
    types = get_type_hints(type(described))
    for field in fields(described):
        value = getattr(described, field.name)
        try:
            check_type(
                value,
                types[field.name],
                collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS,
            )
        except TypeCheckError as error:
            raise _refusal(field, types[field.name], name, value) from error
        for where, part in _parts(field.name, value):
            check_types(part, f"{getattr(part, 'name', where)} of {name}")


def _refusal(field: Field[Any], wanted: Any, name: str, value: Any) -> InputError:
    """The error for a value of another type, which names the legal values if these are listed."""
    what = f"{field.name} of {name}"
    listed = (one for one in (wanted, *get_args(wanted)) if get_origin(one) is Literal)
    legal = [value for one in listed for value in get_args(one)]
    if legal:
        return unknown(what, value, legal)
    return InputError(f"{what} must be {field.type}, not {value!r:.80}")


def _parts(field: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What a value of a field is described by in its turn, and where it is; another cipher is a
    description of its own."""
    for number, one in enumerate(value if isinstance(value, tuple) else (value,)):
        if is_dataclass(one) and not isinstance(one, type | Cipher):
            yield f"{field}[{number}]" if isinstance(value, tuple) else field, one
