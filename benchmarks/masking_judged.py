# SPDX-License-Identifier: Apache-2.0
"""What does another checker say of our cores in shares, and of mutants of them?

    python benchmarks/masking_judged.py FOLDER [--python PYTHON] [CIPHER[:RADIX] ..]

FOLDER is a checkout of CocoAlma (see `cocoalma.py`), PYTHON an interpreter that has what it needs:
python-sat and networkx. Each core is judged as RTL and in cells of osu018, as it is and with random
bits that are stuck or serve twice. CocoAlma follows a few cycles; our checker looks at every one by
induction, so it also refuses a core whose next state is no uniform sharing, which leaks later if at
all.

CocoAlma follows gates by a rule that can lose a mask: two first rows show it, with one circuit of
one and of four gates. So `leaks` of cells whose RTL it calls secure may be of the rule.
docs/masking-judged.txt keeps what is printed. The exit status is 1 if it gives no verdict, or calls
RTL leaking that is secure for us, or secure what leaks for us.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from cocoalma import Circuit, Judge

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.folders import private_folder
from headwater.kinds.masking import leakage_spec, masked_architecture
from headwater.kinds.registry import facts_of
from headwater.leakage.netlist import read_netlist
from headwater.leakage.spec import Spec
from headwater.leakage.verdict import INSECURE, SECURE, verdict_of
from headwater.measure import target
from headwater.measure.masked import mapped_text

CORES = (
    "trivium:1",
    "trivium:8",
    "trivium:32",
    "bivium:1",
    "bivium:12",
    "grain_v1:1",
    "grain128a:1",
)
CELLS = "osu018"
COLUMNS = ("cipher", "radix", "netlist", "change", "ours", "theirs", "s", "where theirs leaks")
SpecOf = Callable[[Collection[str]], Spec]
"""What the signals of a circuit are, by the names of all wires."""
_WIDTHS = (12, 7, 9, 22, 13, 11, 6, 0)
_MASKED_BIT = """module masked_bit (
  input clk, rst, load_valid, keystream_ready, fresh,
  output load_ready, keystream_payload
);
  reg x_share0, x_share1, masked;
  assign load_ready = 1'b0;
  assign keystream_payload = masked ^ x_share1;
  always @(posedge clk) begin
    x_share0 <= x_share0 & ~rst;
    x_share1 <= x_share1 & ~rst;
    masked <= {sum};
  end
endmodule
"""
"""A share of a bit with a mask, to which the other share is added: nothing that depends on the
bit."""
_SUMS = {
    "sum of one gate": "x_share0 ^ fresh",
    "sum of AND, OR": "(x_share0 & ~fresh) | (~x_share0 & fresh)",
}


def _circuit(cipher: Cipher, architecture: Architecture, *, in_cells: bool) -> tuple[Circuit, str]:
    """A core in shares, and its Verilog."""
    cells: Any = target.find(CELLS)
    generated = generate(cipher, architecture)
    text = mapped_text(cipher, architecture, cells) if in_cells else generated.text
    delay = facts_of(cipher, architecture).setup_cycles + 8
    return Circuit(generated.name, cells.liberty if in_cells else None, delay), text


def _changes(count: int) -> Iterator[tuple[str, str, str]]:
    """Of so many random bits some that are stuck or serve twice: the change in words, and what
    stands for what."""
    yield "none", "", ""
    for bit in range(min(count, 2)):
        yield f"fresh[{bit}] is 0", f"fresh[{bit}]", "1'b0"
    if count > 1:
        yield "fresh[1] is fresh[0]", "fresh[1]", "fresh[0]"


def main() -> int:
    """Print a row for each netlist."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("cores", nargs="*", default=CORES)
    args = parser.parse_intermixed_args()
    if not (args.folder / "verify.py").is_file():
        parser.error(f"FOLDER must be a checkout of CocoAlma, with verify.py, not {args.folder}")
    judge = Judge(args.folder.resolve(), args.python)
    print(_row(COLUMNS))
    agree = True
    for row in chain(_calibration(judge), _rows(args.cores, judge)):
        agree &= _is_explained(*row[2:6])
        print(_row(row), flush=True)
    return int(not agree)


def _is_explained(netlist: str, _change: str, ours: str, theirs: str) -> bool:
    """Whether both say the same, or theirs that what is not RTL leaks."""
    if theirs not in (SECURE, INSECURE):
        return False
    return theirs == INSECURE if ours == INSECURE else theirs == SECURE or netlist != "RTL"


def _rows(cores: list[str], judge: Judge) -> Iterator[tuple[str, ...]]:
    for word in cores:
        name, _, radix = word.partition(":")
        cipher = find(name)
        architecture = masked_architecture(cipher, "first", radix=int(radix or 1))
        facts: Any = facts_of(cipher, architecture)
        for in_cells in (False, True):
            circuit, text = _circuit(cipher, architecture, in_cells=in_cells)
            where = CELLS if in_cells else "RTL"
            for change, old, new in _changes(facts.fresh_bits):
                changed = text.replace(old, new) if old else text
                row = _judged(circuit, changed, partial(leakage_spec, cipher, architecture), judge)
                yield name, str(architecture.radix), where, change, *row


def _calibration(judge: Judge) -> Iterator[tuple[str, ...]]:
    spec = Spec(
        top=None,
        shares={"x": ["x_share0", "x_share1"]},
        random=["fresh"],
        public=["load_valid", "keystream_ready"],
        constant={"rst": 0},
    )
    circuit = Circuit("masked_bit", None, delay=2)
    for change, form in _SUMS.items():
        row = _judged(circuit, _MASKED_BIT.replace("{sum}", form), lambda _: spec, judge)
        yield circuit.top, "-", "gates", change, *row


def _judged(circuit: Circuit, text: str, spec_of: SpecOf, judge: Judge) -> tuple[str, ...]:
    with private_folder() as folder:
        work = Path(folder)
        (work / "core.v").write_text(text)
        netlist = read_netlist([work / "core.v"], circuit.top, circuit.liberty)
        spec = spec_of(netlist.wires)
        ours = verdict_of(netlist, spec).verdict
        begin = time.monotonic()
        theirs, where = judge.verdict(circuit, spec, work)
        return ours, theirs, f"{time.monotonic() - begin:.0f}", where


def _row(cells: tuple[str, ...]) -> str:
    return "".join(text.ljust(width) for text, width in zip(cells, _WIDTHS, strict=True)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
