# SPDX-License-Identifier: Apache-2.0
"""A core as portable C99: a header and a file, without libraries, memory of its own or state.

The same text is the software of a cipher (keystream, messages and tags in bytes) and the model of
its core, clock cycle by clock cycle.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from headwater import __version__
from headwater.cipher.description import HASHES, Cipher
from headwater.cipher.whole_state import StatePart, WholeState
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream
from headwater.emit.c_core import CCore
from headwater.emit.c_expression import LIMB, limbs_of
from headwater.emit.c_functions import CFunction, functions_of
from headwater.emit.c_software import lanes_of, software_values
from headwater.emit.c_statements import local
from headwater.emit.core_netlist import core_netlist
from headwater.emit.verilog import module_name
from headwater.interface.length_header import length_form
from headwater.interface.load_code import legal, load_code, load_parameters
from headwater.interface.load_probing import load_table
from headwater.kinds.registry import build, facts_of, kind_of
from headwater.kinds.software import software_of
from headwater.templating import Templates

_COMMENT_WIDTH = 96
_RENDERED = Templates(Path(__file__).with_name("templates")).rendered


@dataclass(frozen=True)
class CModel:
    """Generated C.

    Members
    -------
    name : str
        What every symbol and both files begin with.
    header, source : str
        The content of ``NAME.h`` and ``NAME.c``.
    inits : tuple of str
        The functions that begin a session, without ``NAME_``.
    parameters : mapping of str to str
        Name and C type of what they take after the session, in order, but for ``init_state``.
    functions : tuple of CFunction
        What takes a session, in the order of the header, `clear` excepted.
    inputs, outputs : mapping of str to int
        The ports of the core with their widths, in the order of the structures.
    """

    name: str
    header: str
    source: str
    inits: tuple[str, ...]
    parameters: dict[str, str]
    functions: tuple[CFunction, ...]
    inputs: dict[str, int]
    outputs: dict[str, int]


def c_radix(cipher: Cipher, *, of_state: bool = False) -> int:
    """The radix of a model in C unless another one is given: the widest natural one whose words fit
    a limb; the narrowest where none does. Parts of a word are not chosen, as software makes whole
    ones, nor is radix 1 where its core decides steps early and that of radix 2 does not. With
    ``of_state`` of those at which a session can begin with a state, if there are any."""
    parts = getattr(cipher, "folds", ())
    legal = tuple(radix for radix in cipher.legal_radices() if radix not in parts)
    if of_state:
        legal = tuple(filter(partial(_takes_state, cipher), legal)) or legal
    fitting = [radix for radix in legal if radix <= min(LIMB, cipher.natural_radix)]
    chosen = max(fitting, default=legal[0])
    return 2 if chosen == 1 and 2 in legal and _needs_two(cipher) else chosen


def _needs_two(cipher: Cipher) -> bool:
    """Whether software goes on from the registers of a core at radix 2, and not at radix 1."""
    one, two = (Architecture.choose(cipher, radix=radix) for radix in (1, 2))
    return software_of(cipher, one) is None and software_of(cipher, two) is not None


def _takes_state(cipher: Cipher, radix: int) -> bool:
    return facts_of(cipher, Architecture.choose(cipher, radix=radix)).whole_state is not None


@lru_cache(maxsize=64)
def c_model(
    cipher: Cipher,
    architecture: Architecture,
    name: str | None = None,
    *,
    by_cycles: bool = False,
    parallel: int | None = None,
) -> CModel:
    """The C of ``cipher`` at ``architecture``, whose functions begin with this name
    (`module_name`). With ``by_cycles`` its sessions make keystream as the core does, cycle by
    cycle, also where there is faster software. With ``parallel`` so many sessions are side by side
    in the function for several of them; by default as many as fill a vector of the processor that
    the compiler is told of. Raises `InputError` where there is no such function, or they do not
    fill vectors."""
    architecture.check_one_session("of a core in C")
    name = name or module_name(cipher, architecture)
    core = CCore(name, core_netlist(build(cipher, architecture), name).circuit)
    table = load_table(cipher, architecture)
    parameters = load_parameters(table)
    if len(cipher.tag_lengths) > 1:
        parameters |= {"tag_bits": "unsigned "}
    state = facts_of(cipher, architecture).whole_state
    told = {
        **_of_cipher(kind_of(cipher).formed(cipher, architecture)),
        **_of_streams(cipher, architecture),
    }
    functions = functions_of(told | {"has_state": state is not None}, parameters)
    software = None if by_cycles else software_of(cipher, architecture)
    fast = software_values(software, name, core.registers)
    lanes = None
    if parallel is not None:
        whose = f"{cipher.name} at {architecture}"
        lanes = lanes_of(parallel, fast["side_by_side"], whose)
    values = {
        **fast,
        "lanes": lanes,
        **told,
        "declared": {one.name: one.declared(name) for one in functions},
        "name": name,
        "NAME": name.upper(),
        "limbs_of": limbs_of,
        "pointer": _pointer,
        "heading": _heading(cipher, architecture),
        "structures": core.structures(),
        "core": core.definition(),
        "load_code": load_code(name, table),
        "state": state,
        "state_order": "\n//".join(textwrap.wrap(f" {state}", _COMMENT_WIDTH)) if state else "",
        "load_words": table.longest // table.stream.width,
        "state_members": _members(state) if state else (),
        "load_width": table.stream.width,
        "load_marked": "last" in table.stream.marks,
        "load_arguments": "".join(f", {given}" for given in load_parameters(table)),
        "parameters": "".join(f", {kind}{given}" for given, kind in parameters.items()),
        "whole_parameters": _whole_parameters(cipher, parameters),
        "arguments": "".join(f", {given}" for given in parameters),
    }
    return CModel(
        name,
        _RENDERED("c_model.h", **values),
        _RENDERED("c_model.c", **values),
        (*told["inits"], *(["init_state"] if state else [])),
        parameters,
        functions,
        core.inputs,
        core.outputs,
    )


def _whole_parameters(cipher: Cipher, parameters: Mapping[str, str]) -> str:
    """The parameters of a whole message before its text, each with a comma behind."""
    data = {"data": "const uint8_t *", f"data_{_data_unit(cipher)}": "size_t "}
    given = {**parameters, **(data if cipher.takes_associated_data else {})}
    return "".join(f"{kind}{name}, " for name, kind in given.items())


def _data_unit(cipher: Cipher) -> str:
    """What the length of associated data is counted in."""
    return "bits" if cipher.data_unit == 1 else "bytes"


def _members(state: WholeState) -> list[tuple[str, int, StatePart]]:
    """The members that hold the registers of a state, and its first bit in each."""
    return [
        (_pointer(f"session->state.{local(part.name)}", part.length), place, part)
        for part, place in zip(state.parts, state.places, strict=True)
    ]


def _pointer(port: str, width: int) -> str:
    """A port as an array of limbs."""
    return port if width > LIMB else f"&{port}"


def _heading(cipher: Cipher, architecture: Architecture) -> list[str]:
    """What the files say of themselves."""
    security = f"{cipher.security[:1].upper()}{cipher.security[1:]}"
    sentences = (
        f"Headwater {__version__}: {cipher.title}, from its core at {architecture}.",
        f"Security: {security}.",
        f"Bytes: {cipher.convention}",
        f"Description: SHA-256 {cipher.digest}.",
    )
    return [line for sentence in sentences for line in textwrap.wrap(sentence, _COMMENT_WIDTH)]


def _of_cipher(cipher: Cipher) -> dict[str, Any]:
    """What the templates need to know of messages and tags."""
    lengths = cipher.tag_lengths
    return {
        "has_keystream": cipher.has_keystream,
        "takes_associated_data": cipher.takes_associated_data,
        "header": length_form(cipher),
        "longest_data": cipher.longest_data,
        "data_unit": _data_unit(cipher),
        "text_unit": cipher.text_unit,
        "tag_verb": "hash" if cipher.service in HASHES else "mac",
        "msb_first": cipher.bit_order == "msb_first",
        "tag_bits": "tag_bits" if len(lengths) > 1 else f"{lengths[0]}" if lengths else "0",
        "tag_rule": legal("tag_bits", lengths) if len(lengths) > 1 else "",
        "longest_tag": lengths[-1] if lengths else 0,
        "tag_in_bits": any(bits % 8 for bits in lengths),
    }


def _of_streams(cipher: Cipher, architecture: Architecture) -> dict[str, Any]:
    """What the templates need to know of the words that go in and out."""
    facts = facts_of(cipher, architecture)
    streams = facts.streams
    main: Stream = streams.get("data_in") or streams["keystream"]
    tag, direction = streams.get("tag"), architecture["direction"]
    both = ("encrypt", "decrypt")
    ways = [way for way in both if direction in ("", "both", way)] if "data_out" in streams else []
    directions = "decrypt" in facts.inputs
    return {
        "takes_text": "data_in" in streams,
        "width": main.width,
        "limbs": limbs_of(main.width),
        "waits": main.waits,
        "top_first": main.top_first,
        "keep_bits": main.keep_bits,
        "ad_bits": main.ad_bits,
        "part_bits": main.part_bits,
        "ways": ways,
        "directions": directions,
        "inits": ("init", "init_decrypt") if directions else ("init",),
        "decrypting": ("init_decrypt",) if directions else (),
        "tag_width": tag.width if tag else 0,
        "tag_waits": tag is not None and tag.waits,
        "behind_bits": tag.behind_bits if tag else None,
    }
