# SPDX-License-Identifier: Apache-2.0
"""Key, IV, text and engine of a command line."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from headwater.api.operations import Operations
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.tdma import count_of, iv_of_count
from headwater.cli.arguments import (
    STREAM,
    architecture,
    cipher_of,
    fixed_parameters,
    secret_bytes,
)
from headwater.cli.c_model import c_architecture
from headwater.errors import InputError, at_least, between, unknown
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import Engine, ModelEngine, RtlEngine
from headwater.verify.engines import ENGINES
from headwater.verify.fast_engine import FastEngine


@dataclass(frozen=True)
class Secret:
    """Key and IV, of legal lengths."""

    key: bytes
    iv: bytes
    iv_bits: int | None
    """Length of the IV where it is not a whole number of bytes."""


def check_engine(args: argparse.Namespace) -> None:
    """Refuse an unknown engine."""
    if args.engine not in ENGINES:
        raise unknown("engine", args.engine, ENGINES)


def operations_of(cipher: Cipher, args: argparse.Namespace) -> Operations:
    """What carries out the command, by the requested engine."""
    return Operations(cipher, lambda one: _engine(one, args))


def _engine(cipher: Cipher, args: argparse.Namespace) -> Engine:
    """The requested engine. The architecture is checked for every engine."""
    if args.engine == CEngine.name:
        return CEngine(cipher, c_architecture(cipher, args))
    chosen = architecture(cipher, args)
    if args.engine == RtlEngine.name:
        return RtlEngine(cipher, chosen)
    return ModelEngine(cipher) if args.engine == ModelEngine.name else FastEngine(cipher)


def cipher_for_key(args: argparse.Namespace) -> Cipher:
    """The requested cipher. Where several key lengths are legal and none is chosen, the given key
    decides."""
    cipher = cipher_of(args.cipher, args)
    lengths = {option.name for option in cipher.parameters} - {*fixed_parameters(cipher, args)}
    if "key_bits" not in lengths or args.key is None:
        return cipher
    return cipher.for_key(8 * len(secret_bytes("key", args.key)))


def first_bit(cipher: Cipher, args: argparse.Namespace) -> int:
    """The keystream bit at which a message begins: that of the block given by ``--counter``."""
    if args.counter is None:
        return 0
    if cipher.seek_bits is None:
        raise InputError(
            f"--counter must be given for ciphers that number their blocks only, "
            f"not for {cipher.name}"
        )
    most = (1 << cipher.counter_bits) - 1
    return cipher.seek_bits * between(0, most, "counter", args.counter)


def key_and_iv(cipher: Cipher, args: argparse.Namespace) -> Secret:
    """The given key and IV, in any of the accepted forms."""
    key = _key(cipher, args)
    named = {"--tdma-frame": args.tdma_frame, "--frame": args.frame}
    option = next((name for name, number in named.items() if number is not None), "")
    secret = _frame(cipher, key, option, args) if option else _iv(cipher, key, args)
    _check(cipher, secret)
    return secret


def _takes_last_byte_first(cipher: Cipher) -> bool:
    """Whether bytes of Kc are in the opposite order of that of SIM cards: where a cipher numbers
    frames, and its key has one length."""
    return cipher.numbers_frames and not cipher.parameters


def _check(cipher: Cipher, secret: Secret) -> None:
    """Refuse a key or an IV that the cipher cannot take. Whoever gives a wrong one to A5/1 may well
    have the bytes in the other order."""
    try:
        cipher.input_bits(secret.key, secret.iv, secret.iv_bits)
    except InputError as error:
        if not _takes_last_byte_first(cipher):
            raise
        raise InputError(f"{error}; Kc is given with its last byte first") from error


def _key(cipher: Cipher, args: argparse.Namespace) -> bytes:
    key = secret_bytes("key", args.key)
    if args.key_length is None:
        return key
    if cipher.effective_key is None:
        _refuse("--key-length", cipher, lambda one: one.effective_key is not None)
    return cipher.effective_key(key, args.key_length)


def _iv(cipher: Cipher, key: bytes, args: argparse.Namespace) -> Secret:
    """The IV; where there is none, it need not be given."""
    iv = secret_bytes("IV", "" if args.iv is None and cipher.iv_bits == (0,) else args.iv)
    if args.iv_bits is None:
        return Secret(key, iv, None)
    bits = at_least(0, "iv-bits", args.iv_bits)
    if len(iv) != -(-bits // 8):
        most = 8 * len(iv)
        raise InputError(
            f"iv-bits must be those of an IV of {len(iv)} bytes, {max(0, most - 7)} to {most}, "
            f"not {bits}"
        )
    return Secret(key, iv, bits)


def _frame(cipher: Cipher, key: bytes, option: str, args: argparse.Namespace) -> Secret:
    if not cipher.numbers_frames:
        _refuse(option, cipher, lambda one: one.numbers_frames)
    if args.tdma_frame is not None and not (args.iv is None and args.frame is None):
        raise InputError("--tdma-frame takes the place of --iv and --frame, so it must stand alone")
    if args.iv_bits is not None:
        raise InputError(f"--iv-bits must be given with an IV only, not with {option}")
    count = count_of(args.tdma_frame) if args.frame is None else args.frame
    return Secret(key, iv_of_count(cipher, count), cipher.iv_bits[-1])


def _refuse(option: str, unfit: Cipher, fits: Callable[[Cipher], bool]) -> NoReturn:
    legal = " or ".join(name for name, cipher in CATALOGUE.items() if fits(cipher))
    raise InputError(f"{option} must be given for {legal} only, not for {unfit.name}")


def read_text(args: argparse.Namespace) -> tuple[bytes, int | None]:
    """The given text, and its length in bits where this is given."""
    text = secret_bytes("text", args.text) if args.input is None else _read(args.input)
    return text, args.bits


def is_file(args: argparse.Namespace) -> bool:
    """Whether the text is a file on a disk, whose length is known, and not a pipe or a device."""
    if args.input is None:
        return False
    try:
        from_stdin = args.input == STREAM
        status = os.fstat(sys.stdin.fileno()) if from_stdin else Path(args.input).stat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode)


@contextmanager
def opened_text(args: argparse.Namespace) -> Iterator[tuple[BinaryIO, int]]:
    """The file with the text, and how many bytes are left in it."""
    with ExitStack() as files:
        if args.input == STREAM:
            file: BinaryIO = sys.stdin.buffer
        else:
            try:
                file = files.enter_context(Path(args.input).open("rb"))
            except OSError as error:
                raise _unreadable(args.input, error) from error
        yield file, os.fstat(file.fileno()).st_size - file.tell()


def _unreadable(name: str, error: OSError) -> InputError:
    return InputError(f"input file {name} cannot be read: {error.strerror}")


def _read(name: str) -> bytes:
    """The bytes of a file; of "-" those that stdin has left."""
    try:
        return sys.stdin.buffer.read() if name == STREAM else Path(name).read_bytes()
    except OSError as error:
        raise _unreadable(name, error) from error
