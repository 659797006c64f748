# SPDX-License-Identifier: Apache-2.0
"""Whether a netlist in standard cells is the core that its Verilog is: proven, or simulated."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.equivalence import prove_equivalence
from headwater.flow.folders import private_folder
from headwater.flow.process import MissingToolError, ToolStoppedError
from headwater.kinds.registry import facts_of
from headwater.measure.stimulus import simulate_as_model
from headwater.measure.target import AsicTarget
from headwater.verify.record import Record

_PROOF_LIMIT_S = 300.0
_CYCLES = 1000
_CHECK = "netlist equals RTL"


def read_netlist(path: Path) -> str:
    """The text of a netlist."""
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise InputError(
            f"netlist must be a readable Verilog file, not {path}: {reason}"
        ) from error


def check_netlist(
    cipher: Cipher,
    architecture: Architecture,
    target: AsicTarget,
    *,
    netlist: str | None = None,
    file: str | None = None,
    clock_gating: str = "none",
) -> Record:
    """Compare a netlist, or without one the core as it is mapped here, with the Verilog of its
    core.

    The netlist is always simulated with a load and a thousand cycles of keystream or text, and
    with short messages if it makes tags: the proof assumes that both are in the same state, and the
    simulation shows that they reach it. The engine of the record is ``sat`` if the proof succeeded
    too. Otherwise it is ``simulation``, and the reason is that of a skipped case. ``file`` is the
    name of the netlist in messages.
    """
    library, verilog = target.library(), generate(cipher, architecture)
    with private_folder() as folder:
        if netlist is None:
            mapped = map_to_cells(
                verilog.text, verilog.name, library, folder, clock_gating=clock_gating
            )
            netlist = mapped.verilog
        if not re.search(rf"^\s*module\s+{verilog.name}\b", netlist, re.MULTILINE):
            raise InputError(f"netlist must have the module {verilog.name}, which {file} has not")
        words = facts_of(cipher, architecture).words_in(_CYCLES)
        try:
            simulate_as_model(
                cipher, architecture, netlist, library, verilog.name, words, folder, watch=False
            )
        except (MissingToolError, ToolStoppedError):  # They tell nothing of the netlist.
            raise
        except ToolError as error:
            return Record(_CHECK, "simulation", file, architecture, failures=(str(error),))
        proof = prove_equivalence(
            verilog.text, netlist, library, verilog.name, folder, _PROOF_LIMIT_S
        )
    return Record(
        check=_CHECK,
        engine="sat" if proof.holds else "simulation",
        file=file,
        architecture=architecture,
        passed=1,
        skip_reasons={f"no proof: {proof.obstacle}": 1} if proof.obstacle else {},
    )
