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

from headwater.verify.engine import RtlEngine, Segment

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
        return [self._spoilt(segment, data) if broken else data
                for segment, data in zip(segments, right, strict=True)]  # fmt: skip

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
