# SPDX-License-Identifier: Apache-2.0
"""A vector of another that fails says what would fit: another order, place, input or cipher."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.cipher.catalogue import find
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.kinds.reading import Keystream, process
from headwater.verify.check import check_vectors
from headwater.verify.engine import Engine, ModelEngine
from headwater.verify.engines import GENERATED
from headwater.verify.vector_files import read_file

KEY, IV = bytes(range(1, 17)), bytes(range(40, 56))
COUNT = 32


def keystream(name: str, key: bytes, iv: bytes, first: int = 0, **changes: Any) -> bytes:
    made = Keystream(replace(find(name), **changes), key=key, iv=iv)
    made.skip(first)
    return made.read(8 * COUNT)


def reversed_bits(data: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


def by_words(data: bytes, size: int) -> list[bytes]:
    return [data[place : place + size] for place in range(0, len(data), size)]


def told(
    folder: Path,
    name: str,
    given: bytes,
    offset: int = 0,
    engine: Engine | None = None,
    **other: Any,
) -> str:
    """What is said of a keystream that is no cipher's; empty where nothing fits."""
    cipher = find(name)
    content = {
        "cipher": name,
        "kind": "keystream",
        "bit_order": cipher.bit_order,
        "convention": "another",
        "vectors": [
            {
                "id": "v",
                "origin": "generated: by the test",
                "key": KEY[: cipher.key_bits // 8].hex(),
                "iv": IV[: cipher.iv_bits[-1] // 8].hex(),
                "key_bits": cipher.key_bits,
                "iv_bits": cipher.iv_bits[-1],
                "offset_bits": offset,
                "keystream": given.hex(),
                "keystream_bits": 8 * len(given),
            }
            | other
        ],
    }
    path = folder / "vectors.json"
    path.write_text(json.dumps(content))
    record = check_vectors(read_file(path, cipher), engine or ModelEngine(cipher))
    (line,) = record.failures
    _, _, found = line.partition("; the given keystream is ")
    assert bool(found) == (";" in line)
    return found


IN_ORDER = keystream("zuc", KEY, IV)
ORDERS = {
    "with the bits of each byte reversed": reversed_bits(IN_ORDER),
    "with its bytes reversed": IN_ORDER[::-1],
    "with all its bits reversed": reversed_bits(IN_ORDER[::-1]),
    "with every bit inverted": bytes(byte ^ 255 for byte in IN_ORDER),
    "with the bits of each byte reversed and every bit inverted": bytes(
        byte ^ 255 for byte in reversed_bits(IN_ORDER)
    ),
    **{
        f"with the bytes of each word of {size} reversed": b"".join(
            word[::-1] for word in by_words(IN_ORDER, size)
        )
        for size in (2, 4, 8, 16)
    },
    **{
        f"with the bits of each word of {size} bytes reversed": b"".join(
            reversed_bits(word[::-1]) for word in by_words(IN_ORDER, size)
        )
        for size in (2, 4, 8, 16)
    },
    **{
        f"with its words of {size} bytes reversed": b"".join(by_words(IN_ORDER, size)[::-1])
        for size in (2, 4, 8, 16)
    },
}


@pytest.mark.parametrize("name", ORDERS)
def test_another_order_of_a_value(name: str, tmp_path: Path) -> None:
    assert told(tmp_path, "zuc", ORDERS[name]) == f"the computed one {name}"


@pytest.mark.parametrize(
    ("offset", "first", "way"),
    [
        (0, 1, "1 bit too late"),
        (0, 32, "32 bits too late"),
        (64, 32, "32 bits too early"),
        (64, 63, "1 bit too early"),
        (4096, 4608, "512 bits too late"),
    ],
)
def test_another_place(offset: int, first: int, way: str, tmp_path: Path) -> None:
    given = keystream("trivium", KEY[:10], IV[:10], first)
    said = f"the computed one beginning {way}"
    assert told(tmp_path, "trivium", given, offset) == said
    said += ", with the bits of each byte reversed"
    assert told(tmp_path, "trivium", reversed_bits(given), offset) == said


def test_a_place_before_the_first_bit(tmp_path: Path) -> None:
    given = b"\x5a\xa5\x01\x99" + IN_ORDER[:-4]
    said = "the computed one beginning 32 bits (1 word) too early"
    assert told(tmp_path, "zuc", given) == said


INPUTS = {
    "the key with the bits of each byte reversed": (reversed_bits(KEY[:10]), IV[:10]),
    "the IV with its bytes reversed": (KEY[:10], IV[:10][::-1]),
    "the key with all its bits reversed and the IV with the bits of each byte reversed": (
        reversed_bits(KEY[:10][::-1]),
        reversed_bits(IV[:10]),
    ),
}


@pytest.mark.parametrize("name", INPUTS)
def test_another_order_of_key_and_iv(name: str, tmp_path: Path) -> None:
    given = keystream("trivium", *INPUTS[name])
    assert told(tmp_path, "trivium", given) == f"that of {name}"
    said = f"that of {name}, with its bytes reversed"
    assert told(tmp_path, "trivium", given[::-1]) == said


def test_another_cipher(tmp_path: Path) -> None:
    assert told(tmp_path, "mickey2", keystream("mickey1", KEY[:10], IV[:10])) == "that of mickey1"
    given = reversed_bits(keystream("zuc", KEY, IV))
    said = "that of zuc, with the bits of each byte reversed"
    assert told(tmp_path, "snow3g", given) == said


@pytest.mark.parametrize(
    ("name", "left_out", "said"),
    [
        ("trivium", (0,), "any blank step"),
        ("zuc", (1,), "its phase 'discard'"),
        ("zuc", (0, 1), "any blank step"),
    ],
)
def test_a_setup_with_something_left_out(
    name: str, left_out: tuple[int, ...], said: str, tmp_path: Path
) -> None:
    cipher: Any = find(name)
    phases = tuple(
        replace(phase, steps=0) if place in left_out else phase
        for place, phase in enumerate(cipher.phases)
    )
    given = keystream(
        name, KEY[: cipher.key_bits // 8], IV[: cipher.iv_bits[-1] // 8], phases=phases
    )
    found = told(tmp_path, name, given)
    if name == "zuc" and left_out == (1,):
        assert found == "the computed one beginning 32 bits (1 word) too early"
    else:
        assert found == f"that of {name} without {said}"


@pytest.mark.parametrize(("more", "said", "first"), [(1, "more", 0), (-1, "less", 1)])
def test_a_blank_step_more_or_less(more: int, said: str, first: int, tmp_path: Path) -> None:
    """It is no shift of the keystream where the bit that is fed back in that step is one, as with
    these IVs."""
    cipher: Any = find("grain_v1")
    (phase,) = cipher.phases
    iv = IV[first : first + 8]
    phases = (replace(phase, steps=phase.steps + more),)
    given = keystream("grain_v1", KEY[:10], iv, phases=phases)
    found = told(tmp_path, "grain_v1", given, iv=iv.hex())
    assert found == f"that of grain_v1 with a blank step {said}"


def test_another_number_of_rounds_and_a_block_too_late(tmp_path: Path) -> None:
    cipher = find("salsa20")
    key, iv = KEY + KEY[::-1], IV[:8]
    given = {"key": key.hex(), "iv": iv.hex(), "rounds": 20}
    eight = Keystream(cipher.with_parameters({"rounds": "8"}), key=key, iv=iv).read(8 * COUNT)
    said = "that of salsa20 with 8 rounds"
    assert told(tmp_path, "salsa20", eight, **given) == said
    late = keystream("salsa20", key, iv, 512)
    said = "the computed one beginning 512 bits (1 block) too late"
    assert told(tmp_path, "salsa20", late, **given) == said


def test_another_order_of_words_of_key_and_iv(tmp_path: Path) -> None:
    """As SNOW 3G has them, whose numbering of words is read either way."""
    turned = [b"".join(by_words(data, 4)[::-1]) for data in (KEY, IV)]
    way = "with its words of 4 bytes reversed"
    for key, iv, said in [
        (turned[0], IV, f"the key {way}"),
        (KEY, turned[1], f"the IV {way}"),
        (*turned, f"the key {way} and the IV {way}"),
    ]:
        assert told(tmp_path, "snow3g", keystream("snow3g", key, iv)) == f"that of {said}"


@pytest.mark.parametrize("engine", ["model", "c"])
def test_a_message_of_another_direction_or_place(engine: str, tmp_path: Path) -> None:
    mode = find("eea3")
    text = bytes(range(COUNT))

    def output(direction: int, before: int = 0) -> bytes:
        whole = bytes(before) + text
        iv = mode.pack_iv(7, 3, direction)
        return process(mode, Message(KEY, iv, b"", whole, 8 * len(whole))).text[before:]

    for given, said in [
        (output(1), "that of the other direction"),
        (output(0, 4), "that of a keystream beginning 32 bits too late"),
    ]:
        entry = {
            "id": "v",
            "origin": "generated: by the test",
            "key": KEY.hex(),
            "count": "00000007",
            "bearer": 3,
            "direction": 0,
            "length": 8 * COUNT,
            "message": text.hex(),
            "output": given.hex(),
        }
        path = tmp_path / "vectors.json"
        path.write_text(
            json.dumps(
                {
                    "cipher": "eea3",
                    "kind": "3gpp-cipher",
                    "bit_order": mode.bit_order,
                    "vectors": [entry],
                }
            )
        )
        run: Engine = ModelEngine(mode)
        if engine != "model":
            run = GENERATED[engine](mode, Architecture.choose(mode))
        record = check_vectors(read_file(path, mode), run)
        assert record.failures[0].endswith(f"; the given ciphertext is {said}")


def test_what_fits_nothing_or_may_fit_by_chance(tmp_path: Path) -> None:
    assert told(tmp_path, "zuc", bytes(range(COUNT))) == ""
    assert told(tmp_path, "zuc", IN_ORDER[:3][::-1]) == ""
    assert told(tmp_path, "zuc", IN_ORDER[8:12]) == ""


@pytest.mark.parametrize("engine", ["rtl", "c"])
def test_every_engine_says_it(engine: str, tmp_path: Path) -> None:
    cipher = find("zuc")
    made = GENERATED[engine](cipher, Architecture.choose(cipher))
    name, *_ = ORDERS
    assert told(tmp_path, "zuc", ORDERS[name], engine=made) == f"the computed one {name}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tag": "reversed"}, "tag when encrypting is the computed one with its bytes reversed"),
        ({"ct": "inverted"}, "ciphertext is the computed one with every bit inverted"),
        ({"cipher": "grain128aead"}, "ciphertext is that of grain128aead"),
    ],
)
def test_messages(change: dict[str, str], said: str, tmp_path: Path) -> None:
    cipher, text = find("grain128aeadv2"), bytes(range(20))
    of = find(change.get("cipher", cipher.name))
    made = process(of, Message(KEY, IV[:12], b"\x01\x02", text, 8 * len(text)))
    tag = made.tag[::-1] if "tag" in change else made.tag
    sealed = bytes(byte ^ 255 for byte in made.text) if "ct" in change else made.text
    content = {
        "cipher": cipher.name,
        "kind": "aead",
        "bit_order": cipher.bit_order,
        "convention": "another",
        "vectors": [
            {
                "id": "v",
                "origin": "generated: by the test",
                "key": KEY.hex(),
                "nonce": IV[:12].hex(),
                "ad": "0102",
                "plaintext": text.hex(),
                "ciphertext": sealed.hex(),
                "tag": tag.hex(),
                "key_bits": 128,
                "iv_bits": 96,
            }
        ],
    }
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(content))
    record = check_vectors(read_file(path, cipher), ModelEngine(cipher))
    assert record.failures[0].endswith(f"; the given {said}")


def test_only_the_first_differences_are_explained(tmp_path: Path) -> None:
    """What fits may take long to find, and is the same for all."""
    cipher = find("zuc")
    one = {
        "origin": "generated: by the test",
        "key": KEY.hex(),
        "iv": IV.hex(),
        "key_bits": 128,
        "iv_bits": 128,
        "offset_bits": 0,
        "keystream": IN_ORDER[::-1].hex(),
        "keystream_bits": 8 * COUNT,
    }
    content = {
        "cipher": "zuc",
        "kind": "keystream",
        "bit_order": cipher.bit_order,
        "convention": "another",
        "vectors": [{"id": f"v{number}"} | one for number in range(5)],
    }
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(content))
    record = check_vectors(read_file(path, cipher), ModelEngine(cipher))
    assert [";" in line for line in record.failures] == [True] * 3 + [False] * 2


def test_a_long_value_is_compared_to_its_end(tmp_path: Path) -> None:
    made = Keystream(find("trivium"), key=reversed_bits(KEY[:10]), iv=IV[:10]).read(4096)
    said = "that of the key with the bits of each byte reversed"
    assert told(tmp_path, "trivium", made) == said
    assert told(tmp_path, "trivium", made[:-1] + bytes([made[-1] ^ 1])) == ""
