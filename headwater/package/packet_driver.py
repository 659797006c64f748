# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core on AXI4-Stream that takes packets of a plain DMA engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.interface.packets import GOOD, OTHER_TAG, STATUS_BYTES, Packets
from headwater.package.key_ip import KeyIp
from headwater.package.register_map import register_map
from headwater.package.secret import secret_values
from headwater.package.templating import rendered
from headwater.package.wrong_iv import wrong_iv


def packet_driver_files(ip: KeyIp, packets: Packets) -> dict[str, str]:
    """The driver: file name to text."""
    values = _values(ip, packets)
    return {f"{ip.name}.{suffix}": rendered(f"packet_driver.{suffix}", **values) for suffix in "hc"}


def packet_use_of(ip: KeyIp, packets: Packets) -> str:
    """A few lines of C that use the driver."""
    return rendered("packet_driver_use.c", **_values(ip, packets))


def _values(ip: KeyIp, packets: Packets) -> dict[str, Any]:
    """What the templates need to know."""
    parameters = dict(_parameters(packets))
    return {
        **secret_values(ip.cipher, ip.iv_lengths[-1:]),
        "NAME": ip.name.upper(),
        "name": ip.name,
        "top": ip.top,
        "register_rows": register_map(ip).rows,
        "identity": ip.identity,
        "instruction": False,
        "tag_bytes": packets.tag,
        "packets": packets,
        "status_bytes": STATUS_BYTES,
        "good": GOOD,
        "other_tag": OTHER_TAG,
        "front_parameters": "".join(f", {kind} {name}" for name, kind in parameters.items()),
        "front_example": "".join(f", {_EXAMPLES[name]}" for name in parameters),
        "numbered": packets.header or packets.block,
        "refused": list(_refused(ip, packets)),
    }


_EXAMPLES = {
    "block": "0",
    "ad_bytes": "AD_BYTES",
    "text_bytes": "TEXT_BYTES",
    "text_bits": "8 * TEXT_BYTES",
    "received": "0",
}


def _parameters(packets: Packets) -> Iterator[tuple[str, str]]:
    """What a front holds beside the IV: names in C, and their types."""
    if packets.block:
        yield "block", "uint64_t"
    if packets.ad:
        yield "ad_bytes", "uint32_t"
    if packets.spare:
        yield "text_bits", "uint64_t"
    elif packets.header:
        yield "text_bytes", "uint32_t"
    if packets.chosen:
        yield "received", "int"


def _refused(ip: KeyIp, packets: Packets) -> Iterator[str]:
    """Conditions in C under which the inputs are not legal."""
    yield from wrong_iv(ip.cipher)
    if 0 < packets.block < 8:
        yield f"block >> {8 * packets.block} != 0"
    if packets.spare:
        yield "text_bits > 8 * (uint64_t)UINT32_MAX"
