# SPDX-License-Identifier: Apache-2.0
"""The option --package of the verb generate: all that an integrator needs beside the Verilog."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.bench.store import open_store
from headwater.cipher.description import Cipher
from headwater.codesign.shape import shape_of
from headwater.core.architecture import Architecture
from headwater.interface.shell import PORTS
from headwater.kinds.registry import facts_of
from headwater.package.delivery import package_files
from headwater.package.design import Design
from headwater.package.figures import figures_of
from headwater.package.ip import Ip


def packaged(
    cipher: Cipher, chosen: Architecture, core: str, interface: str, top: str,
    rtl: Mapping[str, str],
) -> dict[str, str]:  # fmt: skip
    """The files of a package, the Verilog and the core's testbench excepted.

    ``core`` and ``top`` are modules of ``rtl``. Figures are those of the store.
    """
    ip = None
    if interface in PORTS:
        shape = shape_of(cipher, chosen, core)
        ip = Ip(cipher, chosen, shape, interface, PORTS[interface], top)
    with open_store() as store:
        points = figures_of(store, cipher.name, chosen)
    facts = facts_of(cipher, chosen)
    return package_files(Design(cipher, facts, core, interface, top, rtl, ip), points)
