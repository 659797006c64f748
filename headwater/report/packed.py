# SPDX-License-Identifier: Apache-2.0
"""Data in a page, small: JSON, each hash in it once, compressed, in base64.

`headwater/report/static/page.js` unpacks it. The text has no character that HTML knows.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

_HASH = re.compile(r'"([0-9a-f]{64})"')
_NUMBER = re.compile("\x01(\\d+)\x01")
"""Stands for a hash. JSON has this character in no string."""


def packed(data: Any) -> str:
    """The data as text; equal data give equal text."""
    numbers: dict[str, int] = {}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = _HASH.sub(lambda one: f"\x01{numbers.setdefault(one[1], len(numbers))}\x01", text)
    whole = "\n".join(("".join(numbers), text))
    return base64.b64encode(gzip.compress(whole.encode(), compresslevel=9, mtime=0)).decode()


def unpacked(text: str) -> Any:
    """The data again."""
    hashes, _, whole = gzip.decompress(base64.b64decode(text)).decode().partition("\n")
    return json.loads(_NUMBER.sub(lambda one: f'"{hashes[64 * int(one[1]) :][:64]}"', whole))
