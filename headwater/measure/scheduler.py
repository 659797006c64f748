# SPDX-License-Identifier: Apache-2.0
"""The connection to a Dask scheduler, which is closed by whoever opened it and by nobody else."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from headwater.errors import InputError, ToolError

if TYPE_CHECKING:
    from distributed import Client

_TIME_LIMIT_S = 10
"""To connect, and to close."""
_DASK = "pip install 'headwater[distributed]'"


def connected(address: str) -> Client:
    """A client of the scheduler at an address (tcp://HOST:PORT).

    Raises
    ------
    InputError
        If no scheduler answers there.
    ToolError
        If Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ToolError(f"distributed is not installed; install it with: {_DASK}") from error

    class Owned(Client):
        """Closed at once if it does not connect, and never by the garbage collector: this may come
        while the thread holds the lock that closing waits for."""

        def __init__(self) -> None:
            try:
                super().__init__(  # type: ignore[no-untyped-call]
                    address, timeout=_TIME_LIMIT_S, set_as_default=False
                )
            except BaseException:
                close(self)
                raise

        def __del__(self) -> None:
            pass

    try:
        return Owned()
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        # The last two: Dask's settings demand TLS and the address has none, or the reverse.
        raise InputError(
            f"scheduler must be the address of a running Dask scheduler, not {address!r}"
        ) from error


def close(client: Client) -> None:
    """End the connection; the scheduler may be gone."""
    with suppress(Exception):
        client.close(timeout=_TIME_LIMIT_S)
