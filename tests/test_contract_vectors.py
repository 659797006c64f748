# SPDX-License-Identifier: Apache-2.0
"""The contract of every cipher: the published vectors, in the model and in the Verilog of every
core, whose text no tool warns of."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from contract import EVERY_CIPHER, MANY_CORES, Core, files_of, paths_of

from headwater.cipher.cases import ForgedVector, KeyVector, PartVector, Vector
from headwater.cipher.description import Cipher
from headwater.flow.verilator import lint
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.vector_files import VectorFile

NEAR, MOST = 4096, 30_000_000
"""Keystream bits within which the vectors are that run in the Verilog, and about how many steps
the circuit may take for them: all vectors run but of slow cores."""
FAR = 400_000
"""Bits that the model makes for those further on, as it makes all bits before: it is slow. The C of
every cipher runs all of them (`test_c_model`)."""

LOADED_BY_NONE = {("mickey1", 81), ("mickey2", 81), ("mickey128", 129)}
"""Load widths that only an IV of a single bit goes with."""
OF_NO_VECTOR = {"vest4-ae"}
"""The published vectors have other lengths of key than the shortest and the longest."""


def is_before(vector: Vector, bits: int) -> bool:
    return getattr(vector, "offset", 0) + getattr(vector, "bits", 0) <= bits


def in_the_model(file: VectorFile) -> VectorFile:
    """Those near the beginning, and the first ones further on."""
    near = [one for one in file.vectors if is_before(one, NEAR)]
    far, bits = [], 0
    for one in file.vectors:
        if bits < FAR and not is_before(one, NEAR):
            far.append(one)
            bits += getattr(one, "offset", 0) + getattr(one, "bits", 0)
    return replace(file, vectors=(*near, *far))


@EVERY_CIPHER
def test_every_vector_in_the_model(cipher: Cipher) -> None:
    """Every entry of the files is read, and the model gives the answers."""
    read: set[str] = set()
    for file in files_of(cipher):
        some = in_the_model(file)
        record = check_vectors(some, ModelEngine(file.cipher))
        assert (record.failures, record.passed) == ((), len(some.vectors))
        assert record.passed
        # An entry with the keystream of two directions gives two vectors, named after it.
        read |= {name for one in file.vectors for name in (one.name, one.name.rpartition(" ")[0])}
    for path in paths_of(cipher):
        names = [str(entry["id"]) for entry in json.loads(path.read_text())["vectors"]]
        assert [name for name in names if name not in read] == []


@MANY_CORES
def test_vectors_in_the_verilog(core: Core) -> None:
    """All, or some that are spread over the files, with gaps where the core can wait."""
    found = [
        one
        for file in files_of(core.cipher)
        if file.cipher == core.cipher
        for one in file.vectors
        if not isinstance(one, KeyVector | PartVector)
    ]
    near = [one for one in found if is_before(one, NEAR) and not core.facts.unfit(one.iv_bits)]
    radix, width = core.architecture.radix, core.architecture.load_width
    if not found:
        assert core.cipher.name in OF_NO_VECTOR
        pytest.skip("no vector has keys of this length")
    if not near:
        assert (core.cipher.name, width) in LOADED_BY_NONE
        pytest.skip("no vector has an IV that this load width fits")
    steps = (core.facts.setup_cycles + NEAR // radix) * max(radix, width)
    some = VectorFile("some", tuple(near[:: 1 + len(near) * steps // MOST]), {}, core.cipher)
    record = check_vectors(some, core.engine(gaps_permille=250), core.architecture)
    only_encrypts = core.architecture["direction"] == "encrypt"
    forged = sum(isinstance(one, ForgedVector) for one in some.vectors) if only_encrypts else 0
    assert (record.failures, record.passed) == ((), len(some.vectors) - forged)


@MANY_CORES
def test_no_warning(core: Core) -> None:
    assert lint(core.verilog.name, core.verilog.text) == []
