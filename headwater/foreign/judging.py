# SPDX-License-Identifier: Apache-2.0
"""Whether a core is the cipher that it is said to be: the layers of a verdict, one after the
other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.foreign.attempt import Attempt, attempts
from headwater.foreign.diagnosis import diagnose
from headwater.foreign.interface import interface_of
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import guess
from headwater.foreign.reading import ForeignCore, read_core
from headwater.foreign.right import Right
from headwater.foreign.settings import Settings
from headwater.foreign.strings import judge_strings
from headwater.foreign.verdict import OPEN, Verdict
from headwater.kinds.stepped.runs import RunCipher, is_of_bits, is_read, run_cipher

LIMIT_S = 120.0


def judge(
    files: Sequence[Path],
    cipher: Cipher,
    settings: Settings,
    *,
    name: str = "",
    limit_s: float = LIMIT_S,
    must: bool = True,
    tell: Callable[[str], object] = lambda _: None,
) -> tuple[Verdict, ForeignCore]:
    """Judge a core.

    Parameters
    ----------
    files
        Its sources, in the order in which they are read.
    cipher
        What it is said to be.
    settings
        What cannot be guessed of its ports.
    name
        What the core is called; by default its module, or its last file.
    limit_s
        Seconds that a proof may take; one that takes longer leaves its layer open.
    must
        Whether it is an error if the sources can be read, but not judged; otherwise the verdict
        says why nothing is known.
    tell
        Is called with what is done next.

    Raises
    ------
    InputError
        If the sources cannot be judged at all.
    """
    tell("reading the sources")
    core = read_core(files, settings)
    try:
        verdict = _judged(core.netlist, cipher, settings, limit_s, tell)
    except InputError as error:
        if must:
            raise
        verdict = Verdict(cipher.name, len(core.netlist.q), core.netlist.gate_count, {"ties": {}})
        verdict.add("vectors", OPEN, str(error))
    verdict.name = name or settings.top or files[-1].stem
    verdict.files = [path.name for path in files]
    verdict.sources_sha256 = hashlib.sha256(
        b"".join(path.read_bytes() for path in files)
    ).hexdigest()
    return verdict, core


def _judged(
    netlist: Netlist,
    cipher: Cipher,
    settings: Settings,
    limit_s: float,
    tell: Callable[[str], object],
) -> Verdict:
    if is_read(cipher) and not (settings.output or settings.stream):
        described = _selected(run_cipher(cipher), settings)
        if is_of_bits(cipher):
            verdict = judge_netlist(netlist, described, settings, limit_s, tell)
            if cipher.service == "keystream" or verdict.radix:
                return verdict
        elif words := _of_words(netlist, described, settings, limit_s, tell):
            return words
    tell("trying published vectors")
    return judge_strings(netlist, cipher, interface_of(netlist, cipher, settings), limit_s)


def _of_words(
    netlist: Netlist,
    cipher: RunCipher,
    settings: Settings,
    limit_s: float,
    tell: Callable[[str], object],
) -> Verdict | None:
    """What is said of a core of a cipher of words that makes whole steps in a cycle, or whose state
    is found though it is wrong; None of any other."""
    try:
        verdict = judge_netlist(netlist, cipher, settings, limit_s, tell)
    except InputError:
        return None  # Its ports are driven otherwise, which vectors may tell.
    return verdict if verdict.radix else None


def _selected(cipher: RunCipher, settings: Settings) -> RunCipher:
    """The cipher with those IVs alone of which a file of ports says that the core is the cipher."""
    if settings.iv_first is None:
        return cipher
    return replace(cipher, first_iv_bit=settings.iv_first)


def judge_netlist(
    netlist: Netlist,
    cipher: RunCipher,
    settings: Settings,
    limit_s: float = LIMIT_S,
    tell: Callable[[str], object] = lambda _: None,
    *,
    causes: bool = True,
) -> Verdict:
    """Judge a core that was read; what is said names no sources. Without ``causes`` no mistakes are
    tried that may explain a core that is wrong."""
    ports = guess(netlist, cipher, settings)
    verdict = Verdict(cipher.name, len(netlist.q), netlist.gate_count, ports.as_json())
    tell("looking for the keystream")
    tried: list[Attempt] = []
    for attempt in attempts(netlist, cipher, ports, settings.session, sure=bool(settings.reset)):
        tried.append(attempt)
        if match := attempt.match:
            Right(verdict, cipher, netlist, attempt, match, settings, limit_s, tell).judge()
            return verdict
    if cipher.service != "keystream":
        return verdict  # Messages may go through it.
    tell("looking for what is wrong")
    diagnose(verdict, cipher, tried, ports, causes=causes)
    return verdict
