# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core on AXI4-Stream whose key and IV are written into registers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.interface.load_code import legal
from headwater.package.key_ip import KeyIp
from headwater.package.register_map import register_map
from headwater.package.secret import secret_values
from headwater.package.templating import rendered
from headwater.package.wrong_iv import wrong_iv

_WIDEST_NUMBER = 64


def key_driver_files(ip: KeyIp) -> dict[str, str]:
    """The driver: file name to text."""
    values = _values(ip)
    return {f"{ip.name}.{suffix}": rendered(f"key_driver.{suffix}", **values) for suffix in "hc"}


def key_use_of(ip: KeyIp) -> str:
    """A few lines of C that use the driver."""
    return rendered("key_driver_use.c", **_values(ip))


def _values(ip: KeyIp) -> dict[str, Any]:
    """What the templates need to know."""
    return {
        **secret_values(ip.cipher, ip.iv_lengths),
        "NAME": ip.name.upper(),
        "name": ip.name,
        "top": ip.top,
        "pad": " " * 8,
        "register_rows": register_map(ip).rows,
        "identity": ip.identity,
        "instruction": False,
        "tag_bytes": 0,
        "number_bytes": ip.block_bytes,
        "controls": ip.controls,
        "iv_size": "iv_bits / 8" if len(ip.iv_lengths) > 1 else f"{ip.name.upper()}_IV_BYTES",
        "refused": list(_refused(ip)),
    }


def _refused(ip: KeyIp) -> Iterator[str]:
    """Conditions in C under which the inputs are not legal."""
    if len(ip.iv_lengths) > 1:
        yield f"!({legal('iv_bits', ip.iv_lengths)})"
    yield from wrong_iv(ip.cipher)
    if 0 < 8 * ip.block_bytes < _WIDEST_NUMBER:
        yield f"block >> {8 * ip.block_bytes} != 0"
