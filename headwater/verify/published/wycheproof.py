# SPDX-License-Identifier: Apache-2.0
"""JSON as project Wycheproof has it, and Intel's library for IPsec after it."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.errors import InputError
from headwater.verify.published.algorithms import catalogued
from headwater.verify.published.case import Case, check_length, result_of
from headwater.verify.published.members import Test, tests
from headwater.verify.published.source import Source

FIRST_BLOCKS = {"chacha20": 1}
"""The form has no counter; files of these ciphers begin at this block, as RFC 8439 does."""

_LEGAL = ("tcId", "comment", "flags", "key", "iv", "nonce", "aad", "msg", "ct", "tag", "result")


def fits(source: Source) -> bool:
    """Whether it is an object with groups of tests, and no set of ACVP."""
    content = source.content
    return isinstance(content, dict) and "testGroups" in content and "vsId" not in content


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file. Their number must be the one that the file states."""
    content = source.content
    every = tests(source, content, _LEGAL)
    stated = content.get("numberOfTests", len(every))
    if stated != len(every):
        raise InputError(
            f"line {source.line_of('numberOfTests', stated)}: numberOfTests must be "
            f"{len(every)}, as there are so many, not {stated!r}"
        )
    for test in every:
        yield _case(test, str(content.get("algorithm", "")))


def _case(test: Test, algorithm: str) -> Case:
    result = result_of(test.line, test.fields.get("result"))
    key = test.needed("key")
    iv = test.data("iv" if "iv" in test.fields else "nonce")
    tag = test.data("tag")
    check_length(test.line, "key", key, test.number("keySize"))
    if result != "invalid":
        # What makes a vector invalid may be its length.
        check_length(test.line, "iv", iv or b"", test.number("ivSize") if iv is not None else None)
        check_length(test.line, "tag", tag or b"", test.number("tagSize"))
    return Case(
        name=f"tcId {test.fields['tcId']}",
        line=test.line,
        algorithm=algorithm,
        key=key,
        iv=iv or b"",
        ad=test.data("aad") or b"",
        text=test.data("msg"),
        output=test.data("ct"),
        tag=tag,
        key_bits=test.number("keySize"),
        iv_bits=test.number("ivSize"),
        tag_bits=test.number("tagSize"),
        result=result,
        counter=FIRST_BLOCKS.get(catalogued(algorithm)) if tag is None else None,
    )
