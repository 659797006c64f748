# SPDX-License-Identifier: Apache-2.0
"""An archive to repeat one figure with the public tools alone.

The figure is measured once more while every run of a tool is recorded: its input files, its
command, and the hashes of its outputs. A shell script repeats the runs and compares.
"""

from __future__ import annotations

import hashlib
import io
import json
import shlex
import shutil
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.cipher.option import MASKING
from headwater.core.architecture import Architecture
from headwater.errors import InputError, ToolError, harmless, unknown
from headwater.flow.process import recording
from headwater.kinds.masking import masked_architecture
from headwater.kinds.stepped.prng.shape import source_with
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.settings import Settings
from headwater.measure.store import Result, short_id
from headwater.measure.target import AsicTarget, Target
from headwater.measure.work import evaluate, write_rtl


def point_of(record: Record, target: Target) -> DesignPoint:
    """The design point of a record; an error if it has settings that are not known here."""
    cipher = find(record["cipher"]).with_parameters(record["options"])
    architecture = _architecture_of(cipher, record)
    known = [each.name for each in fields(Settings)]
    if others := [name for name in record["flow"] if name not in known]:
        raise unknown("setting of a record", others[0], known)
    return DesignPoint(cipher, architecture, target, Settings(**record["flow"]))


def _architecture_of(cipher: Cipher, record: Record) -> Architecture:
    if source := source_with(cipher, record["options"]):
        return source.choices
    options = dict(record["options"])
    if masking := options.pop(MASKING.name, None):
        return masked_architecture(cipher, masking, radix=record["radix"], options=options)
    return Architecture.choose(
        cipher,
        radix=record["radix"],
        load_width=record["load_width"],
        options=options,
    )


def replicate(result: Result, target: Target) -> bytes:
    """The archive (tar.gz) that repeats a result of an FPGA; an error if the new figures differ
    from the stored ones. The Verilog is today's, whose comments may be others than those of the
    result."""
    if isinstance(target, AsicTarget):
        raise InputError(
            "a result that public tools alone repeat must be of an FPGA, not of "
            f"{target.name}: power in standard cells is a sum of Headwater's own"
        )
    point = point_of(result.record, target)
    recorder = _Recorder()
    verilog = write_rtl(point.cipher, point.architecture)
    with recording(recorder):
        measured = json.loads(json.dumps(evaluate(point, verilog).as_json()))
    record = result.record | {"rtl_sha256": measured["rtl_sha256"]}
    _refuse_other(record, measured)
    files = {
        "record.json": json.dumps(record, indent=2).encode(),
        "README.txt": _readme(point, record).encode(),
        f"{verilog.name}.v": verilog.text.encode(),
        "run.sh": recorder.script(point).encode(),
        **recorder.files(),
    }
    return _packed(files, f"headwater-{short_id(result.id)}")


def _refuse_other(stored: Record, measured: Record) -> None:
    for name, value in measured.items():
        if stored.get(name) != value:
            raise ToolError(
                f"measuring again must give the stored {name}, {stored.get(name)!r}, not {value!r}"
            )


@dataclass
class _Step:
    """One run of a tool."""

    command: list[str]
    folder: int
    stdin: str
    merged: bool
    inputs: dict[str, bytes]
    outputs: dict[str, str] = field(default_factory=dict)


class _Recorder:
    """Records the inputs and outputs of each run of a tool."""

    def __init__(self) -> None:
        self._steps: list[_Step] = []
        self._folders: dict[Path, int] = {}
        self._seen: dict[Path, dict[str, str]] = {}

    def before(self, command: Sequence[str | Path], cwd: Path, stdin: str, *, merged: bool) -> None:
        """Record the files in the tool's folder that no earlier tool has written."""
        number = self._folders.setdefault(cwd, len(self._folders) + 1)
        known = self._seen.get(cwd, {})
        here = {name: (cwd / name).read_bytes() for name in _names(cwd)}
        new = {name: data for name, data in here.items() if known.get(name) != _sha256(data)}
        self._steps.append(_Step(_public(command), number, stdin, merged, new))

    def after(self, cwd: Path, _output: str) -> None:
        """Record the files that the tool has written. What it prints contains times."""
        step = self._steps[-1]
        known = self._seen.get(cwd, {}) | {n: _sha256(data) for n, data in step.inputs.items()}
        now = {name: _sha256((cwd / name).read_bytes()) for name in _names(cwd)}
        step.outputs = {name: digest for name, digest in now.items() if known.get(name) != digest}
        self._seen[cwd] = now

    def files(self) -> dict[str, bytes]:
        """The input files of all steps, and the expected outputs."""
        files: dict[str, bytes] = {}
        for number, step in enumerate(self._steps, 1):
            place = f"steps/{number:03}"
            files |= {f"{place}/inputs/{name}": data for name, data in step.inputs.items()}
            files[f"{place}/stdin"] = step.stdin.encode()
            lines = [f"{digest}  {name}\n" for name, digest in sorted(step.outputs.items())]
            files[f"{place}/expected.sha256"] = "".join(lines).encode()
        return files

    def script(self, point: object) -> str:
        """The shell script that repeats the steps and compares their outputs."""
        lines = [
            "#!/bin/sh",
            f"# Repeats the measurement of {harmless(str(point)).replace(chr(10), ' ')}.",
            "set -eu",
            'cd "$(dirname "$0")"',
            "rm -rf work && mkdir work",
        ]
        for number, step in enumerate(self._steps, 1):
            lines += self._step_lines(number, step)
        return "\n".join([*lines, 'echo "every step gave what it gave before"']) + "\n"

    def _step_lines(self, number: int, step: _Step) -> list[str]:
        place, work = f"steps/{number:03}", f"work/{step.folder}"
        lines = [
            # A name of a file may hold anything.
            f"echo {shlex.quote(f'{number}/{len(self._steps)} {step.command[0]}')}",
            f"mkdir -p {work} {place}/inputs && cp -R {place}/inputs/. {work}/",
        ]
        run = f"{shlex.join(step.command)} < ../../{place}/stdin > ../printed-{number:03}"
        run += " 2>&1" * step.merged
        expected = f"../../{place}/expected.sha256"
        compare = f"if [ -s {expected} ]; then sha256sum --quiet -c {expected}; fi"
        return [*lines, f"(cd {work} && {run} && {compare})"]


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _public(command: Sequence[str | Path]) -> list[str]:
    """The command with the public name of each tool instead of its path on this machine."""
    words = [str(word) for word in command]
    name = Path(words[0]).name
    if words[0] == sys.executable:
        name = "python3"
    return [name if shutil.which(name) else words[0], *words[1:]]


def _readme(point: DesignPoint, record: dict[str, Any]) -> str:
    tools = "\n".join(f"    {name} {version}" for name, version in record["tools"].items())
    return f"""\
The figures in record.json are those of {point}.

To repeat them with the tools alone, which must be of these versions:

{tools}

    sh run.sh

The script runs each tool on the files it was run on (steps/*/inputs) and compares what comes out
with what came out before (steps/*/expected.sha256). Yosys is the Python package pyosys, and the
yowasp-nextpnr tools are Python packages, too.
"""


def _packed(files: dict[str, bytes], folder: str) -> bytes:
    """A reproducible archive: equal files give equal bytes."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=6) as archive:
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    packed = bytearray(target.getvalue())
    packed[4:8] = bytes(4)  # the time stamp of gzip
    return bytes(packed)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
