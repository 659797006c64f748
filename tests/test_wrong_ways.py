# SPDX-License-Identifier: Apache-2.0
"""Wrong ways to write the files of two examples: each is refused in one sentence, with the field,
and with the line where a function went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.cipher import outside
from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import InputError

EXAMPLES = Path(__file__).parents[1] / "examples"
STEP = "step of associated.between[0] of romulusn must be readable: "
ROMULUS: dict[str, tuple[str, str, str]] = {
    "float": ("rate=128", "rate=128.0", "rate of text of romulusn must be int, not 128.0"),
    "float count": (
        "Repeat(40,",
        "Repeat(40.0,",
        "count of between[0] of associated of romulusn must be int, not 40.0",
    ),
    "operands exchanged": (
        "Repeat(40, round_of,",
        "Repeat(round_of, 40,",
        "count of between[0] of associated of romulusn must be int, not <function round_of",
    ),
    "no source": ('Take("nonce"', 'Take("iv"', "source of start[1] of romulusn must be one of key"),
    "width": ("replicate(64)", "replicate(63)", f"{STEP}words must have equal lengths, not 64 and"),
    "rotation": (
        "8 * n) for n",
        "80 * n) for n",
        f"{STEP}places that 32 bits are rotated by must be between -32 and 32, not 80",
    ),
    "rotation by a float": ("8 * n) for n", "8.5 * n) for n", "between -32 and 32, not 0.0"),
    "no such bit": (
        "number[5] &",
        "number[7] &",
        f"{STEP}bit of a word of 6 bits must be between -6 and 5, not 7",
    ),
    "bits of a float": (
        "t2[:64] ^ t3[:64]",
        "t2[:64] ^ t3[: 128 / 2]",
        f"{STEP}bits of a word must be between whole numbers, not slice(None, 64.0, None)",
    ),
    "wide number": (
        '^ 2 << 64, "x"',
        '^ 2 << 128, "x"',
        f"{STEP}number beside a word of 128 bits must fit it, not 0x2{32 * '0'}",
    ),
    "number on the left": (
        "(c ^ 1, mark)",
        "(1 ^ c, mark)",
        "must be readable: a number must stand on the right of ^, & and |, not 1 before it",
    ),
    "plus": ("times_x(c ^ 1, 0x95) ^ 1", "c + 1", "words must be added with add(a, b), not with +"),
    "text": ("c ^ 1, 0x95", 'c ^ "1", 0x95', "must be a word or a number"),
    "condition": (
        "choose(runs, mixed",
        "choose(t1, mixed",
        f"{STEP}condition of choose must have one bit, not 64",
    ),
    "many bits, many times": (
        "(~number[0]).replicate",
        "(~number[:2]).replicate",
        f"{STEP}a word that is replicated must have one bit, not 2",
    ),
    "name of a circuit": ('"s8", 8, s8', '"module", 8, s8', f"{STEP}circuit must have a name"),
    "width of a circuit": (
        '"s8", 8, s8',
        '"s8", 7, s8',
        f"{STEP}circuit s8 must give 7 bits, as stated, not 8",
    ),
    "if": ('"s": s ^ block[:128]', '"s": s if s[0] else ~s', "it goes with & ^ | ~, not with if"),
    "nothing is named": (
        "    return [word[low : low + 8] for low in range(0, len(word), 8)]",
        (
            "    for _ in range(16):\n        word = word ^ (word << 1)[: len(word)]\n"
            "    return [word[low : low + 8] for low in range(0, len(word), 8)]"
        ),
        "must name with wire(...) what it reads more than once: with all of it written out",
    ),
}
RABBIT: dict[str, tuple[str, str, str]] = {
    "phase without end": (
        'Phase("key", 2)',
        'Phase("key", None)',
        "steps of key of rabbit must be int, not None",
    ),
    "control": (
        '("mixing",)',
        '("mix",)',
        (
            "step of rabbit must take 5 operands, and by name expanding, mix, or end with **_ and "
            "leave names out: missing a required argument: 'mixing'"
        ),
    ),
    "controls of the load": (
        "entering, **_)",
        "entering)",
        "enter of load of rabbit must take 5 operands, and by name entering, expanding, mixing",
    ),
    "factor": (
        "multiply(concatenate(total, total & 0), total)",
        "multiply(concatenate(total, total & 0), 3)",
        "step of rabbit must be readable: both factors must be words, not 3",
    ),
    "number that is added": (
        ", ADDED)",
        ", ADDED << 4)",
        "step of rabbit must be readable: number beside a word of 257 bits must fit it, not 0xd",
    ),
    "float that is added": (", ADDED)", ", 1.5)", "must be a word or a number, not 1.5"),
    "words that are added": (
        "concatenate(b, c & 0)),",
        "b),",
        "step of rabbit must be readable: words must have equal lengths, not 257 and 1",
    ),
    "table": (
        "square[:32] ^ square[32:]",
        "lookup(square[:3], table_word(range(7), 32))",
        "step of rabbit must be readable: number of entries of a table must be a power of two",
    ),
    "entry of a table": (
        "square[:32] ^ square[32:]",
        "lookup(square[:1], table_word((1.0, 2), 32))",
        "entries of a table of 32 bits must be between 0 and 4294967295, not 1.0",
    ),
    "load that keeps": ('"c": c & 0', '"c": c', "load of rabbit must replace all of c, not depend"),
}
WAYS = [("romulus", name, *way) for name, way in ROMULUS.items()]
WAYS += [("rabbit", name, *way) for name, way in RABBIT.items()]
WITHOUT_A_LINE = ("must be int", "must be one of", "must take 5", "must name", "must replace")


@pytest.mark.parametrize(
    ("example", "old", "new", "said"),
    [pytest.param(example, *way, id=name) for example, name, *way in WAYS],
)
def test_a_wrong_way(example: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    before = (EXAMPLES / example / f"{example}.py").read_text()
    text = before.replace("import add, choose", "import add, lookup, table_word, choose")
    text = text.replace(old, new)
    assert old in before
    file, known = tmp_path / "wrong.py", set(CATALOGUE)
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        outside.add_file(file)
    sentence = str(refused.value)
    assert said in sentence
    assert "\n" not in sentence
    if not any(words in said for words in WITHOUT_A_LINE):
        line = text[: text.index(new)].count("\n") + 1
        assert sentence.endswith(f" (line {line})"), line
    assert set(CATALOGUE) == known
