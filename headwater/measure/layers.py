# SPDX-License-Identifier: Apache-2.0
"""The user's own store over the reference: what is in the store wins, what is not is looked for in
the reference, which is never written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.errors import HeadwaterError
from headwater.measure.identity import rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.reference import (
    Entry,
    Reference,
    Words,
    key_of,
    the_reference,
    words_of_record,
)
from headwater.measure.store import Result, Store, Time, open_store, read_store

SYSTEM, AREA = "system", "area"
"""Kinds of entries: cycles of a system, and its area in a library."""

CURRENT = "current"
UNCHECKED = "unchecked"
STALE = "stale"
"""Whether today's circuit is that of an entry: it is; it was not generated here since its generator
changed; it is not."""


class LayeredStore(Store):
    """A store over the reference."""

    def __init__(self, own: Store, reference: Reference) -> None:
        super().__init__(own.connection)
        self._reference = reference

    def find_point(self, point: DesignPoint, verilog: Verilog) -> Result | None:
        """The result of a design point whose Verilog is given: its own, or one of the reference
        that measuring here would give again."""
        if own := super().find_point(point, verilog):
            return own
        entry = self._reference.equal(point, verilog)
        return entry.shown if entry else None

    def known(self, point: DesignPoint) -> Result | None:
        """The result of a design point without generating its circuit: its own, or that of the
        reference, unless this is known to be of another circuit."""
        with suppress(HeadwaterError):  # Its library or a tool is not here.
            if own := super().known(point):
                return own
        return self.shown(self.entry(point), point.cipher, point.architecture)

    def shown(
        self, entry: Entry | None, cipher: Cipher, architecture: Architecture | None
    ) -> Result | None:
        """The result of an entry, unless this is known to be of another circuit."""
        stale = entry and self.state(entry, cipher, architecture) == STALE
        return entry.shown if entry and not stale else None

    def entry(self, point: DesignPoint) -> Entry | None:
        """The entry of the reference for a design point, stale or not."""
        return self._reference.point(point)

    def known_system(self, words: Words, kind: str = SYSTEM) -> Entry | None:
        """The entry of the reference for a system, stale or not."""
        return self._reference.system(words, kind)

    def state(self, entry: Entry, cipher: Cipher, architecture: Architecture | None) -> str:
        """Whether an entry is of today's circuit, as far as is known without generating it."""
        if architecture is None:
            return CURRENT
        identity = rtl_identity(cipher, architecture)
        if entry.generator == identity:
            return CURRENT
        verilog = self.rtl(identity)
        if verilog is None:
            return UNCHECKED
        return CURRENT if verilog.circuit_sha256 == entry.circuit else STALE

    def find_system(self, identity: str) -> Result | None:
        """The result of a system with this hash: its own, or that of the reference."""
        entries = (
            one
            for kind in (SYSTEM, AREA)
            for one in self._reference.entries(kind)
            if one.result.id == identity
        )
        return super().find_system(identity) or next((one.shown for one in entries), None)

    def results(
        self, *, cipher: str | None = None, target: str | None = None, prefix: str = ""
    ) -> list[Result]:
        """Own results, and those of the reference for design points without an own one."""
        own = super().results(cipher=cipher, target=target)
        measured = {key_of(words_of_record(one.record)) for one in own}
        shipped = [
            one.shown
            for one in self._reference.entries("point")
            if one.words["cipher"] == (cipher or one.words["cipher"])
            and one.words["target"] == (target or one.words["target"])
            and key_of(one.words) not in measured
        ]
        matches = [one for one in (*own, *shipped) if one.id.startswith(prefix)]
        return sorted(matches, key=lambda one: (one.measured_at, one.id))

    def systems(self) -> list[Result]:
        """The results of the reference, then the own ones: the last one of a system counts."""
        shipped = [one.shown for one in self._reference.entries(SYSTEM)]
        return [*shipped, *super().systems()]

    def times(self, target: str) -> list[Time]:
        """How long measurements on a target took here, and those of the reference for ciphers that
        were not measured here at this stage."""
        own = super().times(target)
        measured = {(one.cipher, one.stage) for one in own}
        shipped = [
            Time.of(one.result.record, one.result.seconds)
            for one in self._reference.entries("point")
            if one.words["target"] == target
        ]
        return [*own, *(one for one in shipped if (one.cipher, one.stage) not in measured)]


@contextmanager
def open_layered(path: Path | None = None) -> Iterator[LayeredStore]:
    """The store in a file, which may be written, over the reference."""
    with open_store(path) as own:
        yield LayeredStore(own, the_reference())


@contextmanager
def read_layered(path: Path | None = None, *, planned: bool = False) -> Iterator[LayeredStore]:
    """What is in a store now, over the reference; neither is changed. One that is only ``planned``
    need not exist."""
    with read_store(path, planned=planned) as own:
        yield LayeredStore(own, the_reference())
