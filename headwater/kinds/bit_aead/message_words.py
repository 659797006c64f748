# SPDX-License-Identifier: Apache-2.0
"""The data and tag streams of ciphers whose output bits encrypt and authenticate in turn."""

from __future__ import annotations

from headwater.core.facts import Facts, counted
from headwater.core.streams import Stream
from headwater.kinds.bit_aead.description import AuthenticatingCipher, no_header


def data_width(cipher: AuthenticatingCipher, radix: int) -> int:
    """Message bits of a data word: half the radix where every other output bit authenticates."""
    return max(1, radix // cipher.steps_per_bit)


def message_streams(facts: Facts, cipher: AuthenticatingCipher) -> tuple[Stream, ...]:
    """The streams of a message and of its tag."""
    radix, waits = facts.architecture.radix, facts.waits
    width = data_width(cipher, radix)
    hurry = "" if waits else "; a word is there for one cycle"
    text = (
        f"{_words(width)}: the other text in the places where it was in data_in, marked by `keep`; "
        f"words without any are left out; `last` marks the last word of data_in{hurry}"
    )
    ad_bits = min(8, width) if cipher.takes_associated_data else 0
    order = _data_order(cipher, radix, waits=waits)
    data, other = facts.text_streams(width, order, text, keep_bits=1, ad_bits=ad_bits)
    size = min(radix, cipher.tag_bits)
    count = cipher.tag_bits // size
    tag = Stream(
        name="tag",
        direction="output",
        width=size,
        order=f"{counted(count, 'word')} of {counted(size, 'bit')}, "
        f"the first bit in payload bit 0{hurry}",
        waits=waits,
        bits=cipher.tag_bits,
    )
    return data, other, tag


def _words(width: int) -> str:
    return f"words of {counted(width, 'bit')}"


def _data_order(cipher: AuthenticatingCipher, radix: int, *, waits: bool) -> str:
    parts, width = "the text", data_width(cipher, radix)
    if cipher.takes_associated_data:
        marked = "a one for each byte" if width > 8 else "one"
        header = "header and " if cipher.header is not no_header else ""
        parts = f"{header}associated data, in whose words `ad` is {marked}, then the text"
    order = f"{_words(width)}, the first bit in payload bit 0: {parts}"
    order += ", without a gap between" if cipher.takes_associated_data and width > 8 else ""
    order += "; `last` marks the last word, whose `keep` has a one for each bit that counts"
    order += "; a word takes two cycles" * (cipher.steps_per_bit > radix)
    return order if waits else f"{order}; one is taken in each cycle in which data_in is ready"
