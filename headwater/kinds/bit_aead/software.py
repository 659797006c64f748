# SPDX-License-Identifier: Apache-2.0
"""The steps of a running cipher whose bits encrypt and authenticate in turn, for software that goes
on from a core's state."""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import IntegerWord, Wire, Word
from headwater.core.architecture import Architecture
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.bit_aead.facts import BitAeadFacts, is_isolated
from headwater.kinds.registry import facts_of
from headwater.kinds.software import Part, Software
from headwater.kinds.stepped.software import goes_on, steps_at_once

_WORD = 64
"""Output bits that software takes apart at once."""


def software(cipher: BitAead, architecture: Architecture) -> Software | None:
    """As many steps at once as the registers allow; None where those of the core are not the
    description's, where a data word takes two cycles, or where the authenticator fits no words of
    64 bits."""
    facts = facts_of(cipher, architecture)
    assert isinstance(facts, BitAeadFacts)
    formed = facts.cipher
    tag_fits = formed.tag_bits == _WORD or formed.tag_bits <= _WORD // 2
    if not goes_on(facts) or architecture.radix == 1 or not tag_fits:
        return None
    registers = {one.name: one.length for one in formed.registers}
    constants = {name: IntegerWord(0, 1) for name in formed.controls}
    bits = min(_WORD, 1 << formed.natural_radix.bit_length() - 1)
    return Software(
        "turns",
        {"step": Part(registers, partial(_moved, formed, bits), constants)},
        {
            "bits": bits,
            "tag": formed.tag_bits,
            "authenticator": formed.authenticator,
            "pending_bits": architecture.radix // 2 if is_isolated(architecture) else 0,
        },
    )


def _moved(
    cipher: BitAead, bits: int, wire: Wire, *words: Word, **constants: Word
) -> dict[str, Word]:
    """So many steps, without the authenticator: after the setup they do not move it."""
    after = steps_at_once(cipher, bits, wire, *words, **constants)
    return {name: word for name, word in after.items() if name != cipher.authenticator}
