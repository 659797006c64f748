# SPDX-License-Identifier: Apache-2.0
"""The data sheet of a cipher: what its description says and what follows from it."""

from __future__ import annotations

from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.option import Option
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.kinds.registry import facts_of, kind_of


def datasheet(cipher: Cipher, architecture: Architecture) -> dict[str, Any]:
    """Facts of the cipher, and of its core at one architecture, as plain data.

    What does not apply to a cipher is left out.
    """
    facts = facts_of(cipher, architecture)
    further = list(cipher.further_radices)
    return {
        **_description(cipher, kind_of(cipher).formed(cipher, architecture)),
        "legal_radices": list(cipher.legal_radices()),
        **({"further_radices": further} if further else {}),
        **_core(cipher, facts),
        **_ports(facts),
    }


def _description(cipher: Cipher, formed: Cipher) -> dict[str, Any]:
    """Entries of the description, and of the form that the architecture selects."""
    state = kind_of(cipher).whole_state(cipher)
    lengths, printed = cipher.tag_lengths, cipher.printed_flip_flops
    tag = {"tag_bits": lengths[0] if len(lengths) == 1 else list(lengths)} if lengths else {}
    return {
        "cipher": cipher.name,
        "title": cipher.title,
        "kind": cipher.service,
        "source": cipher.source,
        "security": cipher.security,
        "patents": cipher.known_patents,
        "key_bits": cipher.key_bits,
        "iv_bits": list(cipher.iv_bits),
        **tag,
        **({} if cipher.has_keystream else {"keystream": f"none {cipher.no_keystream}"}),
        "convention": cipher.convention,
        "state_bits": cipher.state_bits,
        **_memories(cipher),
        **({"state": str(state)} if state else {}),
        **({"printed_flip_flops": list(printed)} if printed else {}),
        **formed.sheet(),
        "natural_radix": cipher.natural_radix,
    }


def _memories(cipher: Cipher) -> dict[str, Any]:
    """Words of each memory, and bits of a word; they do not count as bits of the state."""
    sizes = {
        one.name: {"words": one.words, "bits": one.bits} for one in getattr(cipher, "memories", ())
    }
    return {"memories": sizes} if sizes else {}


def _core(cipher: Cipher, facts: Facts) -> dict[str, Any]:
    """Entries of the core at this architecture."""
    architecture, bits = facts.architecture, facts.bits_per_cycle
    return {
        "radix": architecture.radix,
        "radix_counts": _radix_counts(cipher, facts),
        "bits_per_cycle": int(bits) if bits == int(bits) else round(bits, 3),
        "load_width": architecture.load_width,
        "options": architecture.options,
        "choices": {
            option.name: {
                "values": list(option.values),
                "advice": option.advice,
                **_elsewhere(option),
            }
            for option in cipher.choices
        },
        "setup_cycles": facts.setup_cycles,
        "setup_formula": facts.setup_formula,
        **facts.sheet(),
        "clear_cycles": facts.clear_cycles,
    }


def _elsewhere(option: Option) -> dict[str, str]:
    """The default on FPGAs, where it is another one."""
    return {"on_fpga": option.best_on_fpga} if option.best_on_fpga else {}


def _radix_counts(cipher: Cipher, facts: Facts) -> str:
    if "keystream" in facts.streams:
        return "keystream bits"
    return "message bits" if cipher.steps_per_bit == 1 else "output bits, half of them keystream"


def _ports(facts: Facts) -> dict[str, Any]:
    """The words of every stream, the widths of its ports, and the other inputs."""
    streams = facts.streams
    orders = {f"{name.removesuffix('_in')}_order": one.order for name, one in streams.items()}
    return {
        **orders,
        **({"data_width": streams["data_in"].width} if "data_in" in streams else {}),
        "streams": {
            name: {"direction": stream.direction, **stream.members}
            for name, stream in streams.items()
        },
        "inputs": dict(facts.inputs),
        **_released(facts),
    }


def _released(facts: Facts) -> dict[str, str]:
    """The warning for a core that releases decrypted text before the tag is checked."""
    outputs = {"data_out", "tag"} <= facts.streams.keys()
    if not outputs or facts.architecture["direction"] == "encrypt":
        return {}
    return {
        "releases_unverified": (
            "decrypted text leaves the core before its tag can be checked: the receiver must "
            "discard it if the tag is wrong (the command line gives out none of it)"
        )
    }
