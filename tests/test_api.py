# SPDX-License-Identifier: Apache-2.0
"""The Python interface: `import headwater as hw`."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Module
from command_line import FIRST_BYTES, IV, KEY, VECTORS
from stored import POINTS, figures, result

import headwater as hw
from headwater.api import choosing, evaluation, reproduction, systems
from headwater.codesign.scenario import Scenario
from headwater.errors import InputError, TagError, ToolError
from headwater.measure.point import DesignPoint
from headwater.measure.run import Outcome
from headwater.measure.store import Result, Store, now, open_store
from headwater.report.reproduce.counts import Counts, total

SECRET = bytes.fromhex(KEY), bytes.fromhex(IV)
KEYSTREAM = bytes.fromhex(FIRST_BYTES)
TRIVIUM = hw.cipher("trivium")
AEAD = hw.cipher("grain128aeadv2")
GIVEN = next(one for one in VECTORS["grain128aeadv2"] if one["plaintext"] and one["ad"])
MESSAGE = {name: bytes.fromhex(GIVEN[name]) for name in ("key", "nonce", "ad")}
PLAIN, SEALED, TAG = (bytes.fromhex(GIVEN[one]) for one in ("plaintext", "ciphertext", "tag"))
CALLED = ("cipher", "verify", "leakage", "codesign", "report")
"""The packages that are functions, too."""


# --- the package


def test_import_brings_nothing_else() -> None:
    """That is why it takes no time."""
    code = (
        "import headwater, sys; print(*sorted(m for m in sys.modules if m.startswith('headwater')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages = [f"headwater.{name}" for name in CALLED]
    assert done.stdout.split() == ["headwater", *sorted(packages)]


def test_types_are_declared_for_every_name() -> None:
    stub = Path(hw.__file__).with_suffix(".pyi").read_text()
    declared = {
        alias.name: f"{node.module}"
        for node in ast.walk(ast.parse(stub))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == {name: f"headwater.{place}" for name, place in hw.PLACES.items()}
    assert set(hw.__all__) == {*declared, "__version__"}
    assert set(dir(hw)) >= set(hw.__all__)


def test_packages_that_are_called_as_functions_are_packages_still() -> None:
    for name in CALLED:
        package = getattr(hw, name)
        assert callable(package)
        assert Path(package.__path__[0]).name == name


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="module 'headwater' has no attribute 'sypher'"):
        hw.sypher  # noqa: B018
    with pytest.raises(InputError, match="did you mean 'trivium'"):
        hw.cipher("trivum")


# --- keystream and messages


def test_keystream() -> None:
    assert TRIVIUM.keystream(*SECRET, bits=64) == KEYSTREAM
    assert TRIVIUM.keystream(*SECRET, bytes=4, offset=32) == KEYSTREAM[4:]
    assert b"".join(TRIVIUM.keystream_pieces(*SECRET, 64)) == KEYSTREAM


def test_encryption_adds_the_keystream() -> None:
    assert TRIVIUM.encrypt(*SECRET, bytes(8)) == hw.Sealed(KEYSTREAM, b"")
    assert TRIVIUM.decrypt(*SECRET, KEYSTREAM[4:], offset=32) == bytes(4)


def test_authenticated_encryption() -> None:
    assert AEAD.encrypt(text=PLAIN, **MESSAGE) == hw.Sealed(SEALED, TAG)
    assert AEAD.decrypt(text=SEALED, tag=TAG, **MESSAGE) == PLAIN
    with pytest.raises(TagError, match="tag does not match"):
        AEAD.decrypt(text=SEALED, tag=bytes(len(TAG)), **MESSAGE)


def test_mac() -> None:
    mode = hw.cipher("eia3")
    given = next(one for one in VECTORS["eia3"] if one["length"] % 8)
    call = {"bearer": given["bearer"], "direction": given["direction"]}
    iv = mode.iv_of(count=int(given["count"], 16), **call)
    text = bytes.fromhex(given["message"])[: -(-given["length"] // 8)]
    made = mode.mac(bytes.fromhex(given["key"]), iv, text, bits=given["length"])
    assert made.hex() == given["mac"]


def test_frames_of_a51() -> None:
    a51 = hw.cipher("a51")
    iv = a51.iv_of(tdma_frame=123456)
    assert iv == a51.iv_of(count=191624)
    kc = bytes.fromhex("0123456789abcdef")
    assert a51.keystream(kc[::-1], iv, bits=114).hex() == "cba25576175d3b1c7b2f29a8c1b600"


def test_parameters() -> None:
    salsa = hw.cipher("salsa20", rounds=12)
    other = hw.cipher("salsa20")
    assert salsa.keystream(bytes(32), bytes(8), bits=64) != other.keystream(
        bytes(32), bytes(8), bits=64
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TRIVIUM.keystream(KEY, bytes(10), bits=8), "key must be bytes, not of type str"),
        (lambda: TRIVIUM.keystream(*SECRET), "keystream must be given either bits or bytes"),
        (lambda: TRIVIUM.keystream(*SECRET, bits=0), "bits must be at least 1, not 0"),
        (
            lambda: TRIVIUM.encrypt(*SECRET, bytes(1), offset=-3),
            "offset must be at least 0, not -3",
        ),
        (
            lambda: TRIVIUM.encrypt(*SECRET, bytes(1), offset=1.5),  # type: ignore[arg-type]
            "offset must be at least 0, not 1.5",
        ),
        (
            lambda: hw.cipher("nea5").encrypt(bytes(32), bytes(16), bytes(4), offset=64),
            "offset of nea5, whose texts are whole messages, must be 0, not 64",
        ),
        (
            lambda: AEAD.decrypt(text=SEALED, tag=bytes(8), offset=8, **MESSAGE),
            "offset of grain128aeadv2, whose texts are whole messages, must be 0, not 8",
        ),
        (
            lambda: hw.cipher("nca6").decrypt(bytes(32), b"\x64" + bytes(15), b"", tag=bytes(4)),
            "tag of nca6 must be the 96 bits that byte 0 of the IV names, not 32",
        ),
        (
            lambda: TRIVIUM.keystream(*SECRET, bits=1, offset=-1),
            "offset must be at least 0, not -1",
        ),
        (lambda: TRIVIUM.encrypt(*SECRET, "00"), "text must be bytes, not of type str"),
        (
            lambda: TRIVIUM.encrypt(*SECRET, b"", ad=b""),
            "associated data must not be given for trivium, which does not authenticate",
        ),
        (
            lambda: TRIVIUM.mac(*SECRET, b""),
            (
                "cipher of mac must be one of poly1305, aes_cmac, uia1, eia3, uia2, eia1, eia2, "
                "zuc256_mac_iv25, nia4, nia5, nia6, not 'trivium'"
            ),
        ),
        (
            lambda: hw.cipher("eia3").encrypt(bytes(16), bytes(9), b""),
            "eia3 does not encrypt: use mac",
        ),
        (
            lambda: hw.cipher("a51").iv_of(count=0, tdma_frame=0),
            "IV of a51 must be made of count or tdma_frame",
        ),
        (
            lambda: hw.cipher("a51").iv_of(tdma_frame=-1),
            "tdma-frame must be between 0 and 2715647, not -1",
        ),
        (
            lambda: hw.cipher("eia3").iv_of(count=0),
            ("IV of eia3 must be made of count, bearer, direction"),
        ),
        (
            lambda: hw.cipher("eia3").iv_of(count=0, bearer=32, direction=0),
            "bearer must be between 0 and 31, not 32",
        ),
        (lambda: AEAD.decrypt(text=SEALED, **MESSAGE), "tag of grain128aeadv2 must be given"),
        (lambda: TRIVIUM.core(5, interface="can"), None),
        (
            lambda: TRIVIUM.core(stall="never"),
            "option stall must be one of stream, none, not 'never'",
        ),
        (lambda: TRIVIUM.core().run("verilog"), None),
        (lambda: TRIVIUM.core().design(data_width=8), None),
        (
            lambda: hw.cipher("salsa20", rounds=9),
            ("parameter rounds must be one of 20, 12, 8, not '9'"),
        ),
        (lambda: hw.verify("trivium", engine="sat"), None),
        (lambda: hw.results("trivum"), None),
        (lambda: hw.chart("pie", []), None),
        (lambda: hw.chart("gaj-throughput-per-are", []), None),
        (
            lambda: hw.chart("message-cycles", []),
            (
                "nothing was measured for the chart "
                "message-cycles; for example: headwater evaluate trivium,grain_v1"
            ),
        ),
    ],
)
def test_refused(call: Callable[[], object], message: str | None) -> None:
    """With one sentence; where none is named here, it lists what is legal."""
    with pytest.raises(InputError) as refused:
        call()
    assert str(refused.value).startswith(message) if message else "must" in str(refused.value)
    assert "\n" not in str(refused.value)


# --- cores


def test_core() -> None:
    core = TRIVIUM.core(radix=64, stall="none")
    assert core.name == "trivium_r64"
    assert core.verilog().startswith("// SPDX")
    assert "module trivium_r64" in core.verilog()
    assert core.facts["setup_cycles"] == 21
    assert core.facts["options"]["stall"] == "none"
    assert core.c_model().header.count("trivium_r64") > 5


def test_component_is_a_part_of_a_design() -> None:
    top = Module()
    top.submodules.core = core = TRIVIUM.core(radix=8).component()
    text = rtlil.convert(top, ports=[core.keystream.payload, core.load.payload])
    assert "cell \\top.core \\core" in text


def test_design_behind_an_interface() -> None:
    made = TRIVIUM.core(interface="axi4stream").design(data_width=32, testbench=True)
    assert made.top == "trivium_r1_axi4stream"
    assert {"trivium_r1.v", "trivium_r1_axi4stream.v", "trivium_r1_tb.v"} <= made.files.keys()


@pytest.mark.real
@pytest.mark.parametrize("engine", ["rtl", "c"])
def test_core_runs(engine: str) -> None:
    run = TRIVIUM.core(radix=8).run(engine)
    assert run.keystream(*SECRET, bits=64) == KEYSTREAM
    assert run.encrypt(*SECRET, bytes(8)).text == KEYSTREAM


# --- checks, records, charts


def test_verify() -> None:
    checks = hw.verify("trivium", engine="model")
    assert checks.passed
    assert [record.check for record in checks] == ["vectors"]
    assert not hw.Checks().passed, "nothing that was checked is no evidence"


def test_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    """What measures is the same as on the command line; here it is made up."""

    def outcomes(points: Sequence[DesignPoint], *_given: object, **_named: object) -> list[Outcome]:
        return [Outcome(point, figures(point).as_json()) for point in reversed(points)]

    monkeypatch.setattr(evaluation, "local_workers", lambda _jobs: nullcontext())
    monkeypatch.setattr(evaluation, "evaluate_all", outcomes)
    seen: list[Outcome] = []
    made = hw.evaluate("trivium", [1, 8, 5000], settings=hw.Settings(1), told=seen.append)
    assert [record["radix"] for record in made] == [1, 8]
    assert len(seen) == 2
    (failure,) = made.failures
    assert failure.startswith("skipped trivium at radix 5000: radix of trivium must be")


def test_settings_that_do_nothing_on_any_target_are_refused() -> None:
    cells, gated = {"target": "osu018"}, hw.Settings(clock_gating="latch")
    for measure, where, settings, said in (
        (hw.evaluate, {}, hw.Settings(recipe="best"), "recipe must come with a target of standard"),
        (hw.evaluate, cells, hw.Settings(3), "seeds must come with a target that is placed"),
        (hw.optimize, {}, gated, "clock gating must come with a target of standard cells"),
    ):
        with pytest.raises(InputError, match=said):
            measure("trivium", settings=settings, **where)


def test_choose() -> None:
    with open_store() as store:
        for lut, point in zip((10, 90), POINTS, strict=False):
            store.keep(Result(str(lut), figures(point, lut).as_json(), 1.0, now()))
    made = hw.choose(max_area=1000)
    assert made.winner
    assert made.winner["radix"] == 1
    assert made.command == "headwater generate trivium --radix 1 --load-width 1 -o build"
    assert [record["radix"] for record in made.lost] == [2]
    assert str(made).startswith("trivium at radix 1 is the smallest of 2 stored cores on ecp5-25k")
    nothing = hw.choose(bits_per_cycle=64)
    assert (nothing.winner, nothing.command) == (None, None)
    assert str(nothing).startswith("Nothing that is stored of ecp5-25k gives bits per cycle >= 64")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hw.choose(), "choose must be given a limit, such as a throughput"),
        (lambda: hw.choose(max_area=-1), "max area must be more than 0, not -1"),
        (lambda: hw.choose(max_area=1, stal="none"), "option must be one of .*mean 'stall'"),
        (lambda: hw.choose(max_area=1, stall="non"), "option stall must be one of .*mean 'none'"),
        (lambda: hw.codesign("trivium", cpu="z80"), "cpu must be one of vexriscv"),
        (lambda: hw.evaluate([]), "at least one cipher and one choice must be given, not none"),
        (lambda: hw.codesign([]), "at least one cipher and one choice must be given, not none"),
        (lambda: hw.optimize("trivium", 0), "radix of trivium must be .*, not 0"),
        (lambda: hw.reproduce("estreem"), "paper must be one of"),
        (lambda: hw.report(target="mine"), "nothing is stored of target mine"),
    ],
)
def test_advice_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_choose_measures_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cipher that may win, at the least radix that can do."""
    asked: list[DesignPoint] = []

    def outcomes(points: Sequence[DesignPoint], store: Store, _workers: object) -> list[Outcome]:
        asked.extend(points)
        store.keep(result("one", bits_per_cycle=8))
        return [Outcome(points[0], None, "no tool")]

    monkeypatch.setattr(choosing, "local_workers", lambda _jobs: nullcontext())
    monkeypatch.setattr(choosing, "evaluate_all", outcomes)
    made = hw.choose(bits_per_cycle=8, key_bits=128, measure=True)
    assert len(made.candidates) == 1
    assert made.failures == ("no tool",)
    assert {point.cipher.name for point in asked} >= {"grain128a", "zuc"}
    assert all(point.cipher.key_bits >= 128 and not point.cipher.broken for point in asked)


def test_reproduce() -> None:
    made = hw.reproduce("estream", "table1", measure=False)
    assert {"cipher=trivium", "cipher=grain_v1"} <= {record["row"] for record in made}
    assert all({"printed", "measured", "quantity"} <= record.keys() for record in made)
    (paper,) = made.papers
    assert total(paper.tables) == Counts(18, 18, 0, 0)


def test_reproduce_measures_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcomes(points: Sequence[DesignPoint], *_given: object) -> list[Outcome]:
        return [Outcome(points[0], None, "no tool")]

    def measure(scenario: Scenario, _store: object, **_named: object) -> None:
        raise ToolError(f"no {scenario.processor.name}")

    monkeypatch.setattr(reproduction, "local_workers", lambda _jobs: nullcontext())
    monkeypatch.setattr(reproduction, "evaluate_all", outcomes)
    monkeypatch.setattr(systems, "measure", measure)
    made = hw.reproduce("hw-sw", "table2")
    first, *others = made.failures
    assert first == "no tool"
    assert all(line.endswith(": no vexriscv") for line in others)
    assert len(others) > 3


def test_codesign(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(scenario: Scenario, _store: object, **_named: object) -> dict[str, object]:
        if scenario.interface == "dma":
            raise ToolError("no memory")
        return scenario.as_json()

    monkeypatch.setattr(systems, "measure", measure)
    made = hw.codesign(["trivium", "phelix"], cpu="ibex", interface=["bus", "dma"])
    assert [(one["cipher"], one["interface"]) for one in made] == [
        ("trivium", "bus"),
        ("phelix", "bus"),
    ]
    skipped, failed = made.failures
    assert skipped.startswith("skipped: ")
    assert failed == "trivium at radix 64 behind dma of ibex: no memory"


def test_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the chosen targets; what is on it is made up here."""
    pytest.importorskip("vl_convert")
    drawn = "headwater.report.page.page"
    monkeypatch.setattr(drawn, lambda results, *_: repr([one.id for one in results]).encode())
    with open_store() as store:
        store.keep(result("one"))
        store.keep(result("two", target="mine"))
    page = tmp_path / "page.html"
    assert hw.report(page, target="ecp5-25k") == [page]
    assert page.read_text() == "['one']"
    with pytest.raises(InputError, match="target with stored results must be one of ecp5-25k"):
        hw.report(page, target=["ecp5-25k", "your"])


def test_results(store_of_its_own: Path) -> None:
    assert hw.results() == []
    assert not store_of_its_own.exists(), "reading makes no file"
    with open_store() as store:
        store.keep(result("one", target="ecp5-25k"))
        store.keep(result("two", target="mine"))
    assert len(hw.results()) == 2
    assert [record["target"] for record in hw.results(target="mine")] == ["mine"]
    assert hw.results("grain_v1") == []
    assert hw.results(target="ice40-hx8k") == []
    with pytest.raises(InputError, match="target must be one of"):
        hw.results(target="yours")


def test_dataframe() -> None:
    pandas = pytest.importorskip("pandas")
    frame = hw.Records([result("one").record]).dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["fmax_mhz.median"]) == [100.0]


def test_dataframe_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ToolError, match="install it with: pip install 'headwater"):
        hw.Records().dataframe()


def test_charts() -> None:
    altair = pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    records = [result("one").record]
    assert "area-throughput" in hw.charts(records)
    drawn = hw.chart("area-throughput", records)
    assert isinstance(drawn, altair.TopLevelMixin)
    assert json.loads(drawn.to_json())["datasets"]["rows"]
