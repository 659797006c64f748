# SPDX-License-Identifier: Apache-2.0
"""What public files call the ciphers of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher

_ALSO: Mapping[str, str] = {
    "MICKEY-128-v2": "mickey128",
    "MICKEY-v2": "mickey2",
    "AES-ECB": "aes",
    "AES-128-ECB": "aes",
    "AES-192-ECB": "aes",
    "AES-256-ECB": "aes",
    "ACVP-AES-ECB": "aes",
    "AES-OFB": "aes_ofb",
    "AES-128-OFB": "aes_ofb",
    "AESOFB128": "aes_ofb",
    "ACVP-AES-OFB": "aes_ofb",
    "AES-192-OFB": "aes_ofb_192_256",
    "AES-256-OFB": "aes_ofb_192_256",
    "AES-CTR": "aes_ctr",
    "ACVP-AES-CTR": "aes_ctr",
    "AES-CMAC": "aes_cmac",
    "CMAC-AES": "aes_cmac",
    "128-EEA2": "eea2",
    "128-EIA2": "eia2",
    "AES-EIA2": "eia2",
    "AES-EEA2": "eea2",
    "Ascon AEAD128": "ascon_aead128",
    "ZUC-128": "zuc",
    "ZUC-EEA3": "eea3",
    "ZUC-EEA3-128": "eea3",
    "128-EEA3": "eea3",
    "ZUC-EIA3": "eia3",
    "ZUC-EIA3-128": "eia3",
    "128-EIA3": "eia3",
    "SNOW 3G UEA2": "uea2",
    "SNOW 3G UEA2 LINEAR": "uea2",
    "SNOW3G UIA2": "uia2",
    "SNOW 3G UIA2": "uia2",
    "SNOW5G-NEA4": "nea4",
    "SNOW5G-NIA4": "nia4",
    "SNOW5G-NCA4": "nca4",
    "AES-NEA5": "nea5",
    "AES-NIA5": "nia5",
    "AES-NCA5": "nca5",
    "ZUC-NEA6": "nea6",
    "ZUC-NIA6": "nia6",
    "ZUC-NCA6": "nca6",
}
"""Names of public files that are not those of the catalogue but for spelling."""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def catalogued(algorithm: str, asked_for: Cipher | None = None) -> str:
    """The name in the catalogue of what a file names, or of the cipher that was asked for; empty
    if it is none of them."""
    known = {_plain(name): name for name in CATALOGUE}
    known |= {_plain(also): name for also, name in _ALSO.items()}
    if asked_for is not None:
        known |= {
            _plain(name): asked_for.name for name in (asked_for.name, *asked_for.vector_names)
        }
    return known.get(_plain(algorithm), "")
