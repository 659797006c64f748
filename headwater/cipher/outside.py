# SPDX-License-Identifier: Apache-2.0
"""Ciphers from outside this package.

A Python module offers the ciphers in its tuple ``CIPHERS``. The vectors of a cipher NAME are the
file ``NAME.json`` in the folder ``vectors`` beside the module. Modules come from two places: files
that the user names, and installed packages that name modules in the entry point group
``headwater.ciphers``. The code of both is executed: to name a file or to install a package is the
user's choice.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
import tempfile
import traceback
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from headwater.cipher.borrowed import check_borrowed
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.checks import check_description
from headwater.cipher.description import Cipher
from headwater.errors import InputError

GROUP = "headwater.ciphers"
"""The entry point group of installed packages."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True)
class CipherFile:
    """A file that offers ciphers, with its content at the time it was read."""

    path: Path
    source: bytes
    """Its content, for workers that may not have the file."""

    @property
    def module_name(self) -> str:
        """The name of the imported module, here and in workers. It is derived from the content."""
        return f"headwater_cipher_file_{_hash(self.source)[:16]}"


_files: dict[str, CipherFile] = {}
_origins: dict[str, Path] = {}
_installed_done: list[bool] = []


def add_file(path: Path) -> None:
    """Add the ciphers of a file to the catalogue; once, however often it is named."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"cipher file {path} cannot be read: {error.strerror}") from error
    add_source(CipherFile(path.resolve(), source))


def add_source(file: CipherFile) -> None:
    """Add the ciphers of a file that was read before, perhaps on another machine."""
    if file.module_name in _files:
        return
    where = f"cipher file {file.path}"
    path = _with_this_content(file)
    module = ModuleType(file.module_name)
    module.__file__ = str(path)
    sys.modules[file.module_name] = module
    try:
        exec(compile(file.source, str(path), "exec", dont_inherit=True), module.__dict__)
        _add_module(module, file.path, file.source, where)
    except BaseException as error:
        del sys.modules[file.module_name]
        raise _refusal(where, error, path) from error
    _files[file.module_name] = file


def add_installed() -> None:
    """Add the ciphers of installed packages to the catalogue, once."""
    if _installed_done:
        return
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        _add_entry_point(point)
    _installed_done.append(True)


def files() -> tuple[CipherFile, ...]:
    """The files whose ciphers were added."""
    return tuple(_files.values())


def is_from_outside(name: str) -> bool:
    """Whether a cipher was added from outside."""
    return name in _origins


def vectors_folder(name: str) -> Path | None:
    """Where the vectors of a cipher from outside are; None for one of this package."""
    return _origins[name].parent / "vectors" if name in _origins else None


def _add_entry_point(point: EntryPoint) -> None:
    where = f"entry point {point.name} = {point.value} of group {GROUP}"
    path = None
    try:
        module = point.load()
        path = Path(module.__file__)
        _add_module(module, path, path.read_bytes(), where)
    except BaseException as error:
        raise _refusal(where, error, path) from error


def _refusal(where: str, error: BaseException, path: Path | None) -> BaseException:
    """Why ciphers of a file cannot be added, as one sentence."""
    if isinstance(error, KeyboardInterrupt | _OfferError):
        return error
    return InputError(f"{where} cannot be imported: {_in_words(error, path)}")


def _in_words(error: BaseException, path: Path | None) -> str:
    """An error, with the line of the file's own code where it arose, if it did so there."""
    lines = str(error).splitlines() or [""]
    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
    causes = (error, error.__cause__) if error.__cause__ else (error,)
    frames = [frame for one in causes for frame in traceback.extract_tb(one.__traceback__)]
    places = [frame.lineno for frame in frames if path and frame.filename == str(path)]
    where = f" (line {places[-1]})" if places else ""
    return f"{kind}{lines[0]}{where}"


class _OfferError(InputError):
    """A cipher that a module offers cannot be added."""


def _add_module(module: ModuleType, path: Path, source: bytes, where: str) -> None:
    offered = getattr(module, "CIPHERS", ())
    if not isinstance(offered, tuple | list) or not offered:
        raise _OfferError(f"{where} must offer ciphers in a tuple CIPHERS, not {offered!r:.80}")
    names = [_checked_name(cipher, where, module) for cipher in offered]
    for name in {name for name in names if names.count(name) > 1}:
        raise _OfferError(f"{where} must offer one cipher of a name, not several of {name!r}")
    for cipher in offered:
        for one in (cipher, cipher.authenticated):
            if one is not None:
                object.__setattr__(one, "offered_by", _hash(source))
        CATALOGUE[cipher.name] = cipher
        _origins[cipher.name] = path


def _checked_name(cipher: Cipher, where: str, module: ModuleType) -> str:
    """The name of a cipher that can be added."""
    if not isinstance(cipher, Cipher):
        raise _OfferError(f"{where} must have ciphers alone in CIPHERS, not {cipher!r:.80}")
    if not _NAME.fullmatch(cipher.name):
        raise _OfferError(
            f"{where} must name its cipher in small letters, digits, - and _, not {cipher.name!r}"
        )
    if cipher.name in CATALOGUE:
        of = f"of {_origins[cipher.name]}" if cipher.name in _origins else "of Headwater"
        raise _OfferError(
            f"{where} must give its cipher a name that no other has, not {cipher.name!r}, which is "
            f"{of}"
        )
    try:
        pickle.dumps(cipher)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise _OfferError(
            f"{where} must make {cipher.name} of functions defined at the top level, not of "
            "lambdas or inner functions: workers find functions by their name"
        ) from error
    try:
        _read(cipher)
        check_borrowed(cipher, module)
    except Exception as error:
        said = _in_words(error, Path(str(module.__file__)))
        raise _OfferError(
            f"{where} must describe {cipher.name} so that it can be read: {said}"
        ) from error
    return cipher.name


def _read(cipher: Cipher) -> None:
    """Read a description in the ways that need no hardware, so that its mistakes show at once."""
    check_description(cipher)
    radix = cipher.default_radix
    derived = {
        "natural radix": cipher.natural_radix,
        "state bits": cipher.state_bits,
        "default load width": cipher.default_load_width(radix),
    }
    for what, subclass in derived.items():
        if subclass < 1:
            raise InputError(f"{what} must be at least 1, not {subclass!r}")
    cipher.sheet()
    assert len(cipher.digest) == 64


def _with_this_content(file: CipherFile) -> Path:
    """A path at which the file has this content: its own path, or a copy that only this user can
    read."""
    try:
        if file.path.read_bytes() == file.source:
            return file.path
    except OSError:
        pass
    folder = Path(tempfile.mkdtemp(prefix=f"headwater-cipher-{os.getuid()}-"))
    copy = folder / file.path.name
    copy.write_bytes(file.source)
    return copy


def _hash(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()
