# SPDX-License-Identifier: Apache-2.0
"""Every core has a session, and is the same circuit each time it is elaborated."""

from __future__ import annotations

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Signal

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.kinds.registry import build, properties_of


def circuit(core: Core) -> str:
    ports = [port for _, _, port in core.signature.flatten(core) if isinstance(port, Signal)]
    return rtlil.convert(core, name="core", ports=ports, emit_src=False)


ONE_OF_EACH_KIND = {type(cipher): name for name, cipher in reversed(CATALOGUE.items())}


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND.values())
def test_core_is_the_same_circuit_when_elaborated_again(name: str) -> None:
    cipher = CATALOGUE[name]
    core = build(cipher, Architecture.choose(cipher))
    assert circuit(core) == circuit(core)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_core_properties_its_session(name: str) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher)
    assert "session" in {prop.name for prop in properties_of(cipher, architecture)}
