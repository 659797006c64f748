# SPDX-License-Identifier: Apache-2.0
"""What a message machine must be like, beyond the types of its fields: each mistake is one sentence
that names the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headwater.cipher.keywords import check_name
from headwater.cipher.memory import check_memories
from headwater.errors import InputError, between, unknown
from headwater.kinds.message.answers import (
    check_added,
    check_moves,
    check_word,
    words_at,
)
from headwater.kinds.message.operations import (
    Do,
    Operation,
    Part,
    Repeat,
    Squeeze,
    Take,
)

RESERVED = frozenset(
    {
        "wire",
        "block",
        "count",
        "partial",
        "number",
        "ad_bytes",
        "text_bytes",
        "phase",
        "begun",
        "trailing",
        "ended",
        "loading",
        "running",
        "idle",
        "abort",
        "load_fire",
        "load_word",
        "clear",
        "decrypt",
        "clk",
        "rst",
        "turn",
        "leaves",
        "target",
        "own",
        "keep",
        "word",
        "entered",
        "shown",
        "zeroed",
        "empty",
    }
)
"""Names of a core's own signals, and of what operations offer."""


def check_machine(cipher: Any) -> None:
    """Refuse a machine that cannot be read, or whose core would be another cipher's."""
    _check_convention(cipher)
    _check_registers(cipher)
    names = [*(one.name for one in cipher.registers), *cipher.constants, *RESERVED]
    check_memories(cipher.name, cipher.memories, names)
    for where, operations in _sequences(cipher):
        for number, one in enumerate(operations):
            _check_operation(cipher, f"{where}[{number}] of {cipher.name}", where, one)
    _check_start(cipher)
    _check_finish(cipher)
    if cipher.header is not None and cipher.associated is None:
        raise InputError(f"header of {cipher.name} must be left out, as it has no associated")
    for name, part in _parts(cipher):
        _check_part(cipher, f"{name} of {cipher.name}", name, part)
    _check_choices(cipher)


def _parts(cipher: Any) -> Iterator[tuple[str, Part]]:
    if cipher.associated is not None:
        yield "associated", cipher.associated
    yield "text", cipher.text


def _sequences(cipher: Any) -> Iterator[tuple[str, Sequence[Operation]]]:
    """The sequences of operations, with the names of their fields."""
    yield "start", cipher.start
    for name, part in _parts(cipher):
        for field in ("first", "between", "end"):
            yield f"{name}.{field}", getattr(part, field)
    yield "middle", cipher.middle
    yield "finish", cipher.finish


def _check_convention(cipher: Any) -> None:
    legal, why = "lsb_first", "bit 0 of a word is the lowest of its first byte"
    if cipher.first_bit_on_top and not cipher.encrypts:
        legal, why = "msb_first", "the first bit of a word is its highest one"
    for field, value in (("bit_order", cipher.bit_order), ("input_order", cipher.input_order)):
        if value not in (legal, None):
            raise InputError(f"{field} of {cipher.name} must be {legal}, as {why}, not {value!r}")
    _check_unit(cipher)
    if len(cipher.iv_bits) != 1 or (cipher.encrypts and not cipher.iv_bits[0]):
        raise InputError(
            f"iv_bits of {cipher.name} must be one length of the nonce, not {cipher.iv_bits!r}"
        )
    between(8, 64, f"length_bits of {cipher.name}", cipher.length_bits)


def _check_unit(cipher: Any) -> None:
    """Refuse what cannot be where lengths are any number of bits, and a trailer where they are not,
    or where there is more than a text."""
    in_bits = "bit" in (cipher.unit, *cipher.offered_units)
    for name, part in _parts(cipher):
        if in_bits and part.pad is not None and (part.pad.when == "each" or part.pad.byte != 1):
            raise InputError(
                f"pad of {name} of {cipher.name} must be a one, Pad('partial') or Pad('always'), "
                f"as its length is in bits, not {part.pad!r}"
            )
    if cipher.offered_units and cipher.key_bits:
        raise InputError(
            f"offered_units of {cipher.name} must be left out, as it has a key, not "
            f"{cipher.offered_units!r}"
        )
    if in_bits and cipher.counted:
        raise InputError(
            f"functions of {cipher.name} must not ask for {' and '.join(cipher.counted)}, as "
            "lengths are in bits"
        )
    trailer, registers = cipher.text.trailer, {one.name: one.bits for one in cipher.registers}
    if not trailer:
        return
    if cipher.unit != "bit" or cipher.encrypts or cipher.associated is not None:
        raise InputError(
            f"trailer of text of {cipher.name} must be left out, as only a text in bits that "
            "neither leaves nor has associated data before it has one"
        )
    if registers.get(trailer) != 1:
        raise InputError(
            f"trailer of text of {cipher.name} must be a register of one bit, not {trailer!r}"
        )


def _check_registers(cipher: Any) -> None:
    if not cipher.registers:
        raise InputError(f"registers of {cipher.name} must be one at least, not none")
    names = [register.name for register in cipher.registers]
    for register in cipher.registers:
        check_name(f"register of {cipher.name}", register.name)
        _whole(f"bits of register {register.name} of {cipher.name}", register.bits, 1)
        if register.name.lower() in RESERVED or register.name.startswith(_STREAMS):
            raise InputError(
                f"register of {cipher.name} must have a name that no signal of a core has, not "
                f"{register.name!r}"
            )
    for name in cipher.constants:
        check_name(f"constant of {cipher.name}", name)
        if name in names or name.lower() in RESERVED:
            raise InputError(
                f"constant of {cipher.name} must have a name that nothing else has, not {name!r}"
            )


_STREAMS = ("load_", "data_in_", "data_out_", "tag_")


def _whole(what: str, value: int, unit: int) -> None:
    if value < 1 or value % unit:
        wanted = "a multiple of 8" if unit == 8 else "at least 1"
        raise InputError(f"{what} must be {wanted}, not {value!r}")


# --- operations


def _check_operation(cipher: Any, what: str, where: str, one: Operation) -> None:
    """An operation by itself, at this place in a description."""
    match one:
        case Take():
            _check_take(cipher, what, where, one)
        case Do():
            check_moves(cipher, f"function of {what}", one.function, words_at(cipher, where))
        case Repeat():
            _whole(f"count of {what}", one.count, 1)
            between(0, 1 << 16, f"first_number of {what}", one.first_number)
            words = words_at(cipher, where)
            if one.begin:
                check_moves(cipher, f"begin of {what}", one.begin, words)
            for control in one.controls:
                check_name(f"control of {what}", control)
                if control in words or control in RESERVED:
                    raise InputError(
                        f"control of {what} must have a name that nothing else has, not {control!r}"
                    )
            words |= dict.fromkeys(cipher.controls_of(one.step), 1)
            numbered = words | {"number": cipher.number_bits(one.step)}
            check_moves(cipher, f"step of {what}", one.step, numbered)
        case Squeeze():
            if where != "finish":
                raise InputError(f"{what} must not be a Squeeze: the tag is squeezed in finish")
            _whole(f"bits of {what}", one.bits, 8)
            name = f"function of {what}"
            check_word(cipher, name, one.function, words_at(cipher, where), one.bits)


def _check_take(cipher: Any, what: str, where: str, one: Take) -> None:
    if where != "start":
        raise InputError(f"{what} must not be a Take: key and nonce are taken in start")
    _whole(f"bits of {what}", one.bits, 8)
    if bool(one.into) == (one.enter is not None):
        raise InputError(
            f"{what} must have either into or enter, not {'both' if one.into else 'none'}"
        )
    if one.enter is not None:
        size = one.block_bits or one.bits
        if size % 8 or one.bits % size:
            raise InputError(
                f"block_bits of {what} must be whole bytes and divide {one.bits}, not {size}"
            )
        check_moves(
            cipher, f"enter of {what}", one.enter, words_at(cipher, where) | {"block": size}
        )
        check_added(cipher, f"enter of {what}", one.enter, None, size, size)
        return
    lengths = {register.name: register.bits for register in cipher.registers}
    if one.into not in lengths:
        raise unknown(f"into of {what}", one.into, lengths)
    if lengths[one.into] < one.bits:
        raise InputError(
            f"into of {what} must be a register of at least {one.bits} bits, not {one.into!r} of "
            f"{lengths[one.into]}"
        )


def _check_start(cipher: Any) -> None:
    if not cipher.start or not isinstance(cipher.start[0], Take):
        name = type(cipher.start[0]).__name__ if cipher.start else "nothing"
        raise InputError(f"start of {cipher.name} must begin with a Take, not {name}")
    lengths = {"key": cipher.key_bits, "nonce": cipher.nonce_bits}
    lengths["initial"] = 8 * len(cipher.initial)
    for source, wanted in lengths.items():
        takes = (one for one in cipher.start if isinstance(one, Take) and one.source == source)
        bits = sum(one.bits for one in takes)
        if bits != wanted:
            what = "initial value" if source == "initial" else source
            raise InputError(
                f"start of {cipher.name} must take all {wanted} bits of the {what} once, not {bits}"
            )


def _check_finish(cipher: Any) -> None:
    if cipher.output_bits:
        between(8, cipher.tag_lengths[-1], f"output_bits of {cipher.name}", cipher.output_bits)
        _whole(f"output_bits of {cipher.name}", cipher.output_bits, 8)
        if not any(isinstance(one, Squeeze) for one in cipher.finish):
            raise InputError(f"finish of {cipher.name} must have a Squeeze, not none")
        return
    if not cipher.finish or not isinstance(cipher.finish[-1], Squeeze):
        name = type(cipher.finish[-1]).__name__ if cipher.finish else "nothing"
        raise InputError(f"finish of {cipher.name} must end with a Squeeze, not {name}")


# --- parts


def _check_part(cipher: Any, what: str, name: str, part: Part) -> None:
    _whole(f"rate of {what}", part.rate, 8)
    if part.pad is not None:
        between(1, 255, f"byte of pad of {what}", part.pad.byte)
    words = words_at(cipher, name)
    check_moves(cipher, f"enter of {what}", part.enter, words | {"block": part.block_bits})
    if part.close is not None:
        told = {"count": (part.rate // cipher.text_unit).bit_length(), "partial": 1}
        check_moves(cipher, f"close of {what}", part.close, words | told)
    if part.keystream is not None and name != "text":
        raise InputError(
            f"keystream of {what} must be left out, as no text leaves, not {part.keystream!r:.60}"
        )
    if name == "associated" and not cipher.encrypts and cipher.key_bits:
        raise InputError(
            f"associated of {cipher.name} must be left out, as its text has no keystream"
        )
    if part.keystream is not None:
        check_word(cipher, f"keystream of {what}", part.keystream, words, part.rate)
    if part.added:
        check_added(
            cipher, f"enter of {what}", part.enter, part.keystream, part.block_bits, part.rate
        )


# --- functions


def _check_choices(cipher: Any) -> None:
    if not cipher.legal_widths:
        rates = " and ".join(str(part.rate) for _, part in _parts(cipher))
        raise InputError(
            f"rate of the parts of {cipher.name} must allow words of 8 to 256 bits: a word must "
            f"be a block, or a part of one where added is true, not of {rates} bits"
        )
    if not cipher.legal_load_widths(1):
        raise InputError(
            f"start of {cipher.name} must take bits that some words of 8 to 256 bits divide"
        )
    for one in cipher.operations:
        for radix in cipher.legal_radices():
            if isinstance(one, Repeat) and one.count % radix:
                raise InputError(
                    f"offered_radices of {cipher.name} must divide the count of each Repeat, "
                    f"{one.count} among them, not {radix}"
                )
