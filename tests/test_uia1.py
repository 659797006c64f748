# SPDX-License-Identifier: Apache-2.0
"""UIA1: the values between its blocks, and tags of every length beside a reading of f9 that is
written here, block by block, with KASUMI as its specification has it."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from command_line import Capture, refused, succeed
from generated import afresh

from headwater.cipher.kasumi_f9 import UIA1, uia1_nonce
from headwater.cipher.kasumi_sboxes import S7, S9
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.message import offered
from headwater.kinds.message.description import Pad
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove

KEY = "2BD6459F82C5B300952C49104881FF48"
MESSAGE = "6B227737296F393C8079353EDC87E2E805D2EC49A4F2D8E0"
CONSTANTS = (0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210)


def rotated(word: int, places: int) -> int:
    return (word << places | word >> 16 - places) & 0xFFFF


def fl(word: int, key1: int, key2: int) -> int:
    left, right = word >> 16, word & 0xFFFF
    right ^= rotated(left & key1, 1)
    return (left ^ rotated(right | key2, 1)) << 16 | right


def fi(word: int, key: int) -> int:
    nine, seven = word >> 7, word & 127
    for more in (key, None):
        nine = S9.entries[nine] ^ seven
        seven = S7.entries[seven] ^ nine & 127
        if more is not None:
            nine, seven = nine ^ more & 511, seven ^ more >> 9
    return seven << 9 | nine


def fo(word: int, keys: list[tuple[int, int]]) -> int:
    left, right = word >> 16, word & 0xFFFF
    for outer, inner in keys:
        left, right = right, fi(left ^ outer, inner) ^ right
    return left << 16 | right


def kasumi(key: list[int], block: int) -> int:
    left, right = block >> 32, block & 0xFFFFFFFF
    for number in range(8):
        k = [key[(number + place) % 8] for place in range(8)]
        primed = [word ^ CONSTANTS[(number + place) % 8] for place, word in enumerate(k)]
        of_fl = rotated(k[0], 1), primed[2]
        of_fo = [
            (rotated(k[1], 5), primed[4]),
            (rotated(k[5], 8), primed[3]),
            (rotated(k[6], 13), primed[7]),
        ]
        changed = fl(fo(left, of_fo), *of_fl) if number % 2 else fo(fl(left, *of_fl), of_fo)
        left, right = right ^ changed, left
    return left << 32 | right


def blocks_of(key: bytes, string: str) -> tuple[int, int, int]:
    """The last block made, the sum of all, and the tag, of a padded string of bits."""
    pieces = [int.from_bytes(key[first : first + 2], "big") for first in range(0, 16, 2)]
    made = total = 0
    for first in range(0, len(string), 64):
        made = kasumi(pieces, made ^ int(string[first : first + 64], 2))
        total ^= made
    return made, total, kasumi([piece ^ 0xAAAA for piece in pieces], total) >> 32


def padded(count: int, fresh: int, direction: int, text: bytes, bits: int) -> str:
    message = "".join(f"{byte:08b}" for byte in text)[:bits]
    string = f"{count:032b}{fresh:032b}{message}{direction}1"
    return string + "0" * (-len(string) % 64)


def test_blocks_of_set_1() -> None:
    string = padded(0x38A6F056, 0x05D2EC49, 0, bytes.fromhex(MESSAGE), 189)
    made, total, tag = blocks_of(bytes.fromhex(KEY), string)
    assert (f"{made:016X}", f"{total:016X}") == ("DFD3DCB9499275BA", "F1BEEC15B964E3F2")
    assert f"{tag:08X}" == "F63BD72C"


def test_what_a_load_has() -> None:
    nonce = uia1_nonce(0x38A6F056, 0x05D2EC49, 1)
    assert nonce.hex() == "38a6f05605d2ec4980000000"
    packed = UIA1.pack_iv(0x38A6F056, 0x05D2EC49, 1)
    assert UIA1.loaded(bytes(16), packed) == (bytes(16), nonce)


def messages(lengths: range | tuple[int, ...]) -> list[tuple[Message, int]]:
    """Messages of these lengths in bits, in both directions, with the tags of this file."""
    draw, made = random.Random(9), []
    for bits in lengths:
        key, count, fresh = draw.randbytes(16), draw.getrandbits(32), draw.getrandbits(32)
        text = (draw.getrandbits(bits + 1) >> 1 << -bits % 8).to_bytes(-(-bits // 8), "big")
        for direction in (0, 1):
            string = padded(count, fresh, direction, text, bits)
            message = Message(key, UIA1.pack_iv(count, fresh, direction), b"", text, bits)
            made.append((message, blocks_of(key, string)[2]))
    return made


def assert_tags(made: list[bytes], given: list[tuple[Message, int]]) -> None:
    assert [int.from_bytes(tag, "big") for tag in made] == [tag for _, tag in given]


def test_tags_of_every_length_in_the_model() -> None:
    given = messages(range(200))
    assert_tags([process(UIA1, message).tag for message, _ in given], given)


ENDS = (0, 1, 7, 8, 30, 31, 32, 33, 61, 62, 63, 64, 65, 94, 95, 96, 126, 127, 128, 129, 190, 191)
"""Lengths at which direction, the one behind it or both stand in another word or block."""


@pytest.mark.parametrize(
    ("radix", "load", "options"),
    [
        (1, 32, {}),
        (2, 16, {"width": "8"}),
        (4, 8, {"width": "16", "clear": "instant"}),
        (8, 32, {"width": "64", "clear": "none"}),
    ],
)
def test_tags_in_verilog(radix: int, load: int, options: dict[str, str]) -> None:
    made = Architecture.choose(UIA1, radix=radix, load_width=load, options=options)
    given = messages(ENDS)
    engine = RtlEngine(UIA1, made, gaps_permille=200)
    assert_tags([one.tag for one in engine.process([one for one, _ in given])], given)


def test_tags_in_c() -> None:
    given = messages(ENDS[::2])
    engine = CEngine(UIA1, Architecture.choose(UIA1))
    assert_tags([one.tag for one in engine.process([one for one, _ in given])], given)


def test_every_choice_is_offered() -> None:
    assert UIA1.legal_radices() == (1, 2, 4, 8)
    assert all(UIA1.legal_load_widths(radix) == (8, 16, 32) for radix in (1, 2, 4, 8))
    assert UIA1.legal_widths == (32, 8, 16, 64)


def test_cycles_of_a_message_with_its_direction() -> None:
    """A word of 32 bits in a cycle, eight rounds a block; direction makes a second block of 64."""
    facts = facts_of(UIA1, Architecture.choose(UIA1))
    assert facts.setup_cycles == 7 + 8
    one, two = 1 + 8, 2 + 8
    assert facts.message_cycles(0) == one + 8
    assert facts.message_cycles(63) == two + one + 8
    assert facts.message_cycles(62) == two + 8
    assert facts.message_cycles(64) == two + one + 8


def test_proofs_hold_at_another_width() -> None:
    for record in prove(UIA1, Architecture.choose(UIA1, load_width=8, options={"width": "8"})):
        assert record.failures == (), record.check


def test_a_trailer_left_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that forgets the word of its own that the direction bit may need."""
    kept = offered.Offered._append

    def forgets(self: offered.Offered, m: object, core: object, trailer: object) -> None:
        kept(self, m, core, trailer)  # type: ignore[arg-type]
        self.last = self._data.last

    monkeypatch.setattr(offered.Offered, "_append", forgets)
    given = messages((32, 64))
    made = Architecture.choose(UIA1, load_width=16)
    with afresh():
        tags = [one.tag for one in RtlEngine(UIA1, made).process([one for one, _ in given])]
        records = prove(UIA1, made)
    pairs = zip(tags, given, strict=True)
    assert all(int.from_bytes(tag, "big") != right for tag, (_, right) in pairs)
    assert any(record.failures for record in records)


def test_the_command_line(capsys: Capture) -> None:
    words = ("mac", "uia1", "--key", KEY, "--count", "38a6f056", "--fresh", "05d2ec49")
    message = ("--direction", "0", "--bits", "189", "--text", MESSAGE)
    for engine in ("model", "rtl", "c"):
        assert succeed(capsys, *words, *message, "--engine", engine) == "tag f63bd72c\n"
    error = "uia1 takes --count, --fresh, --direction, not --bearer"
    refused(capsys, (*words, "--bearer", "1", *message), error)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"iv_bits": (64,)}, "iv_bits of uia1 must be (65,), not (64,)"),
        ({"bit_order": "lsb_first"}, "bit_order of uia1 must be msb_first, as the first bit of a"),
        ({"unit": "byte"}, "trailer of text of uia1 must be left out, as only a text in bits"),
        (
            {"text": replace(UIA1.text, trailer="left")},
            "trailer of text of uia1 must be a register of one bit, not 'left'",
        ),
        (
            {"text": replace(UIA1.text, pad=Pad("always", 0x80))},
            "pad of text of uia1 must be a one, Pad('partial') or Pad('always'), as its length is",
        ),
    ],
)
def test_machines_that_are_refused(changes: dict[str, object], error: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(error)}"):
        replace(UIA1, **changes).check_functions()  # type: ignore[arg-type]
