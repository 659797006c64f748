# SPDX-License-Identifier: Apache-2.0
"""What Headwater says when it cannot do what was asked: one clear sentence, never a traceback."""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

_LONGEST = 60
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNNAMED = "the output, or a temporary file,"
"""What an error of a file concerns that does not say which: one that was open already."""


class HeadwaterError(Exception):
    """Base of every error that is reported to the user as one sentence."""


class InputError(HeadwaterError, ValueError):
    """The user asked for something that is not legal; nothing was changed. Every function that
    takes what a user gave may raise it."""


class ToolError(HeadwaterError, RuntimeError):
    """An external tool, package or library is missing, or failed. Every function that runs a tool
    or asks for its version may raise it."""


class FaultError(HeadwaterError):
    """A fault of this package: an exception that nobody foresaw, at the work on one design
    point."""


class TagError(HeadwaterError, ValueError):
    """A message is not what it was when its tag was made; none of its text is given out."""


def at_least(minimum: int, what: str, value: int) -> int:
    """The value, if it is a whole number of at least ``minimum``."""
    if not _is_whole(value) or value < minimum:
        raise InputError(f"{what} must be at least {minimum}, not {value!r}")
    return value


def between(minimum: int, maximum: int, what: str, value: int) -> int:
    """The value, if it is a whole number between ``minimum`` and ``maximum``."""
    if not _is_whole(value) or not minimum <= value <= maximum:
        raise InputError(f"{what} must be between {minimum} and {maximum}, not {value!r}")
    return value


def _is_whole(value: object) -> bool:
    """Whether a value is a number that counts: no text, no fraction, and not yes or no."""
    return isinstance(value, int) and not isinstance(value, bool)


def of_file(error: OSError) -> str:
    """What the operating system refused, as a sentence."""
    reason = error.strerror or str(error)
    return f"{error.filename or _UNNAMED} cannot be used: {reason}"


def of_fault(error: BaseException, log: str = "") -> str:
    """What an exception that nobody foresaw was, where it arose, and whose fault it is; below, the
    end of the log of the tool that ran last."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    what = f"{type(error).__name__}: {error}".partition("\n")[0]
    told = f"a fault of Headwater itself, which should be reported: {what}{where}"
    return f"{told}\n{log}" if log else told


def unknown(what: str, value: object, legal: Iterable[object]) -> InputError:
    """The error for a name that is not in the list: says the legal ones and guesses what was meant.

    Parameters
    ----------
    what
        Kind of thing, as a noun: "cipher", "target".
    value
        What the user wrote.
    legal
        Every name that would have been accepted.
    """
    names = [str(name) for name in legal]
    listed = ", ".join(names) if names else "none"
    hint = did_you_mean(str(value), names)
    return InputError(f"{what} must be one of {listed}, not {quoted(value)}{hint}")


def did_you_mean(value: str, legal: Iterable[str]) -> str:
    """The legal name that is most like what a user wrote, as a question; empty if none is."""
    close = difflib.get_close_matches(value, list(legal), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def harmless(text: str) -> str:
    """A text that a tool or a file may have written, for a terminal: control characters but the end
    of a line and the tabulator are written as numbers."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def quoted(value: object) -> str:
    """What a user wrote, in quotes, and shortened if it would not fit into a sentence."""
    text = str(value)
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def describe_lengths(legal: tuple[int, ...]) -> str:
    """Legal lengths in words."""
    first, last = legal[0], legal[-1]
    if len(legal) > 1 and legal == tuple(range(first, last + 1)):
        return f"{first} to {last} bits"
    if len(legal) > 2 and legal == tuple(range(first, last + 1, 8)):
        return f"{first} to {last} bits in whole bytes"
    return " or ".join(map(_length, legal))


def _length(bits: int) -> str:
    return f"{bits} bits ({-(-bits // 8) * 2} hex digits)"


def describe_numbers(numbers: Sequence[int]) -> str:
    """Legal numbers in words."""
    first, last = numbers[0], numbers[-1]
    if first == last:
        return str(first)
    if numbers == tuple(range(first, last + 1)):
        return f"between {first} and {last}"
    if len(numbers) > 2 and numbers == tuple(range(first, last + 1, first)):
        return f"a multiple of {first} between {first} and {last}"
    return "one of " + ", ".join(map(str, numbers))


def describe_bits(places: Sequence[int]) -> str:
    """Bit numbers in words, three and more that follow each other as a range."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    *others, last = words
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"bit{'s' * (len(places) > 1)} {listed}"
