# SPDX-License-Identifier: Apache-2.0
"""What the shell of a coprocessor has to know of a cipher's core."""

from __future__ import annotations

from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.description import Cipher
from headwater.cipher.phelix import WordAuthenticatedCipher
from headwater.core.architecture import Architecture
from headwater.core.build import facts_of
from headwater.emit.verilog import Verilog
from headwater.interface.shell import CoreShape


def longest_secret(cipher: Cipher) -> tuple[bytes, bytes]:
    """Zeros as key and IV of the length that the core takes."""
    return bytes(cipher.key_bits // 8), bytes(-(-cipher.iv_bits[-1] // 8))


def shape_of(cipher: Cipher, architecture: Architecture, verilog: Verilog) -> CoreShape:
    """The shape of a generated core. A load is of a key and an IV of full length."""
    facts = facts_of(cipher, architecture)
    widths = {port.name: port.width for port in verilog.ports}
    takes = "nothing"
    radix = architecture.radix
    if isinstance(cipher, WordAuthenticatedCipher):
        takes = "text"
    elif isinstance(cipher, AuthenticatedCipher):
        takes, radix = "zeros", widths["data_in__payload"]
    return CoreShape(
        module=verilog.name,
        load_width=architecture.load_width,
        load_words=len(facts.load_words(*longest_secret(cipher))),
        marks_last="load__last" in widths,
        radix=radix,
        top_first=cipher.first_bit_on_top,
        takes=takes,
        tag_keep="tag__keep" in widths,
        decrypts="decrypt" in widths,
        ad_marks=widths.get("data_in__ad", 0),
    )
