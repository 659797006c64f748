# SPDX-License-Identifier: Apache-2.0
"""Whether model, Verilog and C are the cipher: vectors, lint, proofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.api.ciphers import Cipher, cipher
from headwater.cipher.description import Cipher as Description
from headwater.cipher.option import STREAMS
from headwater.cipher.whole_state import StateVector
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix
from headwater.errors import InputError, ToolError, unknown
from headwater.flow.c_library import c_compiler
from headwater.kinds.masking import masked_architecture, masked_radices
from headwater.measure.workers import in_order
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_lint, check_vectors, combined, skip_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.engines import CHECKED, GENERATED
from headwater.verify.masked import check_masked
from headwater.verify.proof import property_names, prove, prove_one
from headwater.verify.record import Record
from headwater.verify.vector_files import VectorFile, own_files, read_files

_WIDEST_COMPOSED = 8
"""Where no radix comes free, the widest one taken when none is given."""


class Checks(list[Record]):
    """The outcome of every check."""

    @property
    def passed(self) -> bool:
        """Whether no check failed, and every engine ran some vectors."""
        return not self.idle and not any(record.failed for record in self)

    @property
    def idle(self) -> list[str]:
        """Where no vector was checked: one entry for all places if it was so everywhere."""
        passed: Counter[str] = Counter()
        for record in self:
            if record.check == "vectors":
                radix = f" at radix {record.architecture.radix}" if record.architecture else ""
                passed[f" by the {record.engine}{radix}"] += record.passed
        if not any(passed.values()):
            return [""]
        return [where for where, count in passed.items() if not count]


def verify(
    of: str | Cipher,
    radix: int | Sequence[int] | None = None,
    *,
    load_width: int | None = None,
    vectors: Sequence[str | Path] = (),
    engine: str | None = None,
    prove: bool = False,
    traces: str | Path | None = None,
    jobs: int = 1,
    masking: str | None = None,
    **options: str | int,
) -> Checks:
    """Check model, Verilog and C against published vectors; prove the properties of cores.

    Parameters
    ----------
    of
        The cipher.
    radix
        Of the cores; by default the powers of two up to the natural radix.
    vectors
        Files of vectors in place of the package's own.
    engine
        Runs the vectors in this one only: ``model``; ``rtl``, the generated Verilog; ``c``, the
        generated C. By default all do, but ``c`` only where there is a compiler.
    prove
        Whether the properties of each core are proved.
    traces
        A folder, into which a run is written as VCD for each property that is broken.
    jobs
        Proofs at a time.
    masking
        ``first``: of cores in two shares: also that the sums of the shares step as the description,
        and that no probe depends on a secret.
    """
    description = (cipher(of) if isinstance(of, str) else of).description
    chosen = {name: str(value) for name, value in options.items()}
    radices = [radix] if isinstance(radix, int) else radix
    request = Request(
        description,
        radices,
        load_width,
        chosen,
        vectors,
        engine,
        prove,
        lambda _: None,
        Path(traces) if traces else None,
        jobs,
        masking,
    )
    return Checks(record for _, record in request.records())


@dataclass(frozen=True)
class Request:
    """What is verified; see `verify`. Illegal choices are refused when it is made."""

    cipher: Description
    """As it is named, without parameters."""
    radices: Sequence[int] | None
    load_width: int | None
    options: Mapping[str, str]
    vectors: Sequence[str | Path]
    engine: str | None
    prove: bool
    tell: Callable[[str], None]
    """Is called with what is not run, and why."""
    traces: Path | None = None
    """Where runs are written that break a property."""
    jobs: int = 1
    """Proofs at a time."""
    masking: str | None = None
    """``first`` for cores in two shares."""

    def records(self) -> Iterator[tuple[Description, Record]]:
        """Every check, with its cipher. Everything is read and refused before the first one."""
        engines = self._engines()
        cipher = self.cipher.with_parameters(self.options)
        legal = {engine: self._radices(cipher, engine) for engine in engines if engine in GENERATED}
        for radix in dict.fromkeys(radix for several in legal.values() for radix in several):
            self._architecture(cipher, radix)
        if not legal:
            # The model has no radix, but options must be legal for it, too.
            Architecture.choose(cipher, options=self.options)
        names = {option.name for option in cipher.parameters}
        fixed = {name: value for name, value in self.options.items() if name in names}
        paths = [Path(name) for name in self.vectors] or own_files(cipher)
        files = read_files(paths, cipher, fixed)
        cores = {
            engine: [
                (variant, self._architecture(variant, radix))
                for radix in several
                for variant in _variants(cipher, files)
            ]
            for engine, several in legal.items()
        }
        if ModelEngine.name in engines:
            yield from _by_the_model(files)
        every = [part for parts in files for part in parts]
        for engine in [name for name in engines if name in GENERATED]:
            for variant, one in cores[engine]:
                yield from self._by_a_core(engine, variant, one, every)

    def _engines(self) -> tuple[str, ...]:
        """The engines that run the vectors: all that can, unless one is given."""
        if self.masking is not None:
            return self._engines_of_shares()
        if self.engine is None:
            return ModelEngine.name, RtlEngine.name, *self._c_engine()
        if self.engine not in CHECKED:
            raise unknown("engine", self.engine, CHECKED)
        if self.prove and self.engine != RtlEngine.name:
            raise InputError(f"proofs must come with the engine rtl, not {self.engine}")
        return (self.engine,)

    def _engines_of_shares(self) -> tuple[str, ...]:
        if self.prove:
            raise InputError("proofs of a masked core are always made: leave prove out")
        if self.engine not in (None, RtlEngine.name):
            raise InputError(f"engine of a masked core must be rtl, not {self.engine!r}")
        return (RtlEngine.name,)

    def _c_engine(self) -> tuple[str, ...]:
        """The engine that runs the generated C, where there is a compiler and a core in C."""
        if self.options.get(STREAMS.name, STREAMS.default) != STREAMS.default:
            self.tell(f"vectors ({CEngine.name}): not run, as a core in C has one session")
            return ()
        try:
            c_compiler()
        except ToolError as error:
            self.tell(f"vectors ({CEngine.name}): not run, as {error}")
            return ()
        return (CEngine.name,)

    def _radices(self, cipher: Description, engine: str) -> Sequence[int]:
        """The radices that an engine runs at. The C is made at its own, unless some are given."""
        if self.radices is not None:
            return self.radices
        if self.masking is not None:
            return masked_radices(cipher)
        return [c_radix(cipher)] if engine == CEngine.name else usual_radices(cipher)

    def _architecture(self, cipher: Description, radix: int) -> Architecture:
        if self.masking is not None:
            return masked_architecture(
                cipher, self.masking, radix=radix, load_width=self.load_width, options=self.options
            )
        return Architecture.choose(
            cipher, radix=radix, load_width=self.load_width, options=self.options
        )

    def _by_a_core(
        self, engine: str, variant: Description, one: Architecture, files: Sequence[VectorFile]
    ) -> Iterator[tuple[Description, Record]]:
        """The checks of one core and of what its cipher's modes are at the same radix."""
        if engine == RtlEngine.name:
            several = check_masked(variant, one) if one.is_masked else [check_lint(variant, one)]
            for record in several:
                yield variant, record
        engines: dict[tuple[str, Architecture], RtlEngine | CEngine] = {}
        for file in files:
            if file.cipher == variant or file.cipher.name != variant.name:
                yield file.cipher, self._run(engine, file, variant, one, engines)
        if self.prove and engine == RtlEngine.name:
            for record in self._proofs(variant, one):
                yield variant, record

    def _proofs(self, cipher: Description, one: Architecture) -> Iterator[Record]:
        """The proofs of a core's properties, each as soon as it and those before it are done if
        several are made at a time."""
        if one.streams > 1:
            yield from self._proofs(cipher, one.plain)
        if self.jobs == 1:
            yield from prove(cipher, one, self.traces)
            return
        several = [(cipher, one, name, self.traces) for name in property_names(cipher, one)]
        yield from in_order(self.jobs, prove_one, several)

    def _run(
        self,
        engine: str,
        file: VectorFile,
        asked_for: Description,
        one: Architecture,
        engines: dict[tuple[str, Architecture], RtlEngine | CEngine],
    ) -> Record:
        """Run the vectors of one file in what is generated of their cipher.

        A variant with authentication runs at the requested radix; where that is not legal for it,
        its vectors are skipped.
        """
        of_state = any(isinstance(vector, StateVector) for vector in file.vectors)
        own = engine == CEngine.name and self.radices is None
        if file.cipher.name != asked_for.name or (own and of_state):
            radix = c_radix(file.cipher, of_state=of_state) if own else one.radix
            try:
                one = self._architecture(file.cipher, radix)
            except InputError as error:
                return skip_vectors(file, engine, one, str(error))
        if (file.cipher.name, one) not in engines:
            engines[file.cipher.name, one] = GENERATED[engine](file.cipher, one)
        return check_vectors(file, engines[file.cipher.name, one], one)


def usual_radices(cipher: Description) -> list[int]:
    """The legal powers of two up to the natural radix, or up to 8 for a cipher that has none above
    one."""
    widest = cipher.natural_radix if cipher.natural_radix > 1 else _WIDEST_COMPOSED
    powers = [1 << power for power in range(widest.bit_length())]
    return [radix for radix in powers if radix in cipher.legal_radices()]


def _by_the_model(files: Sequence[list[VectorFile]]) -> Iterator[tuple[Description, Record]]:
    for parts in files:
        records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts]
        yield parts[0].cipher, combined(records)


def _variants(cipher: Description, files: Sequence[list[VectorFile]]) -> list[Description]:
    """The variants of the cipher that have vectors; each has its own core."""
    named = [part.cipher for parts in files for part in parts if part.cipher.name == cipher.name]
    return list(dict.fromkeys(named)) or [cipher]
