# SPDX-License-Identifier: Apache-2.0
"""Ciphers of word registers: a step moves words, and gives a whole word of keystream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from headwater.algebra.gates import GateCounter
from headwater.algebra.memory import CountedMemory
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, Wire, Word, unnamed
from headwater.cipher.expanded import SizingWire
from headwater.cipher.memory import Memory, check_memories, check_stored
from headwater.cipher.option import CLEARS_WORDS, STREAMS, WAITING, Option
from headwater.cipher.results import (
    check_names,
    check_word,
    check_words,
    output_and_registers,
    result_of,
)
from headwater.errors import InputError, describe_lengths, describe_numbers, unknown
from headwater.kinds.stepped.description import Injected, SteppedCipher

State = Mapping[str, Word]


@dataclass(frozen=True)
class Entered(Injected):
    """Key and IV enter word by word and replace the whole content of the registers. ``entering``
    has a bit of each lane, so 32 lanes are a word a step. With all controls zero and zeros
    entering, the load must leave zeros behind, after as many steps as it has; and nothing of what
    registers held before it may remain."""

    enter: Callable[..., State] = field(kw_only=True)
    """``enter(wire, *words, entering=, **controls, **constants)`` is one step of the load: the next
    content of each register. If all controls and the entering bits are zero, repeated steps leave
    zeros."""
    zeros_last: bool = field(default=False, kw_only=True)
    """Whether an IV shorter than the longest is padded at its end."""
    fewest_words: int = field(default=1, kw_only=True)
    """Least number of load words."""


@dataclass(frozen=True, kw_only=True)
class WordCipher(SteppedCipher):
    """A cipher whose step function gives a word of output. ``step(wire, *words, **controls,
    **constants)`` is one clock: the output word and the next content of each register. Bit 0 of a
    word is its least significant one, so a word is ``Register(name, newest=0, oldest=31)``. A
    control has one bit: use ``control.replicate(32)``. The radix is ``word_bits``, one of
    ``folds``, or that of as many words as ``multiples`` says. For words whose most significant bit
    is sent first, give ``first_bit_on_top=True`` and the lanes in that order (``cipher/zuc.py``).
    """

    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})

    load: Entered
    zero_iv_bits: tuple[int, ...] = ()
    """Bits of the IV that must be zero, ascending, the first bit being bit 0."""
    memories: tuple[Memory, ...] = ()
    """Memories (`headwater.cipher.memory`). The step receives each by its name, like a control, and
    gives what it becomes among the registers; the load leaves them alone. A core has a RAM for each
    word that a step stores, and overwrites them with zeros before a load."""
    constants: Mapping[str, IntegerWord] = field(default_factory=dict, hash=False)
    """Words by name that step and load receive: tables."""
    variants: tuple[Option, ...] = ()
    """Choices that change the keystream, such as the length of the key. The first value of each is
    that of this description."""
    variant: Callable[..., WordCipher] | None = field(default=None, compare=False)
    """``variant(**values)`` is the cipher with other values of ``variants``."""
    forms: tuple[Option, ...] = ()
    """Options of the architecture for the circuit of the step. ``verify --prove`` proves from any
    state that a form is the plain description."""
    form: Callable[..., WordCipher] | None = field(default=None, compare=False)
    """``form(**values)`` is the cipher in the form that the options select. It differs in
    registers, step and load, never in its keystream. With ``folds`` the word that a step gives is
    a value of it, too: ``word_bits``."""
    folds: tuple[int, ...] = ()
    """Narrower words that some form gives: it takes as many steps for a whole one."""
    multiples: tuple[int, ...] = ()
    """Numbers of steps, ascending, that a core may also make in a cycle. Each must divide the
    number of blank steps."""
    places: Callable[[Wire, State], State] | None = field(default=None, compare=False)
    """Of a form: ``places(wire, state)`` is what those of its registers hold that are not registers
    of the plain description, if these hold ``state``. By default there are none."""
    rewritten: Callable[..., tuple[Word, State]] | None = field(default=None, compare=False)
    """Of a form: the step of the plain description as a law of it allows to write it, which is
    nearer to the form. By default it is taken as it stands."""
    plain: WordCipher | None = field(default=None, compare=False, repr=False)
    """Of a form: the plain description. Filled in by `formed`."""

    @property
    def parameters(self) -> tuple[Option, ...]:
        """Those in ``variants``."""
        return self.variants

    def with_parameters(self, values: Mapping[str, str]) -> WordCipher:
        """The cipher with these values of ``variants``; other names are ignored."""
        chosen = {one.name: values.get(one.name, one.default) for one in self.variants}
        for one in self.variants:
            if chosen[one.name] not in one.values:
                raise unknown(f"option {one.name}", chosen[one.name], one.values)
        if self.variant is None or all(chosen[one.name] == one.default for one in self.variants):
            return self
        return self.variant(**chosen)

    def for_key(self, bits: int) -> WordCipher:
        """The cipher that takes keys of this length, if the length is one of ``variants``."""
        legal = {
            int(value) for one in self.variants if one.name == "key_bits" for value in one.values
        }
        if legal and bits not in legal:
            lengths = describe_lengths(tuple(sorted(legal)))
            raise InputError(f"key of {self.name} must be {lengths}, not {bits} bits")
        return self.with_parameters({"key_bits": str(bits)}) if legal else self

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, those in ``forms``, and the number of sessions. A core with
        memories waits, cannot zero all at once, and has one session."""
        if self.memories:
            kept = (one for one in super().options if one.name not in ("stall", "clear"))
            return (WAITING, CLEARS_WORDS, *kept, *self.forms)
        return (*super().options, *self.forms, STREAMS)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse more load steps in a cycle than the form of the step allows."""
        super().check_choices(radix, load_width, options)
        widths = self.formed(options, radix).legal_load_widths(radix)
        if load_width not in widths:
            chosen = " ".join(f"{form.name}={options[form.name]}" for form in self.forms)
            raise InputError(
                f"load width of {self.name} with {chosen} must be {describe_numbers(widths)}, "
                f"not {load_width!r}"
            )

    def formed(self, values: Mapping[str, str], radix: int | None = None) -> WordCipher:
        """The cipher in the form that the options select, and whose step gives ``radix`` bits: a
        whole word if it is left out."""
        if self.with_parameters(values) is not self:
            return self.with_parameters(values).formed(values, radix)
        if self.form is None:
            return self
        folded = {"word_bits": radix} if radix in self.folds else {}
        form = self.form(**{choice.name: values[choice.name] for choice in self.forms}, **folded)
        return replace(form, form=None, folds=(), plain=self)

    def placed(self, state: State, wire: Wire) -> dict[str, Word]:
        """What the registers of this form hold if those of the plain description hold ``state``.
        Refuses a register without a place, and a place of another length."""
        known = {**state, **(self.places(wire, state) if self.places else {})}
        places = {register.name: known.get(register.name, ()) for register in self.registers}
        for register in self.registers:
            if len(places[register.name]) != register.length:
                raise InputError(
                    f"place of {register.name} in a form of {self.name} must be a word of "
                    f"{register.length} bits, not of {len(places[register.name])}"
                )
        return places

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first, the IV padded to the longest legal length. An
        error names the bits of the IV that must be zero."""
        key_string, iv_string = super().input_bits(key, iv, iv_bits)
        self.check_zero_bits(iv_string)
        if self.load.zeros_last:
            length = self._check_lengths(key, iv, iv_bits)
            filling = self.iv_bits[-1] - length
            iv_string = iv_string[filling:] + iv_string[:filling]
        return key_string, iv_string

    def legal_radices(self) -> tuple[int, ...]:
        """One word, a part of it that a form gives, or several words."""
        return (*self.folds, *(count * self.word_bits for count in (1, *self.multiples)))

    @property
    def natural_radix(self) -> int:
        """One word: a step reads what the one before has made."""
        return self.word_bits

    @property
    def default_radix(self) -> int:
        """One word."""
        return self.word_bits

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """The bits of one load step, of 2, 4 ... up to all load steps, or of the number that gives
        the fewest words."""
        steps, most = self.load_steps, self.load_steps // self.load.fewest_words
        if not self.phases:  # The setup ends with a load word that another one came before.
            most = min(most, steps // 2)
        return tuple(self.lane_count * count for count in range(1, most + 1) if steps % count == 0)

    def default_load_width(self, radix: int) -> int:
        """One load step in a cycle: the registers' own moves then load them."""
        return self.legal_load_widths(radix)[0]

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step in its default form, with all controls zero; an adder counts
        as full adders."""
        counter = GateCounter()
        memories = self._default.counted_memories(counter)
        words = self._default.counted(counter)
        self._default.step(unnamed, *words, **self._default.at_rest, **memories)
        return counter.gates

    def check_functions(self) -> None:
        """Also refuses a step that does not give the word of each radix, a step or a load without a
        word as long as each register, and a load that leaves something of the state before it."""
        super().check_functions()
        names = [*(one.name for one in self.registers), *self.controls, *self.constants]
        check_memories(self.name, self.memories, names)
        if self.memories and self.form is not None:
            raise InputError(f"form of {self.name} must be left out, as it has memories")
        for radix in (*self.folds, self.word_bits):
            self.formed(self._defaults, radix).check_results(radix)
        for count in self.multiples:
            if self.blank_steps % count:
                raise InputError(
                    f"multiples of {self.name} must divide its {self.blank_steps} blank steps, not "
                    f"{count}"
                )
        self._default.check_load()

    def check_results(self, bits: int) -> None:
        """Refuse a step that does not give so many bits, and registers of other lengths."""
        counter, what = GateCounter(), f"step of {self.name}"
        words, memories = self.counted(counter), self.counted_memories(counter)
        wire = SizingWire()
        results = result_of(what, self.step, wire, *words, **self.at_rest, **memories)
        output, after = output_and_registers(what, results)
        check_word(f"output of {what}", output, bits)
        names = [one.name for one in self.registers] + [one.name for one in self.memories]
        check_names(what, after, names)
        check_stored(what, after, self.memories, CountedMemory)
        registers = {name: word for name, word in after.items() if name not in memories}
        check_words(what, registers, self.registers)
        entering = SymbolicWord((0,) * self.lane_count)
        wire.check(what, [output, *after.values()])
        what = f"enter of load of {self.name}"
        loaded = result_of(what, self.load.enter, wire, *words, entering=entering, **self.at_rest)
        check_words(what, loaded, self.registers)
        wire.check(what, loaded.values())

    def check_load(self) -> None:
        """Refuse a load that leaves something of the state before it, and one whose steps leave no
        zeros where all controls and entering bits are zero."""
        loaded, otherwise = (self._after_zeros(ones, self.control_at) for ones in (False, True))
        cleared = self._after_zeros(True, lambda _name, _step: False)
        for register in self.registers:
            if loaded[register.name].value != otherwise[register.name].value:
                raise InputError(
                    f"load of {self.name} must replace all of {register.name}, "
                    "not depend on what it was before"
                )
            if cleared[register.name].value:
                raise InputError(
                    f"load of {self.name} must leave zeros in {register.name} where controls and "
                    f"entering bits are zero, not {cleared[register.name].value:#x}"
                )

    @property
    def _defaults(self) -> dict[str, str]:
        """The options of the default form."""
        return {choice.name: choice.default for choice in self.forms}

    @cached_property
    def _default(self) -> WordCipher:
        """The cipher in its default form."""
        return self.formed(self._defaults)

    def counted(self, counter: GateCounter) -> list[SymbolicWord]:
        """The registers, of bits whose gates are counted."""
        return [
            SymbolicWord(tuple(counter.bit() for _ in range(register.length)))
            for register in self.registers
        ]

    def counted_memories(self, counter: GateCounter) -> dict[str, CountedMemory]:
        """The memories, whose uses are counted."""
        return {one.name: CountedMemory(counter, one.words, one.bits) for one in self.memories}

    @property
    def at_rest(self) -> dict[str, Word]:
        """The operands of a step other than registers, all controls zero."""
        constants = {name: SymbolicWord.of(word) for name, word in self.constants.items()}
        return {**{name: SymbolicWord((0,)) for name in self.controls}, **constants}

    def _after_zeros(
        self, ones: bool, control_at: Callable[[str, int], bool]
    ) -> Mapping[str, IntegerWord]:
        """The registers after a load of zeros. Before it, all of their bits are alike."""
        state: Mapping[str, IntegerWord] = {
            register.name: IntegerWord(-ones & (1 << register.length) - 1, register.length)
            for register in self.registers
        }
        entering = IntegerWord(0, self.lane_count)
        for step in range(-self.load_steps, 0):
            controls = {name: IntegerWord(control_at(name, step), 1) for name in self.controls}
            words = (state[register.name] for register in self.registers)
            state = self.load.enter(
                unnamed, *words, entering=entering, **controls, **self.constants
            )
        return state
