# SPDX-License-Identifier: Apache-2.0
"""Vector files: what one holds, one of the project's own made of it, and files of the model's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headwater.api.ciphers import Cipher, cipher
from headwater.cipher.catalogue import find
from headwater.errors import InputError
from headwater.verify.published.acvp import joined
from headwater.verify.published.formats import OWN, format_of
from headwater.verify.published.holdings import Holding, holdings
from headwater.verify.published.source import Source, load
from headwater.verify.published.writing import converted, written

COUNT = 16
"""How many vectors are written where no number is given."""


def vectors(of: str | Cipher, shape: str = "json", *, count: int = COUNT) -> str:
    """Vectors of a cipher that its model makes, as the text of a file.

    Parameters
    ----------
    of
        The cipher.
    shape
        ``json``, the project's own format; ``kat``, that of NIST's lightweight cryptography;
        ``estream``.
    count
        How many; fewer where there are no more inputs.
    """
    description = (cipher(of) if isinstance(of, str) else of).description
    return written(description, shape, count)


def vector_files(paths: Sequence[str | Path]) -> list[Holding]:
    """What vector files hold, by algorithm. A prompt of ACVP and its expected results are one."""
    return [holding for source in _sources(paths) for holding in holdings(source)]


def converted_vectors(paths: Sequence[str | Path], of: str | None = None) -> dict[str, Any]:
    """The vectors of a public file as content of a file of the project's own.

    Parameters
    ----------
    paths
        The file; or a prompt of ACVP and its expected results.
    of
        The cipher. It may be left out if `vector_files` finds one alone.
    """
    sources = _sources(paths)
    if len(sources) != 1:
        raise InputError(
            f"files that are converted must be one, or a prompt and its expected "
            f"results, not {len(sources)}"
        )
    (source,) = sources
    shape = format_of(source)
    if shape is None:
        raise InputError(
            f"vector file {source.path} must be a public one, as it is of the format {OWN} already"
        )
    return converted(source, shape, find(of or _only_cipher(source)))


def _only_cipher(source: Source) -> str:
    ciphers = list(dict.fromkeys(name for one in holdings(source) for name in one.ciphers))
    if len(ciphers) != 1:
        raise InputError(
            f"vector file {source.path} must be converted for a cipher that is named, as it holds "
            f"vectors of {' and '.join(ciphers) or 'none that is known'}"
        )
    return ciphers[0]


def _sources(paths: Sequence[str | Path]) -> list[Source]:
    return joined([load(Path(path)) for path in paths])
