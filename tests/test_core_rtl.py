# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog in simulation: vectors at every radix, and control in every phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import pytest

from headwater.algebra.bitstring import from_bytes
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog, generate
from headwater.errors import ToolError
from headwater.flow.verilator import simulate
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.model import Model
from headwater.kinds.stepped.timeline import Timeline
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import VectorFile, own_files, read_file

RADICES = [
    *range(1, 17), 18, 24, 31, 32, 33, 36, 48, 63, 64, 65, 66, 67, 96, 100, 128, 200, 288, 320,
    1024,
]  # fmt: skip
"""Narrow ones, and those around where steps begin to depend on each other or words end."""
OTHER_LOAD_WIDTHS = [
    (1, 7), (1, 160), (3, 1), (8, 7), (16, 100), (33, 80), (64, 1), (64, 159), (100, 160), (288, 7),
]  # fmt: skip
OPTIONS = [
    {"stall": stall, "clear": clear}
    for stall, clear in product(("stream", "none"), ("shift", "instant", "none"))
]

WHOLE_SET_FROM_RADIX = 8
"""Below, segments far out in the keystream take too many cycles: those in its first part run."""

FIRST_PART = 4096

VECTORS = read_file(own_files(TRIVIUM)[0], TRIVIUM)


@dataclass(frozen=True)
class Secret:
    """A key and an IV, and the keystream they give."""

    key: bytes
    iv: bytes
    keystream: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        stream = Model(TRIVIUM, key=self.key, iv=self.iv).read(16384)
        object.__setattr__(self, "keystream", from_bytes(stream, TRIVIUM.bit_order))


ONE = Secret(bytes.fromhex("0123456789abcdef1357"), bytes.fromhex("fedcba98765432102468"))
OTHER = Secret(bytes.fromhex("fedcba98765432100f1e"), bytes.fromhex("2d3c4b5a69788796a5b4"))


def blank_cycles(architecture: Architecture) -> int:
    """Those of 1152 blank steps, and one more where a core keeps surplus output bits."""
    keeps = Timeline(TRIVIUM, architecture).surplus_bits > 0
    return 1152 // architecture.radix + keeps


class Core:
    """One core, and the commands of the harness that drive it."""

    def __init__(self, radix: int, load_width: int, stall: str, clear: str) -> None:
        self.architecture = Architecture.choose(
            TRIVIUM,
            radix=radix,
            load_width=load_width,
            options={"stall": stall, "clear": clear},
        )
        self.load_cycles = -(-160 // load_width)
        self.blank_cycles = blank_cycles(self.architecture)
        self.setup_cycles = self.load_cycles + self.blank_cycles

    def load(self, secret: Secret, words: slice = slice(None)) -> str:
        """The command that offers the load words of a key and IV, or some of them."""
        whole = SteppedFacts(TRIVIUM, self.architecture).load_words(secret.key, secret.iv)
        return "load " + " ".join(f"{word:x}" for word in whole[words])

    def run(self, *commands: str) -> list[str]:
        """What the core gives; power-up values are random, so a reset comes first."""
        return simulate(generate(TRIVIUM, self.architecture), ["reset 2", *commands])

    def take(self, *commands: str) -> list[int]:
        """The same as words."""
        return [int(word, 16) for word in self.run(*commands)]

    def words(self, secret: Secret, count: int, first: int = 0) -> list[int]:
        """Keystream words as they must be."""
        radix = self.architecture.radix
        mask = (1 << radix) - 1
        return [secret.keystream >> radix * word & mask for word in range(first, first + count)]


def name(value: object) -> str | None:
    return "-".join(value.values()) if isinstance(value, dict) else None


def some_vectors(radix: int) -> VectorFile:
    if radix >= WHOLE_SET_FROM_RADIX:
        return VECTORS
    near = tuple(vector for vector in VECTORS.vectors if vector.offset < FIRST_PART)
    return replace(VECTORS, vectors=near)


def check(architecture: Architecture, **gaps: int) -> RtlEngine:
    """All vectors, one load after the other, each ending the keystream before it."""
    engine = RtlEngine(TRIVIUM, architecture, **gaps)
    vectors = some_vectors(architecture.radix)
    record = check_vectors(vectors, engine, architecture)
    assert record.failures == ()
    assert record.passed == len(vectors.vectors)
    return engine


def check_setup(engine: RtlEngine, architecture: Architecture) -> None:
    cycles = -(-160 // architecture.load_width) + blank_cycles(architecture)
    assert engine.setup_cycles(ONE.key, ONE.iv) == cycles


def test_vectors_are_many_even_where_not_all_run() -> None:
    assert len(some_vectors(8).vectors) == 1027
    assert len(some_vectors(1).vectors) == 955


@pytest.mark.parametrize("radix", RADICES)
def test_vectors_and_setup_at_every_radix(radix: int) -> None:
    architecture = Architecture.choose(TRIVIUM, radix=radix)
    check_setup(check(architecture), architecture)


@pytest.mark.parametrize(("radix", "load_width"), OTHER_LOAD_WIDTHS)
def test_vectors_and_setup_at_other_load_widths(radix: int, load_width: int) -> None:
    architecture = Architecture.choose(TRIVIUM, radix=radix, load_width=load_width)
    check_setup(check(architecture), architecture)


@pytest.mark.parametrize("options", OPTIONS, ids=name)
@pytest.mark.parametrize(("radix", "load_width"), [(8, 7), (64, 64), (100, 160)])
def test_vectors_and_setup_with_every_option(
    radix: int, load_width: int, options: dict[str, str]
) -> None:
    architecture = Architecture.choose(TRIVIUM, radix=radix, load_width=load_width, options=options)
    check_setup(check(architecture), architecture)


@pytest.mark.parametrize(("permille", "seed"), [(100, 1), (500, 2), (900, 3)])
@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
@pytest.mark.parametrize(("radix", "load_width"), [(8, 7), (64, 64), (100, 160)])
def test_back_pressure_and_gaps_in_the_load(
    radix: int, load_width: int, clear: str, permille: int, seed: int
) -> None:
    core = Core(radix, load_width, "stream", clear)
    gaps = f"gaps {seed} {permille}"
    given = core.take(gaps, core.load(ONE), "take 40", core.load(OTHER), "skip 20", "take 20")
    assert given == core.words(ONE, 40) + core.words(OTHER, 20, first=20)


@pytest.mark.parametrize("radix", [1, 2, 33, 66, 67, 288])
def test_back_pressure_at_more_radices(radix: int) -> None:
    core = Core(radix, min(radix, 160), "stream", "shift")
    given = core.take("gaps 7 400", core.load(ONE), "take 50", core.load(OTHER), "take 50")
    assert given == core.words(ONE, 50) + core.words(OTHER, 50)


def test_vectors_under_back_pressure() -> None:
    check(Architecture.choose(TRIVIUM, radix=64), gaps_permille=300, seed=5)


# --- control: few words per load, many, and one; with every option

CORES = [(8, 7), (64, 64), (100, 160)]
EVERY_CORE = pytest.mark.parametrize(
    "core",
    [
        pytest.param(Core(*widths, **options), id=f"{widths[0]}-{widths[1]}-{name(options)}")
        for widths, options in product(CORES, OPTIONS)
    ],
)


def moments(core: Core) -> Sequence[int]:
    """Cycles after the last load word: around the start, the end and the middle of the setup, and
    well into the keystream."""
    blank = core.blank_cycles
    return 0, 1, 2, blank // 2, blank - 2, blank - 1, blank, blank + 1, blank + 2, blank + 17


@EVERY_CORE
def test_new_load_at_any_moment(core: Core) -> None:
    for moment in moments(core):
        *words, setup = core.run(
            core.load(ONE), f"idle {moment}", core.load(OTHER), "take 3", "setup"
        )
        assert [int(word, 16) for word in words] == core.words(OTHER, 3)
        assert int(setup) == core.setup_cycles


@EVERY_CORE
def test_new_load_after_taken_words(core: Core) -> None:
    commands, expected = [], []
    for count in (1, 2, 30):
        commands += [core.load(ONE), f"take {count}", core.load(OTHER), "take 2"]
        expected += core.words(ONE, count) + core.words(OTHER, 2)
    assert core.take(*commands) == expected


def interruptions(core: Core) -> list[str]:
    """Ways to end what the core does, apart from a new load."""
    return ["reset 1", "reset 3"] + ["clear"] * (core.architecture.clear != "none")


@EVERY_CORE
def test_reset_and_clear_in_setup_and_in_keystream(core: Core) -> None:
    commands, expected = [], []
    for interruption, moment in product(interruptions(core), moments(core)):
        # Idle for longer than a setup: the harness sees to it that nothing is offered.
        commands += [
            core.load(ONE),
            f"idle {moment}",
            interruption,
            f"idle {core.setup_cycles + 5}",
        ]
        commands += [core.load(OTHER), "take 3"]
        expected += core.words(OTHER, 3)
    assert core.take(*commands) == expected


@EVERY_CORE
def test_reset_and_clear_while_words_are_taken(core: Core) -> None:
    commands, expected = [], []
    for interruption, count in product(interruptions(core), (1, 2, 30)):
        commands += [core.load(ONE), f"take {count}", interruption, core.load(OTHER), "take 3"]
        expected += core.words(ONE, count) + core.words(OTHER, 3)
    assert core.take(*commands) == expected


@EVERY_CORE
def test_reset_and_clear_in_mid_load(core: Core) -> None:
    commands, expected = [], []
    for interruption, count in product(interruptions(core), range(1, core.load_cycles)):
        commands += [core.load(ONE, slice(count)), interruption, core.load(OTHER), "take 2"]
        expected += core.words(OTHER, 2)
    assert core.take(*commands) == expected


@EVERY_CORE
def test_load_at_once_after_reset_and_clear(core: Core) -> None:
    for interruption in interruptions(core):
        given = core.run(
            core.load(ONE), "take 5", interruption, core.load(OTHER), "take 1", "setup"
        )
        assert int(given[-1]) == core.setup_cycles


@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
@pytest.mark.parametrize(("radix", "load_width"), [(8, 7), (64, 64)])
def test_gap_in_the_load_of_a_free_running_core_begins_it_again(
    radix: int, load_width: int, clear: str
) -> None:
    core = Core(radix, load_width, "none", clear)
    for taken, gap in product(range(1, core.load_cycles), (1, 2, 5)):
        given = core.run(
            core.load(ONE, slice(taken)), f"idle {gap}", core.load(OTHER), "take 3", "setup"
        )
        assert [int(word, 16) for word in given[:-1]] == core.words(OTHER, 3)
        assert int(given[-1]) == core.setup_cycles


@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
@pytest.mark.parametrize(("radix", "load_width"), [(8, 7), (64, 64)])
def test_gap_in_the_load_of_a_waiting_core_changes_nothing(
    radix: int, load_width: int, clear: str
) -> None:
    core = Core(radix, load_width, "stream", clear)
    for taken, gap in product(range(1, core.load_cycles), (1, 2, 200)):
        given = core.take(
            core.load(ONE, slice(taken)),
            f"idle {gap}",
            core.load(ONE, slice(taken, None)),
            "take 3",
        )
        assert given == core.words(ONE, 3)


@EVERY_CORE
def test_keystream_waits_for_its_reader_or_runs_free(core: Core) -> None:
    waited = 37
    after_setup = core.blank_cycles + waited
    given = core.take(core.load(ONE), f"idle {after_setup}", "take 4", "idle 9", "take 4")
    if core.architecture.stall == "stream":
        assert given == core.words(ONE, 8)
    else:
        assert given == core.words(ONE, 4, waited) + core.words(ONE, 4, waited + 4 + 9)


@EVERY_CORE
def test_loads_follow_each_other_without_reset(core: Core) -> None:
    commands = [core.load(ONE), core.load(OTHER), core.load(ONE), "take 6"]
    assert core.take(*commands) == core.words(ONE, 6)


@EVERY_CORE
def test_no_clear_no_pin(core: Core) -> None:
    if core.architecture.clear == "none":
        with pytest.raises(ToolError, match=r"^harness failed with exit status 1:\n"
                                            r"cycle 2: this core has no clear$"):  # fmt: skip
            core.run("clear")
    else:
        assert core.run("clear") == []


# --- the harness finds out a core that breaks its promises

BROKEN = [
    pytest.param(
        "running <= 1'b0;",
        "running <= 1'b1;",
        [],
        "a word was offered before a load",
        id="too-early",
    ),
    pytest.param(
        "(step | keystream_ready)",
        "(step | 1'b1)",
        ["gaps 3 500"],
        "a word was withdrawn before it was taken",
        id="does-not-hold",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "before", "message"), BROKEN)
def test_harness_refuses_broken_core(
    right: str, wrong: str, before: list[str], message: str
) -> None:
    core = Core(64, 64, "stream", "shift")
    made = generate(TRIVIUM, core.architecture)
    assert made.text.count(right) == 1
    commands = ["reset 2", *before, core.load(ONE), "take 20"]
    failed = r"harness failed with exit status 1"
    with pytest.raises(ToolError, match=rf"^{failed}:\n(.*\n)*cycle \d+: {message}$"):
        simulate(replace(made, text=made.text.replace(right, wrong)), commands)


UNSET = """\
module unset (
  input clk, input rst, input load_payload, input load_valid, output load_ready,
  output [63:0] keystream_payload, output keystream_valid
);
  reg loaded;
  reg [63:0] word;
  assign load_ready = 1, keystream_valid = loaded, keystream_payload = word;
  always @(posedge clk) begin
    loaded <= !rst && (loaded || load_valid);
    word <= {word[0], word[63:1]};
  end
endmodule
"""


def test_registers_have_any_content_at_power_up() -> None:
    widths = {"clk": 1, "rst": 1, "load_payload": 1, "load_valid": 1, "load_ready": 1,
              "keystream_payload": 64, "keystream_valid": 1}  # fmt: skip
    ports = tuple(Port(name, "any", width) for name, width in widths.items())
    printed = simulate(Verilog("unset", UNSET, ports), ["reset 1", "load 0", "take 1"])
    assert 10 < int(printed[0], 16).bit_count() < 54
