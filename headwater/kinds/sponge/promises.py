# SPDX-License-Identifier: Apache-2.0
"""What an Ascon core promises, each promise as a circuit that watches the core.

``setup``, ``load``, ``step``, ``blocks``, ``words`` and ``tag`` together say what every register
becomes in every phase, in the description's words.
"""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.algebra.word import unnamed
from headwater.cipher.ascon import (
    INITIAL_WORD,
    LONG_ROUNDS,
    SEPARATION_BIT,
    SHORT_ROUNDS,
    State,
    permutation_round,
    round_constant,
)
from headwater.core.naming import named
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.reading import apart, described
from headwater.prove.session import session
from headwater.prove.watcher import (
    Property,
    Watcher,
    aborting,
    becomes,
    earlier,
    ended,
    promise,
)


def _phases(core: SpongeCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    true = ~core.idle | (core.loading & (core.place == 0))
    true &= ~core.loading | ~(core.permuting | (core.round != 0))
    true &= core.loading | core.running | core.permuting
    true &= core.running | (core.fresh & ~(core.opened | core.texting | core.padded | core.ended))
    true &= core.running | ~(core.finishing | core.tagging)
    true &= ~(core.running & core.loading) & ~(core.tagging & core.permuting)
    true &= ~core.tagging | core.finishing
    true &= ~core.finishing | core.permuting | core.tagging
    return true & (~core.permuting | _counts(core))


def _counts(core: SpongeCore) -> Value:
    """Whether the number of the round is one that a cycle of the permutation begins with."""
    short = core.running & ~core.finishing
    numbers = range(0, LONG_ROUNDS, core.unrolled)
    fits = Cat(core.round == number for number in numbers).any()
    return fits & (~short | (core.round >= core.facts.first_short_number))


def watch_setup(m: Module, core: SpongeCore, watcher: Watcher) -> None:
    """Data is taken when all load words and the rounds behind them have passed, and not before.
    Only missing load words delay this."""
    facts = core.facts
    words = Signal(range(facts.load_words_count + 1), name=watcher.named("words"))
    made = Signal(range(facts.long_cycles + 1), name=watcher.named("made"))
    loaded, over = words == facts.load_words_count, made == facts.long_cycles
    with m.If(core.load.valid & ~loaded):
        m.d.sync += words.eq(words + 1)
    with m.If(loaded & ~over):
        m.d.sync += made.eq(made + 1)
    dropped = ended(core, loaded) | (over & core.finished)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), made.eq(0)]
    promises = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.running == over,
        over | ~(core.data_in.ready | core.data_out.valid | core.tag.valid),
    ]
    setting_up = loaded & ~over
    beside = [
        words <= facts.load_words_count, made <= facts.long_cycles, (made == 0) | loaded,
        core.idle == (words == 0), loaded | (core.place == words[: len(core.place)]),
        over | (core.permuting == setting_up),
        over | (core.round == (made * core.unrolled)[:4]),
        ~setting_up | (core.place == 0),
        _phases(core),
    ]  # fmt: skip
    promise(m, watcher, promises, beside=beside)


def watch_load(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """Behind the last load word S0 is the constant, S1 and S2 are the key, S3 and S4 the nonce:
    each word enters S4, while the words before it move down, and those of the key are kept."""
    m.d.comb += Assume(_phases(core))
    fires = core.load_fire & ~aborting(core)
    string = Cat(*core.s[1:])
    moved = Cat(string, core.load.payload) >> core.width
    for place, register in enumerate(core.s[1:]):
        becomes(m, fires, register, moved[WORD_BITS * place : WORD_BITS * (place + 1)])
    becomes(m, fires, core.s[0], Const(INITIAL_WORD, WORD_BITS))
    keys = core.place < core.facts.words
    becomes(m, fires, core.key,
            Mux(keys, Cat(core.key, core.load.payload) >> core.width, core.key))  # fmt: skip


def watch_step(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """A cycle of the permutation makes as many of the description's rounds as are unrolled, from
    the number that the core counts, but none before the first that a short permutation has."""
    m.d.comb += Assume(_phases(core))
    s: State = (core.s[0], core.s[1], core.s[2], core.s[3], core.s[4])
    first = core.facts.first_short_number
    short = core.running & ~core.finishing & (core.round == first)
    for turn, state in enumerate(core.made):
        number = named(m, f"number_{turn}", (core.round + turn)[:4])
        made = permutation_round(unnamed, s, round_constant(number))
        if first + turn < LONG_ROUNDS - SHORT_ROUNDS:
            made = tuple(Mux(short, old, new) for old, new in zip(s, made, strict=True))
        for word, new in zip(state, made, strict=True):
            m.d.comb += Assert(~core.permuting | (word == new))
        s = state
    for register, value in zip(core.s, s, strict=True):
        becomes(m, core.permuting & ~aborting(core), register, value)
    becomes(m, core.permuting & ~aborting(core), core.key, core.key)


def _absorbs(core: SpongeCore) -> Value:
    """Whether a word enters the state in this cycle."""
    waiting = core.running & ~core.permuting & ~core.tagging
    return waiting & core.word.enable & ~aborting(core)


def _is_associated(core: SpongeCore) -> Value:
    """Whether the word at the input is associated data."""
    return core.data_in.ad & core.data_in.keep[0] & ~core.ended


def _is_text(core: SpongeCore) -> Value:
    """Whether the block is one of the text: nothing of the associated data is left."""
    return core.texting | ~(core.opened | core.padded | _is_associated(core))


def _counted(core: SpongeCore) -> Value:
    """The bytes of the input that enter: those of the part that is not yet padded."""
    takes = ~core.padded & ~core.ended & (_is_associated(core) | ~core.opened)
    return Mux(takes, core.data_in.keep, 0)


def _is_last(core: SpongeCore) -> Value:
    """Whether the word is the last of its block."""
    return core.place % core.facts.words == core.facts.words - 1


def watch_blocks(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """The rounds count up to the last one. Behind the last word of a block they begin anew: all of
    them, and then the tag, if the text's padding has begun; else those between two blocks."""
    m.d.comb += Assume(_phases(core))
    makes, rounds = core.permuting & ~aborting(core), core.round + core.unrolled
    over = rounds == LONG_ROUNDS
    becomes(m, makes & ~over, core.round, rounds[:4])
    becomes(m, makes, core.permuting, ~over)
    becomes(m, makes, core.tagging, over & core.finishing)
    becomes(m, makes, core.finishing, core.finishing)
    enters, ends = _absorbs(core), _absorbs(core) & _is_last(core)
    closes = _is_text(core) & (core.padded | ~_counted(core).all())
    becomes(m, enters, core.permuting, _is_last(core))
    becomes(m, ends, core.finishing, closes)
    becomes(m, ends, core.round, Mux(closes, Const(0, 4), Const(core.facts.first_short_number, 4)))
    becomes(m, enters, core.place, (core.place + 1)[: len(core.place)])


def watch_words(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """Byte by byte: a word of the message is added to the state, or replaces it if it is
    ciphertext, and is followed by the padding; the sum leaves, and zeros behind the last byte. The
    words of a block turn. The key is added with the first word of all and with the last one, the
    mark of the text with the text's first word."""
    m.d.comb += Assume(_phases(core))
    enters, rate, counted = _absorbs(core), Cat(*core.s[:2]), _counted(core)
    replaces = core.decrypts & ~_is_associated(core)
    word: list[Value] = []
    text: list[Value] = []
    for place, counts in enumerate(counted):
        own = rate.word_select(place, 8)
        given = core.data_in.payload.word_select(place, 8)
        before = counted[place - 1] if place else Const(1, 1)
        pad = before & ~counts & ~core.padded
        text.append(Mux(counts, own ^ given, 0))
        word.append(Mux(counts, Mux(replaces, given, own ^ given), own ^ pad))
    out = core.data_out
    leaves = Cat(out.payload, out.keep, out.last) == Cat(*text, counted, core.data_in.last)
    m.d.comb += Assert(~out.valid | leaves)
    turned = Cat(rate[core.width :], *word)
    low, high = core.key[:WORD_BITS], core.key[WORD_BITS:]
    last = _is_last(core) & _is_text(core) & (core.padded | ~counted.all())
    mark = Const(1 << SEPARATION_BIT, WORD_BITS)
    begins = _is_text(core) & ~core.texting
    made = (
        turned[:WORD_BITS],
        turned[WORD_BITS:],
        core.s[2] ^ Mux(last, low, 0),
        core.s[3] ^ Mux(core.fresh, low, 0) ^ Mux(last, high, 0),
        core.s[4] ^ Mux(core.fresh, high, 0) ^ Mux(begins, mark, 0),
    )
    for register, value in zip((*core.s, core.key), (*made, core.key), strict=True):
        becomes(m, enters, register, value)


def watch_message(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """A word enters when it is offered and its text, if any, is taken; padding and zeros enter
    without one. Associated data is padded before the text begins."""
    m.d.comb += Assume(_phases(core))
    data, out, waits = core.data_in, core.data_out, core.facts.waits
    offered, taken = (data.valid, out.ready) if waits else (Const(1, 1), Const(1, 1))
    counted, enters = _counted(core), _absorbs(core)
    waiting = core.running & ~core.permuting & ~core.tagging
    own = core.padded | core.ended
    takes = ~own & (_is_associated(core) | ~core.opened)
    text = takes & ~_is_associated(core) & data.keep[0]
    m.d.comb += [
        Assert(data.ready == (waiting & takes & (taken | ~text))),
        Assert(out.valid == (waiting & offered & text)),
        Assert(core.word.enable == (waiting & (own | (offered & (~takes | data.ready))))),
    ]
    pads = ~core.padded & ~counted.all()
    becomes(m, enters, core.fresh, Const(0, 1))
    becomes(m, enters, core.opened, (core.opened | (takes & _is_associated(core))) & ~pads)
    becomes(m, enters, core.texting, _is_text(core))
    becomes(m, enters, core.padded, (core.padded | pads) & ~_is_last(core))
    becomes(m, enters, core.ended, core.ended | (takes & data.last))


def watch_tag(m: Module, core: SpongeCore, watcher: Watcher) -> None:  # noqa: ARG001
    """The words of the tag are those of S3 and S4 with the key, one after another; the core is idle
    behind the last one."""
    m.d.comb += Assume(_phases(core))
    taken = core.tag.valid & (core.tag.ready if core.facts.waits else Const(1, 1))
    tag = Cat(*core.s[3:]) ^ core.key
    rest = RATE_BITS - core.width
    m.d.comb += [
        Assert(core.tag.valid == core.tagging),
        Assert(~core.tag.valid | (core.tag.payload == tag[: core.width])),
        Assert(core.finished == (taken & _is_last(core))),
    ]
    moved = taken & ~aborting(core)
    if rest:
        left = earlier(m, "rest_of_tag", tag[core.width :])
        now = earlier(m, "tag_moved", moved)
        m.d.comb += Assert(~now | ((Cat(*core.s[3:]) ^ core.key)[:rest] == left))
    becomes(m, moved, core.place, (core.place + 1)[: len(core.place)])
    becomes(m, moved, core.tagging, Const(1, 1))


PROMISES = (
    Property(
        "setup", watch_setup,
        apart("a binary count of load words and rounds"),
        "no data is taken or given before load and first permutation are over, and it can be just "
        "then",
        cycles=lambda facts: facts.setup_cycles + 4, by_induction=always,
    ),
    Property("load", watch_load,
        apart("key and nonce, moved word by word"),
        "key and nonce are in their places when the load is over"),
    Property("step", watch_step,
        described("its rounds, one at a time"),
        "a cycle of the permutation is so many rounds"),
    Property("blocks", watch_blocks,
        apart("the count of rounds that each block must have"),
        "each block is followed by the rounds that it must have"),
    Property("words", watch_words,
        apart("state, padding, key and mark, byte by byte"),
        "a word enters the state, and its text leaves, as the description says"),
    Property("message", watch_message,
        apart("the rules of parts, padding and end"),
        "words are taken in order, and each part is padded once"),
    Property("tag", watch_tag,
        apart("the last two words of the state plus the key, in order"),
        "the tag is what the description says, word after word"),
    session(_phases),
    hold(_phases),
    silence(always, phases=_phases),
    clear("no bit of key and state behind"),
)  # fmt: skip
