# SPDX-License-Identifier: Apache-2.0
"""The data sheet of a cipher: what its description says and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.algebra.polynomial import Polynomial, Variable
from headwater.cipher.description import Cipher
from headwater.cipher.register import Register
from headwater.cipher.sfinks import Sfinks
from headwater.core.architecture import Architecture
from headwater.emit.block_sheet import block_timing, blocks
from headwater.emit.synchronising_sheet import flip_flops, synchronisation
from headwater.emit.vest_sheet import vest_parts, vest_timing
from headwater.kinds.aes_ofb.facts import AesFacts
from headwater.kinds.bit_aead.description import no_header
from headwater.kinds.bit_aead.message_words import Authenticating, data_width, marks, tag_width
from headwater.kinds.block_stream.description import BlockStreamCipher
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.registry import facts_of
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts
from headwater.kinds.stepped.description import Phase, SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.telephony.description import TelephonyMode
from headwater.kinds.vest.description import VestAead, VestCipher
from headwater.kinds.vest.facts import VestFacts
from headwater.kinds.word_aead.facts import WordAeadFacts


def datasheet(cipher: Cipher, architecture: Architecture) -> dict[str, Any]:
    """Facts of the cipher, and of its core at one architecture, as plain data.

    What does not apply to a cipher is left out.
    """
    return {
        **_description(cipher),
        "legal_radices": list(cipher.legal_radices()),
        **_core(cipher, architecture),
        **_streams(cipher, architecture),
    }


def _description(cipher: Cipher) -> dict[str, Any]:
    """What holds of the cipher at any architecture."""
    lengths = cipher.tag_lengths
    tag: dict[str, Any] = {}
    if lengths:
        tag = {"tag_bits": lengths[0] if len(lengths) == 1 else list(lengths)}
    if isinstance(cipher, TelephonyMode):
        tag["base"] = cipher.base.name
    elif not cipher.has_keystream:
        tag["keystream"] = "none apart from the text, which it takes in: the verb refuses"
    return {
        "cipher": cipher.name,
        "title": cipher.title,
        "kind": cipher.service,
        "source": cipher.source,
        "security": cipher.security,
        "key_bits": cipher.key_bits,
        "iv_bits": list(cipher.iv_bits),
        **tag,
        "convention": cipher.convention,
        "state_bits": cipher.state_bits,
        **_printed(cipher),
        **(_steps_and_registers(cipher) if isinstance(cipher, SteppedCipher) else {}),
        **(blocks(cipher) if isinstance(cipher, BlockStreamCipher) else {}),
        **(synchronisation(cipher) if isinstance(cipher, SelfSynchronisingCipher) else {}),
        **(vest_parts(cipher) if isinstance(cipher, VestCipher) else {}),
        "natural_radix": cipher.natural_radix,
    }


def _printed(cipher: Cipher) -> dict[str, Any]:
    """What others have printed of its flip-flops."""
    sentences = cipher.printed_flip_flops
    return {"printed_flip_flops": list(sentences)} if sentences else {}


def _steps_and_registers(cipher: SteppedCipher) -> dict[str, Any]:
    """What holds of a cipher that goes in steps."""
    return {
        "registers": _registers(cipher),
        f"gates_per_{'bit' if cipher.word_bits == 1 else 'word'}": dict(cipher.gates),
        "steps_per_bit": cipher.steps_per_bit,
        "lanes": cipher.lane_count,
        "load_steps": cipher.load_steps,
        **({"load_phases": _steps(cipher.load_phases)} if cipher.load_phases else {}),
        "phases": _steps(cipher.phases),
        "blank_steps": cipher.blank_steps,
    }


def _steps(phases: Sequence[Phase]) -> dict[str, int]:
    return {phase.name: phase.steps for phase in phases}


def _registers(cipher: SteppedCipher) -> dict[str, dict[str, Any]]:
    """Length, taps and degree of each register.

    A tap is a stage that is read for more than to move it on: of a shift register in the setup or
    after it, else in the running cipher. The degree is that of the running cipher.
    """
    if isinstance(cipher, WordCipher | Sfinks):
        return {
            register.name: {
                "length": register.length,
                **({"setup_only": True} if register.setup_only else {}),
            }
            for register in cipher.registers
        }
    _, becomes = cipher.equations
    read = _read(cipher)
    return {
        register.name: {
            "length": register.length,
            "taps": sorted(stage for name, stage in read if name == register.name),
            "feedback_degree": max(function.degree for function in becomes[register.name].values()),
            **({"setup_only": True} if register.setup_only else {}),
        }
        for register in cipher.registers
    }


def _read(cipher: SteppedCipher) -> frozenset[Variable]:
    if isinstance(cipher, ShiftRegisterCipher):
        # With the controls, so that what is read in the setup alone counts.
        output, entering = cipher.feedback
        functions = list(entering.values())
    else:
        output, becomes = cipher.equations
        functions = [
            function
            for register in cipher.registers
            for function in becomes[register.name].values()
            if not _is_stage_of(register, function)
        ]
    return output.variables.union(*(function.variables for function in functions))


def _is_stage_of(register: Register, function: Polynomial) -> bool:
    """Whether the function is one bit of the register, unchanged."""
    names = {name for name, _ in function.variables}
    return names == {register.name} and len(function.monomials) == function.degree == 1


def _core(cipher: Cipher, architecture: Architecture) -> dict[str, Any]:
    """What holds of the core at this architecture."""
    facts = facts_of(cipher, architecture)
    bits = facts.bits_per_cycle
    return {
        "radix": architecture.radix,
        "radix_counts": _radix_counts(cipher),
        "bits_per_cycle": int(bits) if bits == int(bits) else bits,
        "load_width": architecture.load_width,
        "options": architecture.options,
        "setup_cycles": facts.setup_cycles,
        "setup_formula": facts.setup_formula,
        **(block_timing(facts) if isinstance(facts, BlockStreamFacts) else {}),
        **({"cycles_per_block": facts.cycles_per_block} if isinstance(facts, AesFacts) else {}),
        **(flip_flops(facts) if isinstance(facts, SelfSynchronisingFacts) else {}),
        **(vest_timing(facts) if isinstance(facts, VestFacts) else {}),
        "clear_cycles": facts.clear_cycles,
        "load_order": facts.load_order,
    }


def _radix_counts(cipher: Cipher) -> str:
    one_output = cipher.service == "aead" and cipher.steps_per_bit == 1
    if not cipher.has_keystream or one_output:
        return "message bits"
    return "keystream bits" if cipher.steps_per_bit == 1 else "output bits, half of them keystream"


def _streams(cipher: Cipher, architecture: Architecture) -> dict[str, Any]:
    """What the words hold that come out, and of a message those that go in."""
    facts = facts_of(cipher, architecture)
    if isinstance(facts, WordAeadFacts):
        return {**facts.streams, **_released(architecture)}
    if not isinstance(cipher, Authenticating) or cipher.service != "aead":
        orders = facts.stream_orders
        released = _released(architecture) if isinstance(cipher, VestAead) else {}
        named = {f"{name.removesuffix('_in')}_order": text for name, text in orders.items()}
        return {**named, **released}
    radix = architecture.radix
    words = cipher.tag_bits // tag_width(cipher, radix)
    streams: dict[str, Any] = {"data_width": data_width(cipher, radix)}
    if cipher.takes_associated_data:
        streams["header"] = (cipher.header.__doc__ or "").strip()
    streams |= {
        "data_order": _data_order(cipher, radix),
        "tag_order": f"{words} word{'s' * (words > 1)} of {tag_width(cipher, radix)} bits, "
        "the first bit in payload bit 0",
    }
    return {**streams, **_released(architecture)}


def _released(architecture: Architecture) -> dict[str, str]:
    """What must be said of a core that decrypts."""
    if architecture["direction"] == "encrypt":
        return {}
    return {
        "releases_unverified": (
            "decrypted text leaves the core before its tag can be checked: the receiver must "
            "discard it if the tag is wrong (the command line gives out none of it)"
        )
    }


def _data_order(cipher: Authenticating, radix: int) -> str:
    parts = "the text"
    if cipher.takes_associated_data:
        marked = "a one for each byte" if marks(cipher, radix) > 1 else "one"
        header = "header and " if cipher.header is not no_header else ""
        parts = f"{header}associated data, in whose words `ad` is {marked}, then the text"
    width = data_width(cipher, radix)
    order = f"words of {width} bit{'s' * (width > 1)}, the first bit in payload bit 0: {parts}"
    order += ", without a gap between" if cipher.takes_associated_data and width > 8 else ""
    order += "; `last` marks the last word, whose `keep` has a one for each bit that counts"
    return order + "; a word takes two cycles" * (cipher.steps_per_bit > radix)
