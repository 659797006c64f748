# SPDX-License-Identifier: Apache-2.0
"""What Ctrl-C, termination and hang-up do to the command.

The first one is raised as KeyboardInterrupt while a verb works, so that it can print what it has.
At any other moment, and when a second one comes, the process ends at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NoReturn

STATUS = 130
"""Exit status of an interrupted command."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

at_end: list[Callable[[], None]] = []
"""What is done before this process ends at once, the last one first: stop tools, say."""

_raised: list[int] = []
_Handler = Callable[[int, Any], None]


def _handle(handler: _Handler | signal.Handlers) -> None:
    """Handle the signals in this way, except those that the caller of this process ignores, as
    ``nohup`` does."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def end_at_once() -> None:
    """From now on a signal ends this process at once."""
    _handle(lambda _number, _frame: end())


def end(*, said: bool = False) -> NoReturn:
    """End this process at once, with a word unless this is ``said``. No thread, no exit function
    and no tool can hold it up."""
    ignore()
    for action in reversed(at_end):
        with suppress(Exception):
            action()
    if not said:
        with suppress(OSError):
            os.write(2, b"headwater: interrupted\n")
    os._exit(STATUS)


def ignore() -> None:
    """From now on no signal disturbs: what is left to do takes no time."""
    _handle(signal.SIG_IGN)


def came() -> bool:
    """Whether a signal was raised."""
    return bool(_raised)


def raise_once() -> None:
    """From now on the first signal is raised as KeyboardInterrupt. The next one ends this process
    at once, and so does one that cannot be raised, because it came in a finaliser."""

    def first(number: int, _frame: Any) -> None:
        _raised.append(number)
        end_at_once()
        raise KeyboardInterrupt

    def unraisable(error: sys.UnraisableHookArgs) -> None:
        if issubclass(error.exc_type, KeyboardInterrupt):
            end()
        sys.__unraisablehook__(error)

    sys.unraisablehook = unraisable
    _handle(first)


@contextmanager
def held() -> Iterator[None]:
    """Signals that come in this context are handled when it is left."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        _handle(lambda number, _frame: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:  # None: it is not one of Python.
                signal.signal(number, handler)
        with ExitStack() as calls:
            # The second one is handled even though the first one raises an exception.
            for signal_number in came:
                calls.callback(signal.raise_signal, signal_number)
