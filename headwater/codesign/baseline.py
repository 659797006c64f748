# SPDX-License-Identifier: Apache-2.0
"""Software baselines: the work of a coprocessor done by the processor alone. Speed-ups are relative
to them."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.description import Cipher
from headwater.cipher.phelix import PHELIX
from headwater.cipher.salsa20 import SALSA20
from headwater.cipher.trivium import TRIVIUM
from headwater.codesign.compiler import compile_program
from headwater.codesign.job import STEADY_WORDS, Job, software_job, words_of
from headwater.codesign.processor import Processor
from headwater.codesign.scenario import Scenario
from headwater.codesign.system import Run, coprocessor_sources, run, simulator
from headwater.interface.port import Port
from headwater.interface.public_secret import Secret


@dataclass(frozen=True)
class Baseline:
    """A cipher in C."""

    name: str
    """Name in reports."""
    source: str
    """Name of the C file."""
    steady_words: int = STEADY_WORDS
    """Number of words that are timed in steady state; few for slow software."""


WORD_PARALLEL: dict[Cipher, Baseline] = {
    TRIVIUM: Baseline("word-parallel C, 32 steps at a time", "trivium.c"),
    SALSA20: Baseline("word-parallel C", "salsa20.c"),
    CHACHA20: Baseline("word-parallel C", "chacha20.c"),
    PHELIX: Baseline("word-parallel C", "phelix.c"),
}
BIT_SERIAL: dict[Cipher, Baseline] = {
    TRIVIUM: Baseline("bit-serial C, a byte per state bit", "trivium_bits.c", 16)
}


def software_scenario(scenario: Scenario) -> Scenario:
    """The scenario without coprocessor that a scenario is compared with."""
    return Scenario(scenario.cipher, None, scenario.processor, "software", bytes=scenario.bytes)


def run_software(
    cipher: Cipher,
    processor: Processor,
    baseline: Baseline,
    message_words: int,
    secret: Secret | None = None,
) -> tuple[Job, Run]:
    """Run a baseline and compare its result with the model. The message is counted in words: of a
    keystream a multiple of sixteen. Key and IV are by default the ones of every measurement."""
    steady = baseline.steady_words
    job = software_job(cipher, message_words=message_words, steady_words=steady, secret=secret)
    macros = [*processor.macros, f"TAKES_TEXT={int(not cipher.has_keystream)}"]
    program = compile_program(["software.c", baseline.source], macros)
    nothing = coprocessor_sources(None, "", Port(instruction=False))
    done = run(simulator(processor, nothing), {0: program, **job.memory}, len(job.expected))
    job.check(done)
    return job, done


def software_words(scenario: Scenario, baseline: Baseline) -> int:
    """Length in words of the message that a baseline is timed with; bit-serial baselines get a
    short one."""
    if baseline.steady_words < STEADY_WORDS:
        return baseline.steady_words
    return words_of(scenario)
