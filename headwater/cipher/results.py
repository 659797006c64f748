# SPDX-License-Identifier: Apache-2.0
"""What the functions of a description must give: an output, and what every register becomes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import signature
from typing import Any

from headwater.algebra.polynomial import Polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.cipher.register import Register
from headwater.errors import InputError


def result_of(what: str, function: Callable[..., Any], *operands: Any, **named: Any) -> Any:
    """What a function gives of words, by place and by name. Refused is one that does not take
    them, and one that does with words what words do not know."""
    try:
        signature(function).bind(*operands, **named)
    except TypeError as error:
        by_name = f", and by name {', '.join(named)}" if named else ""
        raise InputError(
            f"{what} must take {len(operands)} operands{by_name}, or end with **_ and leave names "
            f"out: {error}"
        ) from error
    return without_traceback(what, lambda: function(*operands, **named))


def without_traceback(what: str, read: Callable[[], Any]) -> Any:
    """What a reading of a function gives; an error names the function."""
    try:
        return read()
    except InputError as error:
        raise InputError(f"{what} must be readable: {error}") from error
    except (TypeError, AttributeError, IndexError, ValueError) as error:
        raise InputError(f"{what} must use operations of words alone: {error}") from error


def output_and_registers(what: str, result: Any) -> tuple[Any, Mapping[str, Any]]:
    """Both results of a step, if it gives two."""
    if not isinstance(result, tuple) or len(result) != 2:
        raise InputError(f"{what} must give its output and its registers, not {result!r:.80}")
    return result


def check_one_bit(name: str, word_bits: int) -> None:
    """Refuse words as the output of a step that gives bits."""
    if word_bits != 1:
        raise InputError(f"word_bits of {name} must be 1, as its step gives a bit, not {word_bits}")


def check_names(what: str, names_given: Any, names: Collection[str]) -> None:
    """Refuse what is not a mapping of exactly these names."""
    if not isinstance(names_given, Mapping):
        raise InputError(
            f"{what} must give a mapping of {', '.join(names)}, not {names_given!r:.80}"
        )
    if set(names_given) != set(names):
        raise InputError(
            f"{what} must give each of {', '.join(names)}, not {', '.join(names_given) or 'none'}"
        )


def check_registers(what: str, values: Any, registers: Sequence[Register]) -> None:
    """Refuse what is not a mapping of exactly these registers."""
    check_names(what, values, [register.name for register in registers])


def check_sum(what: str, value: Any) -> None:
    """Refuse a bit that is not made of bits of the registers, such as a number of Python."""
    if not isinstance(value, Polynomial):
        raise InputError(f"{what} must be made of bits of the registers, not {value!r:.80}")


def check_word(what: str, value: Any, bits: int) -> None:
    """Refuse a word of another length, or a value that is no word."""
    if not isinstance(value, SymbolicWord):
        raise InputError(f"{what} must be a word of {bits} bits, not {value!r:.80}")
    if len(value) != bits:
        raise InputError(f"{what} must be a word of {bits} bits, not of {len(value)}")


def check_words(what: str, values: Any, registers: Sequence[Register]) -> None:
    """Refuse what is not the next content of each register, in words of its length."""
    check_registers(what, values, registers)
    for register in registers:
        check_word(f"{register.name} of {what}", values[register.name], register.length)
