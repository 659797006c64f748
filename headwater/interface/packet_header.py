# SPDX-License-Identifier: Apache-2.0
"""What the comment on top of a module says of packets that a plain DMA engine sends and takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from headwater.interface.load_table import KEY
from headwater.interface.packets import (
    GOOD,
    NOT_LEGAL,
    OTHER_TAG,
    STATUS_BYTES,
    TOO_LONG,
    TOO_SHORT,
    Packets,
)


def packet_fields(
    packets: Packets, parts: Mapping[str, int], *, by_registers: bool
) -> dict[str, str]:
    """Names of streams and registers, and what they hold.

    Parameters
    ----------
    packets
    parts
        Bytes of the key and of what follows it in a load.
    by_registers
        Whether the key is written into registers.
    """
    fields = {
        "START, LOAD" if by_registers else "s_axis_load": f"a packet: {parts[KEY]} bytes of the "
        "key, which is kept for all packets until another one comes, or clear",
        "s_axis_data_in": f"a packet: {', '.join(_sent(packets))}",
    }
    if packets.header:
        fields["Header"] = ", ".join(_header(packets))
    fields["m_axis_data_out"] = f"a packet for each: {', '.join(_back(packets))}"
    if packets.header:
        fields["Status"] = ", ".join(_status(packets))
    return fields


def _sent(packets: Packets) -> Iterator[str]:
    if packets.header:
        yield f"a header of {packets.header} bytes"
    yield f"{packets.iv} bytes of the IV"
    if packets.block:
        yield f"{packets.block} of the number of the first block, the lowest first"
    if filling := packets.front - packets.header - packets.iv - packets.block:
        yield f"{filling} that are not read"
    if packets.ad:
        yield "associated data"
    yield "text"
    if packets.tag and packets.receives:
        yield "the tag" + " if one has been received" * packets.sends


def _header(packets: Packets) -> Iterator[str]:
    yield "the lowest byte of a number first"
    if packets.ad:
        yield "bytes 0 to 3 the number of bytes of associated data"
    yield "bytes 4 to 7 that of the text"
    if packets.receives:
        yield f"bit 0 of byte 8 {_received(packets)}"
    if packets.spare:
        yield "bits 2 to 0 of byte 9 the bits of the last byte of text that do not count"
    yield "all else zero"


def _received(packets: Packets) -> str:
    if not packets.sends:
        return "one"
    texts = ["the text is ciphertext"] * packets.gives_text
    return "whether " + " and ".join(texts + ["a tag follows"] * (packets.tag > 0))


def _back(packets: Packets) -> Iterator[str]:
    if not packets.header:
        yield "the text with the keystream added"
        return
    if packets.gives_text:
        yield "the other text"
    if packets.tag and packets.sends:
        yield f"{packets.tag} bytes of tag" + " unless one has been received" * packets.receives
    yield f"{STATUS_BYTES} bytes of status"


def _status(packets: Packets) -> Iterator[str]:
    yield f"the lowest byte first: {GOOD} good"
    yield "any other value: nothing of the packet is to be used"
    if packets.tag and packets.receives:
        yield f"{OTHER_TAG} the tag is another"
    yield f"{TOO_SHORT} the packet is shorter than its header says"
    yield f"{TOO_LONG} longer"
    yield f"{NOT_LEGAL} the header is not legal, or a lane is missing"
