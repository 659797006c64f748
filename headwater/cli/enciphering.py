# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that compute with a cipher: keystream, texts and tags."""

from __future__ import annotations

import argparse

from headwater.cipher.whole_state import STATE_ORDER
from headwater.cli.arguments import CIPHER, add_architecture, hex_digits, hex_of_file, number

Parser = argparse.ArgumentParser


def add_keystream(verb: Parser) -> None:
    """Arguments of `keystream`."""
    verb.add_argument("cipher", help=CIPHER)
    _add_state(_add_secret(verb))
    verb.add_argument(
        "--bits", required=True, type=number, metavar="N", help="how many bits of keystream"
    )
    verb.add_argument("--offset", default=0, type=number, metavar="N", help="bits to skip first")
    _add_engine(verb)


def add_encrypt(verb: Parser) -> None:
    """Arguments of `encrypt`."""
    _add_message(verb)
    _add_tag_bits(verb)
    _add_call(verb)


def add_decrypt(verb: Parser) -> None:
    """Arguments of `decrypt`."""
    _add_message(verb)
    verb.add_argument("--tag", metavar="HEX", help="required where there is one")
    verb.add_argument(
        "--tag-bits", type=number, metavar="N", help="length of a tag that is not whole bytes"
    )
    _add_call(verb)


def add_mac(verb: Parser) -> None:
    """Arguments of `mac`."""
    verb.add_argument("cipher", help=CIPHER)
    _add_key(verb)
    verb.add_argument(
        "--iv", type=hex_digits, metavar="HEX|-", help="of modes that take a whole IV"
    )
    _add_tag_bits(verb)
    _add_text(verb)
    _add_engine(verb)
    _add_call(verb)


def add_hash(verb: Parser) -> None:
    """Arguments of `hash`."""
    verb.add_argument("cipher", help=CIPHER)
    verb.add_argument(
        "--digest-bits",
        type=number,
        metavar="N",
        help="length of the digest, where it is not fixed",
    )
    verb.add_argument(
        "--customization", metavar="HEX", help="customization string, where there is one"
    )
    verb.add_argument(
        "--customization-bits",
        type=number,
        metavar="N",
        help="length of a customization string that is not whole bytes",
    )
    _add_text(verb)
    _add_engine(verb)


def _add_message(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    _add_secret(verb)
    verb.add_argument("--ad", metavar="HEX", help="associated data: authenticated, not encrypted")
    verb.add_argument(
        "--ad-bits",
        type=number,
        metavar="N",
        help="length of associated data that is not whole bytes",
    )
    verb.add_argument(
        "--out",
        dest="output",
        metavar="FILE|-",
        help="write the other text there as raw bytes; -: stdout",
    )
    _add_text(verb)
    _add_engine(verb)


def _add_tag_bits(verb: Parser) -> None:
    verb.add_argument(
        "--tag-bits",
        type=number,
        metavar="N",
        help="length of the tag, where there are several (default: the longest)",
    )


def _add_call(verb: Parser) -> None:
    """Arguments of a telephony message: COUNT, BEARER or FRESH, DIRECTION."""
    modes = verb.add_argument_group("modes of mobile telephony, instead of an IV")
    modes.add_argument("--count", metavar="HEX", help="COUNT, 8 hex digits")
    modes.add_argument("--bearer", type=number, metavar="N", help="BEARER, 0 to 31")
    modes.add_argument("--fresh", metavar="HEX", help="uia1, uia2: FRESH, 8 hex digits, for BEARER")
    modes.add_argument("--direction", type=number, metavar="0|1", help="DIRECTION")
    modes.add_argument(
        "--extra", metavar="HEX", help="256-bit modes of 5G: bytes 2 to 7 of the IV (default 0)"
    )


def _add_text(verb: Parser) -> None:
    text = verb.add_mutually_exclusive_group(required=True)
    text.add_argument(
        "--in", dest="input", metavar="FILE|-", help="the text as raw bytes; -: stdin"
    )
    text.add_argument("--text", metavar="HEX", help="the text")
    verb.add_argument(
        "--bits", type=number, metavar="N", help="length of a text that is not whole bytes"
    )


def _add_state(key: argparse._MutuallyExclusiveGroup) -> None:
    """What keystream can begin with in place of key and IV."""
    key.add_argument(
        "--state",
        type=hex_digits,
        metavar="HEX|-",
        help="a whole state in place of key and IV: " + STATE_ORDER,
    )
    key.add_argument(
        "--state-file", dest="state", type=hex_of_file, metavar="FILE", help="as --key-file"
    )


def _add_key(verb: Parser) -> argparse._MutuallyExclusiveGroup:
    key = verb.add_mutually_exclusive_group(required=True)
    key.add_argument(
        "--key",
        type=hex_digits,
        metavar="HEX|-",
        help="hexadecimal digits; -: the next line of stdin",
    )
    key.add_argument(
        "--key-file",
        dest="key",
        type=hex_of_file,
        metavar="FILE",
        help="a file with the hexadecimal digits, which no list of processes shows",
    )
    return key


def _add_secret(verb: Parser) -> argparse._MutuallyExclusiveGroup:
    key = _add_key(verb)
    iv = verb.add_mutually_exclusive_group()
    iv.add_argument("--iv", type=hex_digits, metavar="HEX", help="as --key")
    iv.add_argument("--iv-file", dest="iv", type=hex_of_file, metavar="FILE", help="as --key-file")
    iv.add_argument(
        "--nonce", dest="iv", type=hex_digits, metavar="HEX", help="another word for IV"
    )
    iv.add_argument(
        "--frame", type=number, metavar="N", help="a51 and a53: COUNT as the IV, 22 bits"
    )
    verb.add_argument(
        "--tdma-frame",
        type=number,
        metavar="N",
        help="a51 and a53: number of the TDMA frame, of which COUNT is made, instead "
        "of an IV; for a51 bytes of Kc are given last one first",
    )
    verb.add_argument(
        "--iv-bits", type=number, metavar="N", help="length of an IV that is not whole bytes"
    )
    verb.add_argument(
        "--counter",
        type=number,
        metavar="N",
        help="ciphers of blocks: number of the first one (default 0)",
    )
    verb.add_argument(
        "--key-length",
        type=number,
        metavar="BYTES",
        help="e0: effective length of the key (default 16)",
    )
    return key


def _add_engine(verb: Parser) -> None:
    verb.add_argument(
        "--engine",
        default="fast",
        help="fast (default): the model, or c where the model would take long; model; rtl, the "
        "generated Verilog; c, the generated C",
    )
    add_architecture(verb)
