# SPDX-License-Identifier: Apache-2.0
"""The process of one local worker, started by `headwater.measure.workers`.

It reads packed calls from its standard input and writes to its standard output, for each, first in
words what it does (text), then the result (bytes). It ends, with its tools, when its input is
closed, thus also when its parent is killed.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import threading
import traceback
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

from headwater.flow import doing
from headwater.flow.process import stop_all


def _end(*_signal: object) -> None:
    stop_all(for_good=True)
    os._exit(1)


def _read(calls: BinaryIO, waiting: SimpleQueue[bytes]) -> None:
    """Put calls into the queue as they are, until there are no more. To unpack them is not for this
    thread: imports would take time in which it does not notice the end of its input."""
    while True:
        try:
            waiting.put(pickle.load(calls))
        except (EOFError, OSError, pickle.UnpicklingError):
            _end()


def _outcome(call: bytes) -> bytes:
    """Whether the call succeeded, and its result or exception."""
    try:
        # Not before the input is watched: it imports much.
        carry_out = importlib.import_module("headwater.measure.calls").carry_out
        return pickle.dumps((True, carry_out(call)))
    except Exception as error:
        error.add_note(traceback.format_exc())
        return pickle.dumps((False, error))


def main() -> None:
    """Carry out calls until the input is closed."""
    signal.signal(signal.SIGTERM, _end)
    calls, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a call reads or prints must not be taken for calls and results.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    waiting: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(calls, waiting), daemon=True).start()

    def send(what: str | bytes) -> None:
        pickle.dump(what, results)
        results.flush()

    doing.tell(send)
    with suppress(BrokenPipeError):
        while True:
            send(_outcome(waiting.get()))
    _end()


if __name__ == "__main__":
    main()
