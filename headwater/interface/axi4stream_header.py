# SPDX-License-Identifier: Apache-2.0
"""The comment on top of a module on AXI4-Stream: what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.heading import digest, heading, origin
from headwater.core.streams import Stream
from headwater.interface.packet_header import packet_fields
from headwater.interface.packets import Packets

_PARTS = {"key": "of the key", "iv": "of the IV", "block": "of the number of the first block"}
_USERS = {"decrypt": "the text is ciphertext", "same_key": "an IV alone, for the key before"}


def header(
    cipher: Cipher,
    architecture: Architecture,
    core: str,
    streams: Mapping[str, Stream],
    parts: Mapping[str, int],
    users: tuple[str, ...],
    *,
    any_length: bool,
    by_registers: bool,
    packets: Packets | None = None,
) -> str:
    """The comment.

    Parameters
    ----------
    cipher, architecture, streams
        Those of the core.
    core
        Its module.
    parts
        Bytes of each part of the packet of key and IV.
    users
        What marks such a packet, bit by bit.
    any_length
        Whether the IV may have any legal length.
    by_registers
        Whether that packet is written into registers.
    packets
        Those of plain DMA engines, where they bring the text.
    """
    fields = {
        **origin(cipher, architecture),
        **digest(cipher),
        "Core": core,
        "Interface": "AXI4-Stream" + ", key and IV by registers on AXI4-Lite" * by_registers,
        "Bytes": "byte 0 of a packet is in lane 0, also where the words of the core begin with "
        f"their highest bit. {cipher.convention}",
        "START, LOAD" if by_registers else "s_axis_load": _load(parts, any_length=any_length),
    }
    if packets:
        fields |= packet_fields(packets, parts, by_registers=by_registers)
        return heading(fields)
    if users:
        fields["CONTROL" if by_registers else "s_axis_load_tuser"] = _marks(users)
    texts = {
        "keystream": "beats without end; tuser is one in the first one after a load",
        "data_in": _text(cipher, streams["data_in"]) if "data_in" in streams else "",
        "data_out": "the other text, a packet for each of data_in, also where it is empty"
        + "; tuser as in data_in" * (cipher.text_unit == 1),
        "tag": "the tag, tlast in its last beat",
    }
    for name, text in texts.items():
        if name in streams:
            fields[f"{'s' if name == 'data_in' else 'm'}_axis_{name}"] = text
    return heading(fields)


def _load(parts: Mapping[str, int], *, any_length: bool) -> str:
    """What the packet of key and IV holds."""
    held = ", ".join(f"{count} {_PARTS[part]}" for part, count in parts.items() if count)
    order = f"a packet of bytes: {held}"
    return order + " or fewer" * any_length


def _marks(users: tuple[str, ...]) -> str:
    return ", ".join(f"bit {bit} {_USERS[user]}" for bit, user in enumerate(users))


def _text(cipher: Cipher, stream: Stream) -> str:
    """What a packet of text holds."""
    ad = bool(stream.ad_bits)
    header = "header, " if cipher.prefix(b"") else ""
    text = f"{header}associated data, then text, as one packet; tuser: bit 0 all but the text"
    order = text if ad else "the text"
    if cipher.text_unit > 1:
        return order
    places = "bits 3 to 1" if ad else "tuser:"
    return f"{order}{', ' if ad else '; '}{places} bits of the last byte that do not count"
