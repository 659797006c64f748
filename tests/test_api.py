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
from stored import figures, result

import headwater as hw
from headwater.api import evaluation
from headwater.bench.point import DesignPoint
from headwater.bench.run import Outcome
from headwater.bench.store import open_store
from headwater.errors import InputError, TagError, ToolError

SECRET = bytes.fromhex(KEY), bytes.fromhex(IV)
KEYSTREAM = bytes.fromhex(FIRST_BYTES)
TRIVIUM = hw.cipher("trivium")
AEAD = hw.cipher("grain128aeadv2")
GIVEN = next(one for one in VECTORS["grain128aeadv2"] if one["plaintext"] and one["ad"])
MESSAGE = {name: bytes.fromhex(GIVEN[name]) for name in ("key", "nonce", "ad")}
PLAIN, SEALED, TAG = (bytes.fromhex(GIVEN[one]) for one in ("plaintext", "ciphertext", "tag"))


# --- the package


def test_import_brings_nothing_else() -> None:
    """That is why it takes no time."""
    code = (
        "import headwater, sys; print(*sorted(m for m in sys.modules if m.startswith('headwater')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["headwater", "headwater.cipher", "headwater.verify"]


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
    assert callable(hw.cipher)
    assert callable(hw.verify)
    assert Path(hw.cipher.__path__[0]).name == "cipher"
    assert Path(hw.verify.__path__[0]).name == "verify"


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
        (lambda: TRIVIUM.keystream(*SECRET, bits=1, offset=-1),
         "offset must be at least 0, not -1"),
        (lambda: TRIVIUM.encrypt(*SECRET, "00"), "text must be bytes, not of type str"),
        (lambda: TRIVIUM.encrypt(*SECRET, b"", ad=b""),
         "associated data must not be given for trivium, which does not authenticate"),
        (lambda: TRIVIUM.mac(*SECRET, b""),
         "cipher of mac must be one of eia3, uia2, eia1, not 'trivium'"),
        (lambda: hw.cipher("eia3").encrypt(bytes(16), bytes(9), b""),
         "eia3 does not encrypt: use mac"),
        (lambda: hw.cipher("eia3").iv_of(count=0), ("IV of eia3 must be made of count, bearer, "
         "direction")),
        (lambda: hw.cipher("eia3").iv_of(count=0, bearer=32, direction=0),
         "bearer must be between 0 and 31, not 32"),
        (lambda: AEAD.decrypt(text=SEALED, **MESSAGE), "tag of grain128aeadv2 must be given"),
        (lambda: TRIVIUM.core(5, interface="can"), None),
        (lambda: TRIVIUM.core(stall="never"),
         "option stall must be one of stream, none, not 'never'"),
        (lambda: TRIVIUM.core().run("verilog"), None),
        (lambda: TRIVIUM.core().design(data_width=8), None),
        (lambda: hw.cipher("salsa20", rounds=9), ("parameter rounds must be one of 20, 12, 8, not "
         "'9'")),
        (lambda: hw.verify("trivium", engine="sat"), None),
        (lambda: hw.results("trivum"), None),
        (lambda: hw.chart("pie", []), None),
        (lambda: hw.chart("gaj-throughput-per-are", []), None),
        (lambda: hw.chart("message-cycles", []), ("nothing was measured for the chart "
         "message-cycles; for example: headwater evaluate trivium,grain_v1")),
    ],
)  # fmt: skip
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
    assert failure.startswith("headwater: skipped trivium at radix 5000: radix of trivium must be")


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
