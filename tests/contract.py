# SPDX-License-Identifier: Apache-2.0
"""The cores that the contract of every core is checked on, and sessions with them.

The cores follow from the catalogue and from the examples of ciphers from outside: a new cipher is
among them at once. What must come out of a session is told by the model.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest
from emitted import OF_A_FAMILY, covering, is_legal

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE, modes_of
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed
from headwater.cipher.option import STREAMS
from headwater.cipher.outside import GROUP
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.emit.verilog import Verilog, generate
from headwater.flow.verilator import simulate
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.verify.engine import RtlEngine
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import VectorFile, own_files, read_variants

EXAMPLES = Path(__file__).parents[1] / "examples"
_FREE = {"stall": "none", "clear": "none"}
_MIDDLE = 8
"""A radix that many ciphers have, at which each option is met."""
_AHEAD = (2, 4, 16, 32, 64)
"""Radices at which what can be made ahead is."""
_SHORT, _LONG = 3, 20
"""Of so few legal radices each option is met at two, and of so many only some are taken."""


def _outside() -> Iterator[tuple[Cipher, Path]]:
    """The ciphers of the examples, and the folders of their vectors. They are not added to the
    catalogue, which other tests share."""
    for project in sorted(EXAMPLES.glob("*/pyproject.toml")):
        points = tomllib.loads(project.read_text())["project"]["entry-points"][GROUP]
        sys.path.append(str(project.parent))
        for name in points.values():
            path = project.parent.joinpath(*name.split(".")).with_suffix(".py")
            spec = spec_from_file_location(name, path)
            assert spec is not None
            assert spec.loader is not None
            module = sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(module)
            for cipher in module.CIPHERS:
                yield cipher, path.parent / "vectors"


_VECTORS = dict(_outside())
CIPHERS = [*CATALOGUE.values(), *_VECTORS]


@cache
def files_of(cipher: Cipher) -> list[VectorFile]:
    """The vectors of a cipher, by variant."""
    return [file for path in paths_of(cipher) for file in read_variants(path, cipher, {})]


def paths_of(cipher: Cipher) -> list[Path]:
    """The files of them; those of its modes are with these."""
    if cipher in _VECTORS:
        return [_VECTORS[cipher] / f"{cipher.name}.json"]
    others = {mode.name for mode in modes_of(cipher)}
    return [path for path in own_files(cipher) if path.stem not in others]


# --- cores


@dataclass(frozen=True)
class Core:
    """A core that is simulated."""

    cipher: Cipher
    """With the parameters that the architecture holds."""
    architecture: Architecture

    @property
    def label(self) -> str:
        """What tells it from others: radix, load width, and options that are not the usual ones."""
        at, usual = self.architecture, self.cipher.defaults
        said = [f"{name}={value}" for name, value in at.chosen if usual[name] != value]
        return "-".join([self.cipher.name, f"{at.radix}x{at.load_width}", *said])

    @cached_property
    def facts(self) -> Facts:
        """Its timing and its streams."""
        return facts_of(self.cipher, self.architecture)

    @cached_property
    def verilog(self) -> Verilog:
        """Its text."""
        return generate(self.cipher, self.architecture)

    def engine(self, gaps_permille: int = 0) -> RtlEngine:
        """What runs it; with gaps where it can wait."""
        gaps = gaps_permille if self.facts.waits else 0
        return RtlEngine(self.cipher, self.architecture, gaps_permille=gaps, seed=gaps + 1)

    @property
    def takes_messages(self) -> bool:
        """Whether a text goes through it."""
        return "data_in" in self.facts.streams

    @property
    def iv_lengths(self) -> list[int]:
        """The lengths of the IV that it can load, in bits."""
        return [bits for bits in self.cipher.iv_bits if not self.facts.unfit(bits)]


def chosen(
    cipher: Cipher, options: dict[str, str], radix: int | None = None, width: int | None = None
) -> Core:
    """The core with these choices."""
    made = Architecture.choose(cipher, radix=radix, load_width=width, options=options)
    return Core(cipher.with_parameters(made.options), made)


def wide(cipher: Cipher) -> int:
    """The natural radix, or the widest where it is not legal."""
    legal = cipher.legal_radices()
    return cipher.natural_radix if cipher.natural_radix in legal else legal[-1]


def few(cipher: Cipher) -> list[Core]:
    """The default one first; the narrowest and a wide one, and ways to wait and to clear. Of one of
    a family the others do what those of another do."""
    default, narrow = cipher.default_radix, cipher.legal_radices()[0]
    asked: list[tuple[int, dict[str, str]]] = [
        (default, {}),
        (wide(cipher), {"clear": "instant"}),
        (default, {"stall": "none"}),
        (narrow, _FREE if is_legal(cipher, narrow, _FREE) else {"clear": "none"}),
    ]
    made = [
        chosen(cipher, options, radix)
        for radix, options in asked
        if is_legal(cipher, radix, options)
    ]
    if cipher.name in OF_A_FAMILY:
        return [made[0], made[-1]]
    return list(dict.fromkeys(made))


def some_radices(cipher: Cipher) -> list[int]:
    """All of a short list; of a long one the narrow radices, and some around and beyond the natural
    one."""
    legal = cipher.legal_radices()
    if len(legal) < _LONG:
        return list(legal)
    natural = cipher.natural_radix
    further = {natural - 1, natural, natural + 1, 2 * natural + 3, legal[-1]}
    return sorted({*range(1, 9), *further} & set(legal))


def many(cipher: Cipher) -> list[Core]:
    """Beside those more radices and load widths, and each value of each option."""
    if cipher.name in OF_A_FAMILY:
        return few(cipher)
    default = cipher.default_radix
    middle = _MIDDLE if _MIDDLE in cipher.legal_radices() else default
    widths = cipher.legal_load_widths(default)
    made = [chosen(cipher, {}, radix) for radix in some_radices(cipher)]
    made += [chosen(cipher, {}, width=width) for width in (widths[len(widths) // 2], widths[-1])]
    some = {cipher.legal_radices()[0], middle}
    for radix in sorted(
        some | ({wide(cipher)} if len(cipher.legal_radices()) <= _SHORT else set())
    ):
        made += [
            chosen(cipher, options, radix)
            for options in (*covering(cipher, radix), *together(cipher, radix))
        ]
    made += [chosen(cipher, options, radix) for radix in _AHEAD for options in ahead(cipher, radix)]
    return list(dict.fromkeys([*few(cipher), *made]))


def together(cipher: Cipher, radix: int) -> Iterator[dict[str, str]]:
    """Cores that cannot wait, with each way to clear, and with as many other values as go with
    these, the last of each option first."""
    for clear in ("none", "instant"):
        options = {"stall": "none", "clear": clear}
        if not is_legal(cipher, radix, options):
            continue
        yield dict(options)
        for option in cipher.choices:
            for value in reversed(option.values[1:]):
                more = {**options, option.name: value}
                if (
                    option != STREAMS
                    and option.name not in options
                    and is_legal(cipher, radix, more)
                ):
                    options = more
        yield options


def ahead(cipher: Cipher, radix: int) -> Iterator[dict[str, str]]:
    """Options whose value is "ahead", which are legal at some radices alone."""
    for option in cipher.choices:
        for more in ({}, {"stall": "none"}):
            options = {option.name: "ahead", **more}
            if "ahead" in option.values and is_legal(cipher, radix, options):
                yield options


def _cases(cores: Callable[[Cipher], Sequence[Core]]) -> Sequence[object]:
    """A case for each core. Those of the default core of each cipher are in the short run, and no
    others, whose Verilog would have to be made there."""
    found = []
    for cipher in CIPHERS:
        for place, core in enumerate(cores(cipher)):
            mark = pytest.mark.slow if place else pytest.mark.every_cipher
            found.append(pytest.param(core, id=core.label, marks=mark))
    return found


EVERY_CIPHER = pytest.mark.parametrize(
    "cipher", [pytest.param(one, id=one.name, marks=pytest.mark.every_cipher) for one in CIPHERS]
)
FEW_CORES = pytest.mark.parametrize("core", _cases(few))
MANY_CORES = pytest.mark.parametrize("core", _cases(many))


# --- sessions


def key_and_iv(cipher: Cipher, seed: object, iv_bits: int, key_bits: int) -> tuple[bytes, bytes]:
    """Some key and IV."""
    source, order = Random(f"{cipher.name} {seed}"), cipher.input_order or cipher.bit_order
    iv = cipher.fitting_iv(source.getrandbits(iv_bits)) if iv_bits else 0
    return source.randbytes(key_bits // 8), bitstring.to_bytes(iv, iv_bits, order)


def message(core: Core, seed: object, data: int, bits: int) -> Message:
    """Some message with so many bytes of associated data, where there is any, and bits of text, in
    the direction that the core has. Lengths of key, IV and tag are any of those that are legal."""
    cipher, source = core.cipher, Random(f"{core.cipher.name} message {seed}")
    bits -= bits % cipher.text_unit
    lengths = [length for length in core.iv_lengths if length % 8 == 0] or core.iv_lengths
    key_bits = source.choice([*cipher.shorter_keys, cipher.key_bits])
    key, iv = key_and_iv(cipher, seed, source.choice(lengths), key_bits)
    text = bitstring.to_bytes(source.getrandbits(bits) if bits else 0, bits, cipher.bit_order)
    return Message(
        key,
        iv,
        source.randbytes(data) if cipher.takes_associated_data else b"",
        text,
        bits,
        decrypts=core.architecture["direction"] == "decrypt",
        tag_bits=source.choice(cipher.tag_lengths) if cipher.tag_lengths else None,
    )


@dataclass(frozen=True)
class Session:
    """What a core is given, and what must come."""

    load: tuple[int, ...]
    taken: tuple[str, ...]
    """The commands behind the load."""
    expected: object
    outcome: Callable[[Iterator[str]], object]
    """What came, from the lines that were printed."""

    def loading(self, words: slice = slice(None)) -> str:
        """The command that offers the load words, or some of them."""
        return "load " + " ".join(f"{word:x}" for word in self.load[words])

    @property
    def commands(self) -> tuple[str, ...]:
        """Those of the whole session."""
        return (self.loading(), *self.taken)


def session(core: Core, seed: int, words: int = 5) -> Session:
    """A few words of keystream, or a message of more than some words."""
    if core.takes_messages:
        width = core.facts.streams["data_in"].width
        return session_of(core, message(core, seed, 5, max(77, words * width + 8)))
    key, iv = key_and_iv(core.cipher, seed, core.facts.stated_iv_bits, core.cipher.key_bits)
    stream = core.facts.streams["keystream"]
    model = Keystream(core.cipher, key=key, iv=iv, iv_bits=core.facts.stated_iv_bits)
    string = bitstring.from_bytes(model.read(words * stream.width), core.cipher.bit_order)
    return Session(
        tuple(core.facts.load_words(key, iv, core.facts.stated_iv_bits)),
        (f"take {words}",),
        [stream.payload(string, number) for number in range(words)],
        lambda printed: [int(next(printed), 16) for _ in range(words)],
    )


def session_of(core: Core, given: Message) -> Session:
    """The session of a message."""
    transfer = transfer_of(core.cipher, core.architecture, given)
    tag_bits = given.tag_bits or 0
    words = core.facts.message_load(given.key, given.nonce, tag_bits)
    return Session(
        tuple(words), tuple(transfer.commands()), process(core.cipher, given), transfer.result
    )


@dataclass(frozen=True)
class Part:
    """What a core printed under some of the commands, and the number of the cycle behind them."""

    printed: list[str]
    cycle: int


def run(core: Core, *parts: Iterable[str], verilog: Verilog | None = None) -> list[Part]:
    """What a core does under some commands behind a reset, and then under further ones; of a core
    with sessions in turn the first session."""
    streams = core.architecture.streams
    begin = [f"turns {streams} 0"] * (streams > 1) + ["reset 2"]
    commands = [line for part in parts for line in (*part, "cycle")]
    found: list[Part] = []
    lines: list[str] = []
    for line in simulate(verilog or core.verilog, [*begin, *commands]):
        if line.startswith("cycle "):
            found.append(Part(lines, int(line.split()[1])))
            lines = []
        else:
            lines.append(line)
    return found


def assert_sessions(given: Session, parts: Sequence[Part]) -> None:
    """That each of these parts has the whole outcome of a session and nothing else."""
    assert parts
    for place, part in enumerate(parts):
        printed = iter(part.printed)
        assert given.outcome(printed) == given.expected, f"session {place}"
        assert next(printed, None) is None, f"session {place}"


def received(sent: Message, sealed: Sealed) -> Message:
    """The message as it arrives."""
    return replace(sent, text=sealed.text, decrypts=not sent.decrypts)
