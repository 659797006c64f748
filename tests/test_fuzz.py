# SPDX-License-Identifier: Apache-2.0
"""Random cores against the model: some cases of `tools/fuzz.py`, and that it finds a fault."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import fuzz
import fuzz_designs

from headwater.flow.testbench import compile_testbench
from headwater.interface import INTERFACES
from headwater.verify.engine import RtlEngine
from headwater.verify.segments import Segment

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("name", ["grain_v1", "grain128aead", "zuc", "mosquito", "ascon_aead128"])
def test_a_case_is_equal(name: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--case", "3", "--cipher", name])
    assert fuzz.main() == 0
    assert "1 cases, 0 failures" in capsys.readouterr().out


def test_an_unknown_cipher_is_refused(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--case", "1", "--cipher", "nea7"])
    with pytest.raises(SystemExit, match="2"):
        fuzz.main()
    assert "error: cipher must be one of trivium, " in capsys.readouterr().err


def test_a_case_is_the_same_again() -> None:
    assert fuzz.drawn(5, ["trivium", "zuc"]) == fuzz.drawn(5, ["trivium", "zuc"])
    cases = [fuzz.drawn(number, ["grain128aead", "trivium"]) for number in range(30)]
    assert len({(case.cipher.name, case.architecture) for case in cases}) > 20
    assert {case.gaps for case in cases} == {0, 100, 300, 700}


class Late(RtlEngine):
    """A core whose 100th keystream bit is wrong where words wait."""

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        right = super().run(segments)
        broken = self._architecture.stall == "stream"
        return [
            self._spoilt(segment, data) if broken else data
            for segment, data in zip(segments, right, strict=True)
        ]

    def _spoilt(self, segment: Segment, data: bytes) -> bytes:
        place = 99 - segment.offset
        if not 0 <= place < segment.bits:
            return data
        return bytes(byte ^ (1 << place % 8) * (at == place // 8) for at, byte in enumerate(data))


def test_a_fault_is_found_and_made_smaller(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "RtlEngine", Late)
    number = next(number for number in range(1, 50) if _reaches(fuzz.drawn(number, ["trivium"])))
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--case", str(number), "--cipher", "trivium"])
    assert fuzz.main() == 1
    said = capsys.readouterr().out
    assert "rtl differs from the model" in said
    (line,) = [line for line in said.splitlines() if "made smaller" in line]
    assert ", gaps 0 permille: headwater keystream trivium --key " in line
    assert int(line.partition("--bits ")[2].split()[0]) < 200
    assert "--offset 0 " in line
    assert "stall=stream" in line


def _reaches(case: fuzz.Case) -> bool:
    """Whether a case has the bit that is wrong, and several jobs."""
    if case.architecture.stall != "stream" or len(case.jobs) < 2 or case.architecture.radix > 20:
        return False
    jobs = [replace(job) for job in case.jobs if isinstance(job, Segment)]
    return any(job.offset < 99 < job.offset + job.bits for job in jobs)


# --- designs around cores


def test_a_design_passes_and_a_fault_in_it_is_found(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (
        ("generate", "a51"),
        ("--interface", "axi4stream"),
        ("--radix", "4"),
        ("--load-width", "8"),
        ("--data-width", "16"),
        ("--package",),
    )
    monkeypatch.setattr(sys, "argv", ["fuzz_designs.py", "--case", "1"])
    monkeypatch.setattr(fuzz_designs, "drawn", lambda *_: words)
    assert fuzz_designs.main() == 0
    assert "1 cases, 0 failures" in capsys.readouterr().out

    def broken(top: str, files: dict[str, str], folder: Path) -> Path:
        """The keystream's payload is inverted."""
        made = {
            name: text.replace("assign keystream_payload = ", "assign keystream_payload = ~")
            for name, text in files.items()
        }
        return compile_testbench(top, made, folder)

    monkeypatch.setattr(fuzz_designs, "compile_testbench", broken)
    assert fuzz_designs.failure(words[:3] + words[5:])


def test_a_failing_design_is_made_smaller(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a source of random bits, what is not needed is left out."""
    words = (
        ("verify", "trivium"),
        ("--random-bits", "9"),
        ("--instances", "2"),
        ("--reset", "async"),
        ("--state-port",),
    )
    monkeypatch.setattr(sys, "argv", ["fuzz_designs.py", "--case", "1"])
    monkeypatch.setattr(fuzz_designs, "drawn", lambda *_: words)
    monkeypatch.setattr(
        fuzz_designs, "failure", lambda given: "wrong" if ("--state-port",) in given else ""
    )
    assert fuzz_designs.main() == 1
    said = capsys.readouterr().out
    assert "made smaller: headwater verify trivium --random-bits 9 --state-port\n" in said


def test_designs_are_drawn_of_every_interface() -> None:
    drawn = [fuzz_designs.drawn(number, ["trivium", "zuc"]) for number in range(300)]
    made = {words[1][1] for words in drawn if words[0][0] == "generate"}
    assert made == set(INTERFACES) - {"prng"}
    assert {words[1][0] for words in drawn if words[0][0] == "verify"} == {"--random-bits"}


def test_cases_have_several_sessions_and_fields_of_a_call() -> None:
    turns = {fuzz.drawn(number, ["snow5g"]).architecture.streams for number in range(30)}
    assert len(turns) > 1
    case = fuzz.drawn(3, ["uia2"])
    assert fuzz.command(case).startswith("headwater mac uia2 --key ")
    assert " --count " in fuzz.command(case)
