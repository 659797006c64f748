# SPDX-License-Identifier: Apache-2.0
"""Whether the C of a source of random bits is its model."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping

from headwater.emit.c_expression import LIMB, limbs_of
from headwater.emit.prng import core_name, top_name
from headwater.emit.prng_c import prng_c_files
from headwater.emit.prng_testbench import PrngCycle, prng_cycles
from headwater.flow.c_library import FLAGS, c_library
from headwater.kinds.stepped.prng.model import PrngInputs, PrngOutputs
from headwater.kinds.stepped.prng.shape import PrngShape

_STRICT = (*FLAGS, "-Wall", "-Wextra", "-Werror", "-pedantic")


class CSource:
    """A source in compiled C after a reset.

    Parameters
    ----------
    shape
        What it is.
    files
        Its text in place of what is generated: content by name.
    """

    def __init__(self, shape: PrngShape, files: Mapping[str, str] | None = None) -> None:
        self._shape = shape
        registers = [register.name for register in shape.cipher.registers]
        zeros = "".join(f" memset(&core->{name}, 0, sizeof core->{name});" for name in registers)
        ports = {"STATE_PORT": shape.state_port, "WATCHED": shape.watched}
        defined = "".join(f"#define {name}\n" for name, there in ports.items() if there)
        calls = defined + _CALLS.format(top=top_name(shape), core=core_name(shape), zeros=zeros)
        sources = files or prng_c_files(shape)
        self._library = ctypes.CDLL(str(c_library({**sources, "calls.c": calls}, _STRICT)))
        size = ctypes.c_size_t.in_dll(self._library, "state_bytes").value
        self._state = ctypes.create_string_buffer(size)
        self._bits = (ctypes.c_uint64 * limbs_of(shape.random_bits))()
        self.clock(PrngInputs(reset=True))

    def clock(self, inputs: PrngInputs) -> PrngOutputs:
        """The outputs in a cycle with these inputs, at whose end the clock rises."""
        values = (
            inputs.reset,
            inputs.en,
            inputs.restart,
            inputs.seed_valid,
            inputs.seed,
            inputs.state_write,
            inputs.state_word,
            inputs.state_in,
        )
        out = (ctypes.c_uint64 * 4)()
        self._library.one_cycle(self._state, (ctypes.c_uint64 * 8)(*values), self._bits, out)
        prng = sum(word << LIMB * place for place, word in enumerate(self._bits))
        return PrngOutputs(bool(out[0]), bool(out[1]), prng, bool(out[2]), out[3])

    def zero(self, marks: int) -> None:
        """Make the state of some instances zero, as a fault would: those whose bit is set."""
        for number in range(self._shape.instances):
            if marks >> number & 1:
                self._library.zero(self._state, number)


def c_faults(shape: PrngShape, files: Mapping[str, str] | None = None) -> Iterator[str]:
    """Each cycle in which the C (``files`` in place of what is generated) is not the model; bits
    count where they are valid."""
    source = CSource(shape, files)
    for number, cycle in enumerate(prng_cycles(shape)):
        source.zero(cycle.zero)
        if _differs(cycle, source.clock(cycle.given)):
            yield f"cycle {number}"


def _differs(cycle: PrngCycle, outputs: PrngOutputs) -> bool:
    expected = cycle.made
    flags = (expected.seed_ready, expected.valid, expected.error)
    return (outputs.seed_ready, outputs.valid, outputs.error) != flags or (
        expected.valid and (outputs.prng, outputs.state_out) != (expected.prng, expected.state_out)
    )


_CALLS = """\
#include <stddef.h>
#include <string.h>
#include "{top}.h"

const size_t state_bytes = sizeof({top}_state);

void one_cycle(void *state, const uint64_t *inputs, uint64_t *bits, uint64_t *outputs) {{
    {top}_inputs given;
    {top}_outputs out;
    memcpy(&given, inputs, sizeof given);
    {top}_step(state, &given, &out);
    memcpy(bits, &out.prng, sizeof out.prng);
    outputs[0] = out.seed_ready;
    outputs[1] = out.prng_valid;
#ifdef WATCHED
    outputs[2] = out.error;
#endif
#ifdef STATE_PORT
    outputs[3] = out.state_out;
#endif
}}

void zero(void *state, unsigned number) {{
    {core}_state *core = &(({top}_state *)state)->core[number];
   {zeros}
}}
"""
