# SPDX-License-Identifier: Apache-2.0
"""Netlists of cores in shares: mapped part by part, and judged by the checker of leakage."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate, in_parts
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.leakage.netlist import Netlist, read_netlist
from headwater.leakage.verdict import UNDECIDED_VERDICT, TooLongError
from headwater.measure.target import AsicTarget
from headwater.verify.masked import leakage_of, leakage_record
from headwater.verify.record import Record

LIMIT_S = 60.0
"""Seconds of processor time that the check of a measured netlist may take."""


def mapped_text(cipher: Cipher, architecture: Architecture, target: AsicTarget) -> str:
    """A core in shares in cells, without clock gates: control and shares each by itself."""
    text, parts = in_parts(cipher, architecture)
    with private_folder() as folder:
        name = generate(cipher, architecture).name
        return map_to_cells(text, name, target.library(), folder, parts=parts).verilog


def netlist_verdict(
    cipher: Cipher, architecture: Architecture, target: AsicTarget, text: str
) -> str:
    """The verdict of the checker of leakage on a netlist of a core in shares, without clock gates:
    ``undecided`` of one that it cannot follow, or not within `LIMIT_S`. Its registers must have the
    names that mapping here gives them."""
    try:
        netlist = _read(cipher, architecture, target, text)
        return leakage_of(cipher, architecture, netlist, LIMIT_S).verdict
    except (InputError, TooLongError):
        return UNDECIDED_VERDICT


def check_masked_netlist(
    cipher: Cipher,
    architecture: Architecture,
    target: AsicTarget,
    *,
    text: str,
    file: str | None = None,
) -> Record:
    """The same as a record, which fails unless the claim is proven."""
    netlist = _read(cipher, architecture, target, text)
    return leakage_record(cipher, architecture, netlist, "netlist", file)


def _read(cipher: Cipher, architecture: Architecture, target: AsicTarget, text: str) -> Netlist:
    with private_folder() as folder:
        (folder / "netlist.v").write_text(text)
        top = generate(cipher, architecture).name
        return read_netlist([folder / "netlist.v"], top, target.liberty)
