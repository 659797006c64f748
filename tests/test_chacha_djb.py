# SPDX-License-Identifier: Apache-2.0
"""ChaCha with 64 bits of nonce and of block number, and XChaCha20, whose key is derived first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from block_streams import core

from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha_djb import CHACHA_DJB, XCHACHA20, hchacha20
from headwater.errors import InputError
from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher, KeyDerivation
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove
from headwater.verify.segments import Segment

KEY = bytes(range(32))
NONCE = bytes(range(8))
CONSTANT = b"expand 32-byte k"

ENDS = (
    (2**32 - 1, "a2b8d04b13877b4a", "2fcab2c09a960545"),
    (2**64 - 1, "c5d515d8d3d99018", "f798a189f195e669"),
)
"""Block number, the first bytes of the block, and of the one behind it, of ``KEY`` and ``NONCE``:
computed with libsodium 1.0.18 and OpenSSL 3.0.19."""

CORES = (
    {"fold": "round"},
    {"fold": "round", "buffer": "none"},
    {"fold": "quarter"},
    {"fold": "double", "clear": "instant"},
    {"fold": "stages2"},
    {"fold": "stages4"},
    {"fold": "quarter", "buffer": "none", "stall": "none"},
    {"buffer": "none", "addition": "shared"},
)


def blocks(iv: bytes, number: int, count: int) -> Segment:
    return Segment(KEY, iv, number * BLOCK_BITS, count * BLOCK_BITS)


def keystream(cipher: BlockStreamCipher, iv: bytes, number: int, count: int) -> bytes:
    return ModelEngine(cipher).run([blocks(iv, number, count)])[0]


@pytest.mark.parametrize(("number", "last", "behind"), ENDS)
def test_ends_of_the_block_number(number: int, last: str, behind: str) -> None:
    given = blocks(NONCE, number, 2)
    engines = [ModelEngine(CHACHA_DJB), CEngine(CHACHA_DJB, core(CHACHA_DJB, 512))]
    engines += [
        RtlEngine(CHACHA_DJB, core(CHACHA_DJB, 512, fold=fold)) for fold in ("round", "stages2")
    ]
    for engine in engines:
        (stream,) = engine.run([given])
        assert [stream[:8].hex(), stream[64:72].hex()] == [last, behind]


def test_number_and_nonce_as_the_rfc_has_them() -> None:
    """A nonce of 96 bits begins with the upper half of the number; it does not change there."""
    long = (9).to_bytes(4, "little") + NONCE
    number = (9 << 32) + 2**32 - 1
    ours = keystream(CHACHA_DJB, NONCE, number, 2)
    assert ours[:64] == keystream(CHACHA20, long, 2**32 - 1, 1)
    assert ours[64:] != keystream(CHACHA20, long, 0, 1)
    assert keystream(CHACHA20, long, 2**32 - 1, 2)[64:] == keystream(CHACHA20, long, 0, 1)


@pytest.mark.parametrize("options", CORES, ids=lambda one: "-".join(one.values()))
def test_derived_key_in_every_core(options: dict[str, str]) -> None:
    """What comes is the keystream of ChaCha under the derived key, in three sessions that do not
    wait for the end of the one before."""
    nonces = [bytes((seed + place) % 256 for place in range(24)) for seed in (0, 77, 200)]
    given = [blocks(nonce, 2**32 - 1 + place, 3) for place, nonce in enumerate(nonces)]
    key = [hchacha20(XCHACHA20, KEY, nonce[:16], CONSTANT) for nonce in nonces]
    expected = [
        ModelEngine(CHACHA_DJB).run([replace(one, key=derived, iv=one.iv[16:])])[0]
        for one, derived in zip(given, key, strict=True)
    ]
    engine = RtlEngine(XCHACHA20, core(XCHACHA20, 512, **options))
    assert engine.run(given) == expected == ModelEngine(XCHACHA20).run(given)


@pytest.mark.parametrize(
    "options",
    [{"fold": "stages2"}, {"buffer": "none", "fold": "quarter"}],
    ids=lambda one: one["fold"],
)
def test_proofs_of_a_derived_key(options: dict[str, str]) -> None:
    records = prove(XCHACHA20, core(XCHACHA20, 512, **options))
    assert len(records) == 9
    assert not any(record.failed for record in records)


def test_setup_has_the_rounds_twice() -> None:
    facts = facts_of(XCHACHA20, core(XCHACHA20, 32))
    assert facts.setup_cycles == (256 + 192 + 64) // 32 + 2 * (1 + 20)
    assert facts.setup_formula == (
        "(key_bits + iv_bits + counter_bits) / load_width + 2 * (1 + rounds)"
    )


@pytest.mark.parametrize("places", [(0, 1, 2), (*range(7), 16)])
def test_places_of_a_derived_key(places: tuple[int, ...]) -> None:
    assert XCHACHA20.derivation is not None
    wrong = replace(XCHACHA20, derivation=KeyDerivation(XCHACHA20.derivation.matrix, places))
    with pytest.raises(InputError, match=r"^places of derivation of xchacha20 must be 8 of 0 to"):
        wrong.check_functions()


def matrix_without_a_row(constants, key, nonce):  # type: ignore[no-untyped-def] # noqa: ARG001
    return [*constants, *key]


def test_matrix_of_a_derived_key() -> None:
    wrong = replace(XCHACHA20, derivation=KeyDerivation(matrix_without_a_row, tuple(range(8))))
    with pytest.raises(InputError, match=r"^matrix of derivation of xchacha20 must give 16 words"):
        wrong.check_functions()


@pytest.mark.parametrize(("cipher", "legal", "bits"), [(CHACHA_DJB, 64, 96), (XCHACHA20, 192, 64)])
def test_nonces_of_other_forms(cipher: BlockStreamCipher, legal: int, bits: int) -> None:
    with pytest.raises(
        InputError, match=rf"^IV of {cipher.name} must be {legal} bits .*, not {bits} bits"
    ):
        Keystream(cipher, key=KEY, iv=bytes(bits // 8))
