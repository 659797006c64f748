# SPDX-License-Identifier: Apache-2.0
"""A named choice with its legal values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One named choice, with its legal values; the first is the default."""

    name: str
    """Its name on the command line."""
    values: tuple[str, ...]
    """All that may be chosen."""
    meaning: str
    """What each value means: "value: meaning; value: meaning"."""
    advice: str
    """What its values cost, and when to choose which."""
    unsaid: bool = False
    """Whether an architecture does not tell of its default, which is the core without the
    option."""
    best_on_fpga: str = ""
    """The value taken when none is given and the target is an FPGA, where it was measured to be
    faster there than the default, and to have more throughput per area. Empty: the default."""

    @property
    def default(self) -> str:
        """The value taken when none is given."""
        return self.values[0]

    def meaning_of(self, value: str) -> str:
        """What one value means: its part of the meaning, if that has a part for each value."""
        parts = (part.split(": ", 1) for part in self.meaning.split("; ") if ": " in part)
        return dict(parts).get(value, self.meaning)


TABLE_ADVICE = (
    "A table leaves the circuit to synthesis, which may use LUTs or memory. Choose it for an FPGA "
    "if it measures better, and gates for standard cells: fast ones where the clock is the limit."
)
"""The advice of options that say how an S-box is made."""

SBOX = Option(
    "sbox",
    ("algebraic", "fast", "table"),
    "algebraic: S-boxes are circuits of gates; fast: circuits of the fewest levels, which have "
    "more gates; table: looked up",
    TABLE_ADVICE,
)

KEY_BITS_ADVICE = "A longer key takes more cycles to load."

DIRECTION = Option(
    "direction",
    ("both", "encrypt", "decrypt"),
    "both: the input `decrypt` says whether a message is ciphertext; encrypt: messages are "
    "encrypted; decrypt: messages are decrypted",
    "One direction alone has less logic, and an encrypting core no path from its output through "
    "the text to the tag. Choose it where a device only sends or only receives.",
)
"""The directions of a message that a core has."""

STREAMS = Option(
    "streams",
    ("1", "2", "3", "4"),
    "1: one session; 2: two sessions in turn, each with every second cycle; 3: three sessions in "
    "turn, each with every third cycle; 4: four sessions in turn, each with every fourth cycle",
    "Each session costs a copy of the state, and registers between the stages of the step, which "
    "make the clock faster. All sessions together have the bits per cycle of one. Choose it for "
    "several independent sessions where the loop through the step limits the clock.",
    unsaid=True,
)
"""Sessions that share the logic of a core (`headwater.core.interleaving`)."""

CLEARS_WORDS = Option(
    "clear",
    ("shift", "none"),
    "shift: `clear` begins to overwrite state and memories with zeros; none: there is no `clear`",
    "Memories are overwritten before every load, so that shift is free but for the pin. Choose "
    "none only where no key must be erased.",
)
"""How a core with memories clears: one word of each in a cycle."""

DATAPATH = Option(
    "datapath",
    ("inside", "apart"),
    "inside: the core is one module; apart: it joins two, a controller and a datapath, and figures "
    "are of the datapath alone",
    "The datapath alone has no count of its setup and no handshake. Choose apart where several "
    "cores start together, so that one controller drives all of them, where the design around the "
    "core counts cycles itself, or to compare with a published core that leaves them out.",
    unsaid=True,
)
"""Whether state and steps are a module of their own (`headwater.emit.apart`)."""

CORE_OPTIONS = (
    Option(
        "stall",
        ("stream", "none"),
        "stream: the core waits for its streams; none: free-running, a word every cycle",
        "Waiting costs an enable on every bit of state, and in cores of words or messages a "
        "register for the word that was not taken. Choose none where the reader takes every word "
        "and load words come without a gap.",
    ),
    Option(
        "clear",
        ("shift", "instant", "none"),
        "shift: `clear` shifts zeros into the state; instant: `clear` zeroes every bit of state in "
        "one cycle; none: there is no `clear`",
        "shift costs a mask on the load word, and takes cycles; instant costs a reset on every "
        "bit of state; none is free. Choose none only where no key must be erased.",
    ),
)
"""The options that every core has, because they decide its area."""

WAITING = Option(
    "stall",
    ("stream",),
    "the core waits for its streams; no free-running one is offered",
    "There is nothing to choose.",
)
"""Of ciphers whose cores always wait."""

MASKING = Option(
    "masking",
    ("none", "first"),
    "none: key and state are plain bits; first: key, state and keystream are in two shares, so "
    "that no single net tells anything of them",
    "first costs two to four times the area, random masks for the load, and in some cores random "
    "bits in each cycle. Choose it where somebody may measure the power of the core.",
)
"""No option of a cipher: a core of it in shares has other ports."""
