# SPDX-License-Identifier: Apache-2.0
"""A load table as C: bytes of key and IV to the words of a load.

``load_code(name, table)`` prints two functions, static and free of any library:

- ``unsigned NAME_load_string(uint8_t *string, PARAMETERS)`` fills ``NAME_LOAD_BYTES`` bytes with
  the load string and gives its length in bits, or 0 if a length or a value is not legal.
- ``void NAME_load_word(uint64_t *word, const uint8_t *string, unsigned number)`` is the payload of
  one load word, in limbs of 64 bits or of another width, the lowest first.

PARAMETERS are `load_parameters`. They depend on the cipher: a length is one of them only where it
may vary. The string holds the key, so the caller erases it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.interface.load_table import (
    BLOCK,
    IV,
    KEY,
    KEY_BYTES,
    ONE,
    TAG_BITS,
    Line,
    LoadTable,
    Run,
)

_SOURCES = (ONE, KEY, IV, BLOCK, TAG_BITS, KEY_BYTES)
_NUMBERS = (BLOCK, TAG_BITS, KEY_BYTES)
_MOST_SIGNIFICANT_FIRST = 7
"""What the number of a bit in its byte is XORed with where the first bit is the highest."""


def load_parameters(table: LoadTable) -> dict[str, str]:
    """Name and C type of each input that `NAME_load_string` takes, in order."""
    kinds = {
        "key": ("const uint8_t *", table.key_bits != (0,)),
        "key_bytes": ("unsigned ", len(table.key_bits) > 1),
        "iv": ("const uint8_t *", table.iv_bits != (0,)),
        "iv_bits": ("unsigned ", len(table.iv_bits) > 1),
        "tag_bits": ("unsigned ", bool(table.tag_lengths)),
        "block": ("uint64_t ", bool(table.block_bits)),
    }
    return {name: kind for name, (kind, is_used) in kinds.items() if is_used}


def legal(name: str, numbers: Sequence[int]) -> str:
    """A C condition: the variable has one of these values, given in ascending order."""
    first, last = numbers[0], numbers[-1]
    step = numbers[1] - first if len(numbers) > 1 else 1
    if len(numbers) < 3 or tuple(numbers) != tuple(range(first, last + 1, step)):
        return " || ".join(f"{name} == {number}" for number in numbers)
    terms = [f"{name} >= {first}"] if first else []
    terms.append(f"{name} <= {last}")
    if step > 1:
        terms.append(f"{name} % {step} == {first % step}")
    return " && ".join(terms)


def wrong_first_bit(order: BitOrder, expected: int) -> str:
    """A C condition: the first bit of the IV is another one."""
    first = "iv[0] >> 7" if order == "msb_first" else "(iv[0] & 1)"
    return f"{first} != {expected}"


def not_zero(order: BitOrder, places: Collection[int]) -> str:
    """A C condition: some of these bits of the IV are not zero."""
    length = -(-(max(places) + 1) // 8)
    masks = bitstring.to_bytes(sum(1 << place for place in places), 8 * length, order)
    masked = (
        f"iv[{byte}]" if mask == 255 else f"(iv[{byte}] & 0x{mask:02x})"
        for byte, mask in enumerate(masks)
        if mask
    )
    return f"({' | '.join(masked)}) != 0"


def load_code(name: str, table: LoadTable, *, limb_bits: int = 64) -> str:
    """The C text of both functions.

    Parameters
    ----------
    name
        What every symbol begins with.
    table
        The map.
    limb_bits
        32 or 64: the width of the limbs of a load word.
    """
    runs = [run for part in table.parts for run in part.runs]
    parameters = "".join(
        f", {kind}{parameter}" for parameter, kind in load_parameters(table).items()
    )
    return _TEMPLATE.format(
        name=name,
        upper=name.upper(),
        bytes=-(-table.longest // 8),
        rows="\n".join(f"    {_row(run)}," for run in runs),
        parameters=parameters,
        checks="".join(f"    if ({condition}) return 0;\n" for condition in _refused(table)),
        numbers="".join(_numbers(table)),
        conversions="".join(map(_conversion, _used(table, _NUMBERS))),
        sources=",\n        ".join(_sources(table)),
        parts=_parts(table),
        width=table.stream.width,
        place="width - 1 - place" if table.stream.top_first else "place",
        limb=f"uint{limb_bits}_t",
        limb_bits=limb_bits,
    )


def _row(run: Run) -> str:
    lines = (run.target, run.first, run.count)
    numbers = [_SOURCES.index(run.source), run.step, *(f"{{{_pair(line)}}}" for line in lines)]
    return f"{{{', '.join(map(str, numbers))}}}"


def _pair(line: Line) -> str:
    return f"{line.base}, {line.slope}"


def _refused(table: LoadTable) -> Iterable[str]:
    """Conditions under which the inputs are not legal."""
    if len(table.key_bits) > 1:
        yield f"!({legal('key_bytes', [bits // 8 for bits in table.key_bits])})"
    if table.tag_lengths:
        yield f"!({legal('tag_bits', table.tag_lengths)})"
    if 0 < table.block_bits < 64:
        yield f"block >> {table.block_bits} != 0"
    if table.first_iv_bit is not None:
        yield wrong_first_bit(table.order, table.first_iv_bit)
    if table.zero_iv_bits:
        yield not_zero(table.order, table.zero_iv_bits)


def _numbers(table: LoadTable) -> Iterable[str]:
    """Declarations of the lengths that do not vary, and of the bytes of numbers."""
    if len(table.key_bits) == 1 and _used(table, (KEY,)):
        yield f"    const unsigned key_bytes = {table.key_bits[0] // 8};\n"
    if len(table.iv_bits) == 1:
        yield f"    const unsigned iv_bits = {table.iv_bits[0]};\n"
    for source in _used(table, (ONE,)):
        yield f"    const uint8_t {source} = 1;\n"
    for source in _used(table, _NUMBERS):
        yield f"    uint8_t {source}_string[8];\n"


def _conversion(source: str) -> str:
    """A number as bytes."""
    return (
        f"    for (unsigned place = 0; place < 8; ++place)\n"
        f"        {source}_string[place] = (uint8_t)((uint64_t){source} >> 8 * place & 255);\n"
    )


def _used(table: LoadTable, sources: Iterable[str]) -> list[str]:
    used_sources = {run.source for part in table.parts for run in part.runs}
    return [source for source in sources if source in used_sources]


def _flip(table: LoadTable) -> int:
    return _MOST_SIGNIFICANT_FIRST if table.order == "msb_first" else 0


def _sources(table: LoadTable) -> Iterable[str]:
    """The initialiser of each source."""
    for source in _SOURCES:
        if source not in _used(table, _SOURCES):
            yield "{0, 0, 0}"
        elif source == ONE:
            yield "{&one, 1, 0}"
        elif source in (KEY, IV):
            yield f"{{{source}, {'8 * key_bytes' if source == KEY else 'iv_bits'}, {_flip(table)}}}"
        else:
            yield f"{{{source}_string, 64, 0}}"


def _parts(table: LoadTable) -> str:
    """The choice of the runs by the length of the IV."""
    chosen, first = [], 0
    for part in table.parts:
        end, bits = first + len(part.runs), part.bits
        assignments = (
            f"first = {first};",
            f"end = {end};",
            f"bits = {bits.base} + {bits.slope} * iv_bits;",
        )
        chosen.append((legal("iv_bits", part.iv_bits), assignments))
        first = end
    if len(table.iv_bits) == 1:
        return "".join(f"    {line}\n" for line in chosen[0][1])
    lines = (
        f"if ({condition}) {{\n" + "".join(f"        {line}\n" for line in assignments)
        for condition, assignments in chosen
    )
    return "    " + "    } else ".join((*lines, "{\n        return 0;\n")) + "    }\n"


_TEMPLATE = """\
#define {upper}_LOAD_BYTES {bytes}u

// Bits of a load that are consecutive bits of an input. Each place and count is a base, and what is
// added for each bit of the IV.
struct {name}_run {{
    int16_t source, step, target[2], first[2], count[2];
}};

static const struct {name}_run {name}_runs[] = {{
{rows}
}};

struct {name}_source {{
    const uint8_t *bytes;
    unsigned bits, flip;
}};

static unsigned {name}_on_line(const int16_t *line, unsigned iv_bits) {{
    return (unsigned)(line[0] + line[1] * (int)iv_bits);
}}

static void {name}_add_run(uint8_t *string, const struct {name}_run *run,
                           const struct {name}_source *source, unsigned iv_bits) {{
    unsigned to = {name}_on_line(run->target, iv_bits);
    unsigned from = {name}_on_line(run->first, iv_bits);
    unsigned left = {name}_on_line(run->count, iv_bits);
    for (; left; --left, ++to, from += (unsigned)run->step) {{
        if (from < source->bits) {{
            unsigned bit = (unsigned)source->bytes[from / 8] >> (from % 8 ^ source->flip) & 1u;
            string[to / 8] = (uint8_t)(string[to / 8] ^ bit << to % 8);
        }}
    }}
}}

// The bits of all load words, and their number; 0 if a length or a value is not legal.
static unsigned {name}_load_string(uint8_t *string{parameters}) {{
{numbers}    unsigned first, end, bits;
{checks}{parts}{conversions}    const struct {name}_source sources[] = {{
        {sources},
    }};
    for (unsigned place = 0; place < {upper}_LOAD_BYTES; ++place) string[place] = 0;
    for (; first < end; ++first)
        {name}_add_run(string, {name}_runs + first, sources + {name}_runs[first].source, iv_bits);
    return bits;
}}

// One word of the load, in limbs, the lowest first.
static void {name}_load_word({limb} *word, const uint8_t *string, unsigned number) {{
    const unsigned width = {width};
    for (unsigned limb = 0; {limb_bits} * limb < width; ++limb) word[limb] = 0;
    for (unsigned place = 0; place < width; ++place) {{
        unsigned from = number * width + place, to = {place};
        {limb} bit = string[from / 8] >> from % 8 & 1;
        word[to / {limb_bits}] |= bit << to % {limb_bits};
    }}
}}
"""
