# SPDX-License-Identifier: Apache-2.0
"""The power of single cells against sums worked by hand.

The numbers are those of the liberty files: neighbours in a table, and what lies between is on a
straight line. Slews of inputs are those of the library's driving cell at an ideal edge, slews
behind a gate those of its own tables, at the nominal capacitances of the pins. Units are those of
each library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from library_needs import library, needs

from headwater.flow.power import States, power

PERIOD_NS = 10.0
WITHIN = 0.02
JOULES = {"asap7-rvt": 1e-15}
VOLTS = {"osu018": 1.8, "sky130hd": 1.8, "ihp_sg13g2": 1.2, "gf180mcu-5v0": 5.0, "asap7-rvt": 0.7}
Pair = tuple[float, float]
Energy = Callable[[float, float], float]


def between(places: Pair, values: Pair, place: float) -> float:
    return values[0] + (values[1] - values[0]) * (place - places[0]) / (places[1] - places[0])


def line(slews: Pair, energies: Pair) -> Energy:
    return lambda slew, _load: between(slews, energies, slew)


def plane(slews: Pair, loads: Pair, fast: Pair, slow: Pair) -> Energy:
    """``fast`` are the energies at the first slew, at both loads."""
    return lambda slew, load: between(
        slews, (between(loads, fast, load), between(loads, slow, load)), slew
    )


def nothing(_slew: float, _load: float) -> float:
    return 0.0


@dataclass(frozen=True)
class Term:
    """Rises and falls per cycle that cost the energies of one group of a pin."""

    rises: float
    falls: float
    slew: float
    load: float
    rise: Energy
    fall: Energy

    @property
    def energy(self) -> float:
        at = self.slew, self.load
        return self.rises * self.rise(*at) + self.falls * self.fall(*at)


@dataclass(frozen=True)
class Case:
    """A circuit with the toggles of its pins, and what they cost."""

    name: str
    library: str
    ports: str
    cells: str
    toggles: dict[tuple[str, str], float]
    terms: list[Term]
    switched: list[Pair] = field(default_factory=list)
    """Toggles and load of each net that counts."""
    states: States = field(default_factory=dict)
    clock_gates: tuple[tuple[str, str], ...] = ()

    @property
    def netlist(self) -> str:
        inputs, outputs = (part.split() for part in self.ports.split(">"))
        ports = ["clk", *inputs, *outputs]
        sides = [f"input {name};" for name in ["clk", *inputs]]
        sides += [f"output {name};" for name in outputs]
        return "\n".join([f"module top({', '.join(ports)});", *sides, self.cells, "endmodule\n"])


def state(*values: int, rises: int) -> int:
    """A state, from the values of the pins that conditions of the cell read, in order."""
    return sum(value << place for place, value in enumerate((*values, rises)))


def inverters(name: str, cell: str, pins: str, terms: list[Term], loads: Pair) -> Case:
    """Two in a row."""
    i, o = pins.split()
    cells = f"wire m; {cell} one (.{i}(i), .{o}(m)); {cell} two (.{i}(m), .{o}(o));"
    toggles = {("", "i"): 1.0, ("one", o): 1.0, ("two", o): 1.0}
    return Case("inverters", name, "i > o", cells, toggles, terms, [(1.0, load) for load in loads])


INVERTERS = [
    inverters(
        "osu018",
        "INVX1",
        "A Y",
        [
            Term(
                0.5,
                0.5,
                0.0352,
                0.00932456,
                plane((0.06, 0.18), (0.005, 0.0125), (0.023555, 0.023165), (0.029044, 0.028621)),
                plane((0.06, 0.18), (0.005, 0.0125), (0.009213, 0.009047), (0.004772, 0.005677)),
            ),
            Term(
                0.5,
                0.5,
                0.0308,
                4 * 0.00932456,
                plane((0.06, 0.18), (0.025, 0.075), (0.023574, 0.024479), (0.02752, 0.025247)),
                plane((0.06, 0.18), (0.025, 0.075), (0.008669, 0.007879), (0.006332, 0.007243)),
            ),
        ],
        (0.00932456, 4 * 0.00932456),
    ),
    # The wire load "Small" adds 23.2746 times 0.0000142 pF to a net with one load.
    inverters(
        "sky130hd",
        "sky130_fd_sc_hd__inv_1",
        "A Y",
        [
            Term(
                0.5,
                0.5,
                0.0199,
                0.002302 + 0.0003305,
                plane(
                    (0.01, 0.02305058),
                    (0.001335165, 0.003565333),
                    (0.0092285, 0.0130076),
                    (0.0089827, 0.0128048),
                ),
                plane(
                    (0.01, 0.02305058),
                    (0.001335165, 0.003565333),
                    (-0.0032337, -0.0066826),
                    (-0.0034843, -0.0068641),
                ),
            ),
            Term(
                0.5,
                0.5,
                0.0247,
                4 * 0.002302,
                plane(
                    (0.02305058, 0.05313293),
                    (0.003565333, 0.009520618),
                    (0.0128048, 0.0225722),
                    (0.0125411, 0.0222793),
                ),
                plane(
                    (0.02305058, 0.05313293),
                    (0.003565333, 0.009520618),
                    (-0.0068641, -0.0163126),
                    (-0.0071223, -0.0164928),
                ),
            ),
        ],
        (0.002302 + 0.0003305, 4 * 0.002302),
    ),
    # The wire load "1k" adds 9.93 times 0.0002 pF.
    inverters(
        "ihp_sg13g2",
        "sg13g2_inv_1",
        "A Y",
        [
            Term(
                0.5,
                0.5,
                slew,
                load,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00151837, 0.00195253),
                    (0.00151792, 0.00171085),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00154942, 0.00200401),
                    (0.0014285, 0.00175268),
                ),
            )
            for slew, load in ((0.0203, 0.00286745 + 0.001986), (0.025, 4 * 0.00286745))
        ],
        (0.00286745 + 0.001986, 4 * 0.00286745),
    ),
    inverters(
        "gf180mcu-5v0",
        "gf180mcu_fd_sc_mcu7t5v0__inv_1",
        "I ZN",
        [
            Term(
                0.5,
                0.5,
                0.0625,
                0.004736,
                plane(
                    (0.04747, 0.1439), (0.002585, 0.008148), (0.09505, 0.09751), (0.1047, 0.1018)
                ),
                plane(
                    (0.04747, 0.1439),
                    (0.002585, 0.008148),
                    (-0.002107, -0.001041),
                    (0.003869, 0.002783),
                ),
            ),
            Term(
                0.5,
                0.5,
                0.103,
                4 * 0.004736,
                plane((0.04747, 0.1439), (0.01877, 0.03532), (0.09759, 0.09845), (0.1006, 0.09985)),
                plane(
                    (0.04747, 0.1439),
                    (0.01877, 0.03532),
                    (-0.0003941, 0.00007813),
                    (0.002114, 0.001648),
                ),
            ),
        ],
        (0.004736, 4 * 0.004736),
    ),
    inverters(
        "asap7-rvt",
        "INVx1_ASAP7_75t_R",
        "A Y",
        [
            Term(
                0.5,
                0.5,
                5.384,
                0.619928,
                plane((5, 10), (0.72, 1.44), (0.121576, 0.124757), (0.116237, 0.119238)),
                plane((5, 10), (0.72, 1.44), (-0.0231217, -0.0205705), (-0.0264274, -0.0232367)),
            ),
            Term(
                0.5,
                0.5,
                7.114,
                4 * 0.619928,
                plane((5, 10), (1.44, 2.88), (0.124757, 0.126906), (0.119238, 0.120157)),
                plane((5, 10), (1.44, 2.88), (-0.0205705, -0.0189099), (-0.0232367, -0.0204881)),
            ),
        ],
        (0.619928, 4 * 0.619928),
    ),
]


def exclusive_or(name: str, cell: str, out: str, terms: list[Term], load: float) -> Case:
    """A toggles 0.4 times while B is high and 0.2 times while it is low, B 0.1 times while A is
    high and 0.3 times while it is low; of 0.8 toggles of the output these are 0.32, 0.16, 0.08 and
    0.24."""
    states = {
        ("x", "A"): {
            state(0, 1, rises=0): 0.2,
            state(1, 1, rises=1): 0.2,
            state(0, 0, rises=0): 0.1,
            state(1, 0, rises=1): 0.1,
        },
        ("x", "B"): {
            state(1, 0, rises=0): 0.05,
            state(1, 1, rises=1): 0.05,
            state(0, 0, rises=0): 0.15,
            state(0, 1, rises=1): 0.15,
        },
    }
    toggles = {("", "a"): 0.6, ("", "b"): 0.4, ("x", out): 0.8}
    return Case(
        "xor",
        name,
        "a b > o",
        f"{cell} x (.A(a), .B(b), .{out}(o));",
        toggles,
        terms,
        [(0.8, load)],
        states,
    )


GATES = [
    # Without conditions the toggles of the inputs tell the shares: 3 to 1.
    Case(
        "nand",
        "osu018",
        "a b > o",
        "NAND2X1 n (.A(a), .B(b), .Y(o));",
        {("", "a"): 0.6, ("", "b"): 0.2, ("n", "Y"): 0.4},
        [
            Term(
                0.15,
                0.15,
                0.0374,
                0.0373,
                plane((0.06, 0.18), (0.025, 0.075), (0.045658, 0.04651), (0.049805, 0.047725)),
                plane((0.06, 0.18), (0.025, 0.075), (0.009041, 0.008135), (0.007682, 0.007795)),
            ),
            Term(
                0.05,
                0.05,
                0.0377,
                0.0373,
                plane((0.06, 0.18), (0.025, 0.075), (0.034205, 0.036401), (0.038195, 0.036373)),
                plane((0.06, 0.18), (0.025, 0.075), (0.008958, 0.008019), (0.006344, 0.007148)),
            ),
        ],
        [(0.4, 0.0373)],
    ),
    # A1 costs by itself only while A2 is low, and only while A2 is high the output follows it.
    Case(
        "nand",
        "gf180mcu-5v0",
        "a b > o",
        "gf180mcu_fd_sc_mcu7t5v0__nand2_1 n (.A1(a), .A2(b), .ZN(o));",
        {("", "a"): 0.8, ("", "b"): 0.8, ("n", "ZN"): 0.5},
        [
            Term(
                0.3,
                0.2,
                0.0627,
                0,
                line((0.04747, 0.1439), (-0.02616, -0.02616)),
                line((0.04747, 0.1439), (0.04155, 0.0413)),
            ),
            Term(
                0.1,
                0.4,
                0.0618,
                0,
                line((0.04747, 0.1439), (-0.03671, -0.03658)),
                line((0.04747, 0.1439), (0.03858, 0.0373)),
            ),
            Term(
                0.125,
                0.125,
                0.0627,
                0.018944,
                plane((0.04747, 0.1439), (0.01738, 0.03263), (0.1107, 0.1132), (0.1121, 0.1139)),
                plane(
                    (0.04747, 0.1439),
                    (0.01738, 0.03263),
                    (0.003619, 0.003979),
                    (0.004939, 0.004849),
                ),
            ),
            Term(
                0.125,
                0.125,
                0.0618,
                0.018944,
                plane((0.04747, 0.1439), (0.01738, 0.03263), (0.144, 0.146), (0.147, 0.146)),
                plane(
                    (0.04747, 0.1439),
                    (0.01738, 0.03263),
                    (0.003279, 0.003779),
                    (0.003611, 0.003906),
                ),
            ),
        ],
        [(0.5, 0.018944)],
        {
            ("n", "A1"): {
                state(1, 0, rises=1): 0.3,
                state(0, 0, rises=0): 0.2,
                state(1, 1, rises=1): 0.1,
                state(0, 1, rises=0): 0.2,
            },
            ("n", "A2"): {
                state(0, 1, rises=1): 0.1,
                state(0, 0, rises=0): 0.4,
                state(1, 1, rises=1): 0.2,
                state(1, 0, rises=0): 0.1,
            },
        },
    ),
    exclusive_or(
        "ihp_sg13g2",
        "sg13g2_xor2_1",
        "X",
        [
            Term(
                0.16,
                0.16,
                0.0227,
                0.01147,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00522974, 0.00527837),
                    (0.00508137, 0.00518086),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00490344, 0.00490922),
                    (0.00456532, 0.00473439),
                ),
            ),
            Term(
                0.08,
                0.08,
                0.0227,
                0.01147,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00692367, 0.00732282),
                    (0.00664174, 0.00697337),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00844926, 0.00870799),
                    (0.00823413, 0.00861515),
                ),
            ),
            Term(
                0.04,
                0.04,
                0.0222,
                0.01147,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00415874, 0.00444172),
                    (0.0039204, 0.00425678),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00397024, 0.00404989),
                    (0.00371885, 0.00393211),
                ),
            ),
            Term(
                0.12,
                0.12,
                0.0222,
                0.01147,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00742155, 0.00698425),
                    (0.00669373, 0.00663575),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00776995, 0.00771546),
                    (0.00751818, 0.00765531),
                ),
            ),
        ],
        0.01147,
    ),
    exclusive_or(
        "asap7-rvt",
        "XOR2xp5_ASAP7_75t_R",
        "Y",
        [
            Term(
                0.16,
                0.16,
                5.85,
                2.4797,
                plane((5, 10), (1.44, 2.88), (0.248855, 0.249482), (0.247915, 0.248388)),
                plane((5, 10), (1.44, 2.88), (-0.0519821, -0.0517092), (-0.0535082, -0.0530831)),
            ),
            Term(
                0.08,
                0.08,
                5.85,
                2.4797,
                plane((5, 10), (1.44, 2.88), (0.105592, 0.109182), (0.10201, 0.105715)),
                plane((5, 10), (1.44, 2.88), (0.323946, 0.325243), (0.320735, 0.322503)),
            ),
            Term(
                0.04,
                0.04,
                5.85,
                2.4797,
                plane((5, 10), (1.44, 2.88), (0.197369, 0.198933), (0.194952, 0.19738)),
                plane((5, 10), (1.44, 2.88), (-0.0228629, -0.0222178), (-0.0242023, -0.0230433)),
            ),
            Term(
                0.12,
                0.12,
                5.85,
                2.4797,
                plane((5, 10), (1.44, 2.88), (0.124351, 0.119756), (0.117248, 0.114354)),
                plane((5, 10), (1.44, 2.88), (0.300296, 0.299541), (0.295718, 0.294415)),
            ),
        ],
        2.4797,
    ),
]


@dataclass(frozen=True)
class FlipFlop:
    """The energies of a flip-flop. Its data change while the clock is high."""

    library: str
    cell: str
    out: str
    load: float
    data_slew: float
    clock: dict[str, tuple[Energy, Energy]]
    """While it holds 0 ("still"), takes a 1 ("up") and takes a 0 ("down")."""
    data: tuple[Energy, Energy]
    output: tuple[Energy, Energy]
    held: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The values of what conditions read in these states, at a rise and with the clock at 0; the
    clock is the first of them. Empty without conditions."""
    tied: str = ""

    def instance(self, clock: str) -> str:
        return f"{self.cell} f (.CLK({clock}), .D(d), .{self.out}(q){self.tied});"

    def clock_states(self, parts: dict[str, float]) -> States:
        if not self.held:
            return {}
        found: dict[int, float] = {}
        for name, part in parts.items():
            _, *others = self.held[name]
            found[state(0, *others, rises=1)] = found[state(1, *others, rises=0)] = part
        return {("f", "CLK"): found}

    def clock_terms(self, parts: dict[str, float]) -> list[Term]:
        return [Term(part, part, 0, 0, *self.clock[name]) for name, part in parts.items()]

    def still(self) -> Case:
        parts = {"still": 1.0}
        return Case(
            "still flip-flop",
            self.library,
            "d > q",
            self.instance("clk"),
            {},
            self.clock_terms(parts),
            [],
            self.clock_states(parts),
        )

    def busy(self) -> Case:
        parts = {"up": 0.5, "down": 0.5}
        terms = [
            *self.clock_terms(parts),
            Term(0.5, 0.5, self.data_slew, 0, *self.data),
            Term(0.5, 0.5, 0, self.load, *self.output),
        ]
        states = dict(self.clock_states(parts))
        if self.held:
            _, *high = self.held["up"]
            _, *low = self.held["down"]
            states["f", "D"] = {state(1, *high, rises=1): 0.5, state(1, *low, rises=0): 0.5}
        return Case(
            "busy flip-flop",
            self.library,
            "d > q",
            self.instance("clk"),
            {("", "d"): 1.0, ("f", self.out): 1.0},
            terms,
            [(1.0, self.load)],
            states,
        )


def always(rise: Energy, fall: Energy) -> dict[str, tuple[Energy, Energy]]:
    return dict.fromkeys(("still", "up", "down"), (rise, fall))


OSU_FLIP_FLOP = FlipFlop(
    "osu018",
    "DFFPOSX1",
    "Q",
    0.0373,
    0.0349,
    always(line((0.06, 0.24), (0.006865, 0.006943)), line((0.06, 0.24), (0.11034, 0.129769))),
    (line((0.06, 0.18), (0.045424, 0.045977)), line((0.06, 0.18), (0.08841, 0.087952))),
    (
        plane((0.06, 0.24), (0.025, 0.075), (0.04099, 0.043452), (0.061849, 0.061538)),
        plane((0.06, 0.24), (0.025, 0.075), (0.060938, 0.062326), (0.076343, 0.075376)),
    ),
)
SKY_FLIP_FLOP = FlipFlop(
    "sky130hd",
    "sky130_fd_sc_hd__dfxtp_1",
    "Q",
    0.009208,
    0.0192,
    always(
        line((0.01, 0.0230506), (0.0178184, 0.0176956)),
        line((0.01, 0.0230506), (0.0227158, 0.0226016)),
    ),
    (
        line((0.01, 0.0230506), (-0.0004267, -0.0004952)),
        line((0.01, 0.0230506), (0.0054714, 0.0054188)),
    ),
    (
        plane(
            (0.01, 0.02305058),
            (0.009001619, 0.02359233),
            (0.0327475, 0.0562523),
            (0.0326502, 0.055973),
        ),
        plane(
            (0.01, 0.02305058),
            (0.009001619, 0.02359233),
            (0.0068343, -0.016624),
            (0.0068509, -0.0165979),
        ),
    ),
)
ASAP_FLIP_FLOP = FlipFlop(
    "asap7-rvt",
    "DFFHQNx1_ASAP7_75t_R",
    "QN",
    2.4797,
    5.305,
    {
        "still": (line((5, 10), (0.243863, 0.240689)), line((5, 10), (0.362572, 0.358826))),
        "up": (nothing, line((5, 10), (0.497838, 0.491853))),
        "down": (nothing, line((5, 10), (0.573837, 0.570405))),
    },
    (line((5, 10), (-0.0393052, -0.0402949)), line((5, 10), (0.0450924, 0.0451066))),
    (
        plane((5, 10), (1.44, 2.88), (0.510485, 0.51285), (0.507167, 0.509575)),
        plane((5, 10), (1.44, 2.88), (0.486564, 0.489337), (0.483766, 0.486624)),
    ),
    # CLK, D and QN.
    {"still": (0, 0, 1), "up": (0, 1, 1), "down": (0, 0, 0)},
)
IHP_FLIP_FLOP = FlipFlop(
    "ihp_sg13g2",
    "sg13g2_dfrbpq_1",
    "Q",
    0.01147,
    0.0191,
    {
        "still": (
            line((0.0186, 0.0966), (0.0108139, 0.0104442)),
            line((0.0186, 0.0966), (0.0106987, 0.0103653)),
        ),
        "up": (nothing, line((0.0186, 0.0966), (0.0206859, 0.020313))),
        "down": (nothing, line((0.0186, 0.0966), (0.0350779, 0.0353329))),
    },
    (
        line((0.0186, 0.0966), (0.00152046, 0.00142316)),
        line((0.0186, 0.0966), (0.00114937, 0.00106175)),
    ),
    (
        plane((0.0186, 0.0966), (0.001, 0.0234), (0.0251131, 0.0254725), (0.0246342, 0.0251174)),
        plane((0.0186, 0.0966), (0.001, 0.0234), (0.0259578, 0.0263787), (0.0256334, 0.0261136)),
    ),
    # CLK, D, Q and RESET_B.
    {"still": (0, 0, 0, 1), "up": (0, 1, 0, 1), "down": (0, 0, 1, 1)},
    ", .RESET_B(1'b1)",
)
FLIP_FLOPS = [
    OSU_FLIP_FLOP,
    SKY_FLIP_FLOP,
    ASAP_FLIP_FLOP,
    IHP_FLIP_FLOP,
    FlipFlop(
        "gf180mcu-5v0",
        "gf180mcu_fd_sc_mcu7t5v0__dffq_1",
        "Q",
        0.018944,
        0.0548,
        {
            "still": (
                line((0.02, 0.04747), (0.2146, 0.2141)),
                line((0.02, 0.04747), (0.2837, 0.2832)),
            ),
            "up": (line((0.02, 0.04747), (0.214, 0.2137)), line((0.02, 0.04747), (0.2878, 0.2874))),
            "down": (
                line((0.02, 0.04747), (0.2146, 0.2141)),
                line((0.02, 0.04747), (0.2837, 0.2832)),
            ),
        },
        (
            line((0.04747, 0.1439), (-0.006701, -0.006688)),
            line((0.04747, 0.1439), (0.009646, 0.009643)),
        ),
        (
            plane((0.02, 0.04747), (0.008422, 0.01945), (0.2744, 0.2697), (0.2748, 0.2697)),
            plane((0.02, 0.04747), (0.008422, 0.01945), (0.266, 0.2626), (0.2663, 0.2629)),
        ),
        # CLK and D.
        {"still": (0, 0), "up": (0, 1), "down": (0, 0)},
    ),
]


def gated(
    flip_flop: FlipFlop,
    gate: str,
    toggles: dict[tuple[str, str], float],
    terms: list[Term],
    *,
    is_open: bool,
    switched: list[Pair] | None = None,
    states: States | None = None,
) -> Case:
    """A flip-flop that holds 0 behind a clock gate."""
    cells = f"wire g, low, o; {gate} {flip_flop.instance('g')}"
    parts = {"still": float(is_open)}
    *_, out = toggles
    behind = flip_flop.clock_states(parts) if is_open else {}
    return Case(
        "open clock gate" if is_open else "closed clock gate",
        flip_flop.library,
        "ce d > q",
        cells,
        {**toggles, out: 2.0 * is_open},
        [*terms, *flip_flop.clock_terms(parts)],
        switched or [],
        {**(states or {}), **behind},
        (out,),
    )


def osu_gate(*, is_open: bool) -> Case:
    """The latch is open while the clock is low. Its clock net is a net of the gate, and counts."""
    gate = (
        "INVX1 i (.A(clk), .Y(low)); LATCH l (.D(ce), .CLK(low), .Q(o)); "
        "AND2X1 a (.A(clk), .B(o), .Y(g));"
    )
    passed = float(is_open)
    return gated(
        OSU_FLIP_FLOP,
        gate,
        {("i", "Y"): 2.0, ("a", "Y"): 2.0},
        [
            Term(
                1,
                1,
                0,
                0.0222524,
                plane((0.06, 0.18), (0.0125, 0.025), (0.023165, 0.023574), (0.028621, 0.02752)),
                plane((0.06, 0.18), (0.0125, 0.025), (0.009047, 0.008669), (0.005677, 0.006332)),
            ),
            Term(
                1,
                1,
                0.0467,
                0,
                line((0.06, 0.24), (0.010031, 0.006536)),
                line((0.06, 0.24), (0.060818, 0.076387)),
            ),
            Term(
                passed,
                passed,
                0,
                0,
                plane((0.06, 0.18), (0.005, 0.0125), (0.012351, 0.013339), (0.01753, 0.017698)),
                plane((0.06, 0.18), (0.005, 0.0125), (0.051843, 0.053948), (0.061484, 0.063015)),
            ),
        ],
        is_open=is_open,
        switched=[(2.0, 0.0222524)],
    )


def sky_gate(*, is_open: bool) -> Case:
    gate = "sky130_fd_sc_hd__dlclkp_1 a (.CLK(clk), .GATE(ce), .GCLK(g));"
    passed = float(is_open)
    return gated(
        SKY_FLIP_FLOP,
        gate,
        {("a", "GCLK"): 2.0},
        [
            Term(
                1,
                1,
                0,
                0,
                line((0.01, 0.0230506), (0.0063223, 0.0062238)),
                line((0.01, 0.0230506), (0.0200236, 0.0199046)),
            ),
            Term(
                passed,
                passed,
                0,
                0,
                plane(
                    (0.01, 0.02305058),
                    (0.0005, 0.00129781),
                    (0.0120474, 0.0135513),
                    (0.0119327, 0.0134393),
                ),
                plane(
                    (0.01, 0.02305058),
                    (0.0005, 0.00129781),
                    (0.0067229, 0.0058168),
                    (0.0067649, 0.005843),
                ),
            ),
        ],
        is_open=is_open,
    )


def ihp_gate(*, is_open: bool) -> Case:
    gate = "sg13g2_lgcp_1 a (.CLK(clk), .GATE(ce), .GCLK(g));"
    passed = float(is_open)
    return gated(
        IHP_FLIP_FLOP,
        gate,
        {("a", "GCLK"): 2.0},
        [
            Term(
                1,
                1,
                0,
                0,
                line((0.0186, 0.0966), (0.00729835, 0.00702468)),
                line((0.0186, 0.0966), (0.008779, 0.00843733)),
            ),
            Term(
                passed,
                passed,
                0,
                0,
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.00866545, 0.00909355),
                    (0.00840442, 0.00880432),
                ),
                plane(
                    (0.0186, 0.0966),
                    (0.001, 0.0234),
                    (0.0051701, 0.005668),
                    (0.00504157, 0.00546297),
                ),
            ),
        ],
        is_open=is_open,
    )


def asap_gate(*, is_open: bool) -> Case:
    """Conditions read CLK, ENA, GCLK and SE. An open gate's clock rises while GCLK is low, which
    costs nothing by itself, and falls while it is high, for which there is no group."""
    gate = "ICGx1_ASAP7_75t_R a (.CLK(clk), .ENA(ce), .SE(1'b0), .GCLK(g));"
    passed, stopped = float(is_open), float(not is_open)
    states = {
        ("a", "CLK"): {
            state(0, is_open, 0, 0, rises=1): 1.0,
            state(1, is_open, is_open, 0, rises=0): 1.0,
        }
    }
    return gated(
        ASAP_FLIP_FLOP,
        gate,
        {("a", "GCLK"): 2.0},
        [
            Term(
                stopped,
                stopped,
                0,
                0,
                line((5, 10), (-0.139346, -0.143751)),
                line((5, 10), (0.319078, 0.315551)),
            ),
            Term(
                passed,
                passed,
                0,
                0,
                nothing,
                plane((5, 10), (0.72, 1.44), (0.556922, 0.560424), (0.541743, 0.545728)),
            ),
        ],
        is_open=is_open,
        states=states,
    )


CASES = [
    *INVERTERS,
    *GATES,
    *(flip_flop.still() for flip_flop in FLIP_FLOPS),
    *(flip_flop.busy() for flip_flop in FLIP_FLOPS),
    *(
        gate(is_open=is_open)
        for gate in (osu_gate, sky_gate, ihp_gate, asap_gate)
        for is_open in (True, False)
    ),
]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.library}: {case.name}", marks=needs(case.library))
        for case in CASES
    ],
)
def test_power_is_as_worked_by_hand(case: Case, folder: Path) -> None:
    found = power(
        case.netlist,
        library(case.library),
        "top",
        case.toggles,
        PERIOD_NS,
        folder,
        states=case.states,
        clock_gates=case.clock_gates,
    )
    each = JOULES.get(case.library, 1e-12) / (PERIOD_NS * 1e-9)
    internal = sum(term.energy for term in case.terms)
    assert found.internal == pytest.approx(each * internal, rel=WITHIN)
    switching = sum(rate * load for rate, load in case.switched) * VOLTS[case.library] ** 2 / 2
    assert found.switching == pytest.approx(each * switching, rel=WITHIN, abs=0)
