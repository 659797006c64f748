# SPDX-License-Identifier: Apache-2.0
"""JSON of NIST's Automated Cryptographic Validation Protocol: prompt and expected results, in two
files or in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from headwater.errors import InputError
from headwater.verify.published.case import Case, check_length
from headwater.verify.published.members import Test, tests
from headwater.verify.published.source import Source

_LEGAL = (
    "tcId",
    "key",
    "iv",
    "nonce",
    "ad",
    "pt",
    "ct",
    "tag",
    "payloadLen",
    "adLen",
    "tagLen",
    "secondKey",
    "resultsArray",
    "testPassed",
    "deferred",
    "reason",
    "msg",
    "len",
    "md",
    "outLen",
    "cs",
    "csLen",
)
_OTHER_FILE = ": a prompt and its expected results must be given together"


def fits(source: Source) -> bool:
    """Whether it is a vector set."""
    return _set_of(source) is not None


def _set_of(source: Source) -> Mapping[str, Any] | None:
    """The vector set, which may stand behind the version of the protocol."""
    content = source.content
    parts = content if isinstance(content, list) else [content]
    sets = [part for part in parts if isinstance(part, dict) and "vsId" in part]
    return sets[0] if len(sets) == 1 and "testGroups" in sets[0] else None


def joined(sources: Sequence[Source]) -> list[Source]:
    """The sources, with each prompt and its expected results as one."""
    together: list[Source] = []
    for source in sources:
        content = _set_of(source)
        others = [
            number
            for number, other in enumerate(together)
            if content is not None and _belong(content, _set_of(other))
        ]
        if others:
            one, two = _set_of(together[others[0]]) or {}, content or {}
            prompt, answers = (one, two) if _asks(one) else (two, one)
            asking = together[others[0]] if _asks(one) else source
            together[others[0]] = replace(asking, content=_merged(prompt, answers))
        else:
            together.append(source)
    return together


def _belong(one: Mapping[str, Any], other: Mapping[str, Any] | None) -> bool:
    """Whether one set has the keys and the other has none."""
    return other is not None and one["vsId"] == other["vsId"] and _asks(one) != _asks(other)


def _asks(content: Mapping[str, Any]) -> bool:
    """Whether the tests of a set have keys, or messages where there are none: it is a prompt, or
    prompt and results in one."""
    return any(
        "key" in test or "msg" in test for group in content["testGroups"] for test in group["tests"]
    )


def _merged(prompt: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The prompt with the answers in its tests."""
    known = {test.get("tcId"): test for group in answers["testGroups"] for test in group["tests"]}
    groups = [
        {**group, "tests": [{**test, **known.get(test.get("tcId"), {})} for test in group["tests"]]}
        for group in prompt["testGroups"]
    ]
    return {**prompt, "testGroups": groups}


def read(source: Source) -> Iterator[Case]:
    """The vectors of the set. Tests of other types than single calls are left out."""
    content = _set_of(source) or {}
    if not _asks(content):
        raise InputError(f"line 1: a set must have tests with keys or messages{_OTHER_FILE}")
    algorithm = " ".join(str(content[name]) for name in ("algorithm", "mode") if name in content)
    for test in tests(source, content, _LEGAL):
        yield _case(test, algorithm)


def _case(test: Test, algorithm: str) -> Case:
    kind = test.group.get("testType")
    case = Case(
        name=f"tcId {test.fields['tcId']}",
        line=test.line,
        algorithm=algorithm,
        key_bits=test.number("keyLen"),
    )
    if kind != "AFT":
        return replace(case, left_out=f"a test of type {kind}")
    if "key" not in test.fields:
        return _hashed(test, case)
    rejected = test.fields.get("testPassed") is False
    known = "ct" if test.group.get("direction") == "decrypt" else "pt"
    other = {"ct": "pt", "pt": "ct"}[known]
    key, iv = test.needed("key", _OTHER_FILE), test.data("iv" if "iv" in test.fields else "nonce")
    needed = (known,) if rejected else (known, other)
    texts = {
        name: _string(test, name, "payloadLen", needed=name in needed) for name in (known, other)
    }
    ad, tag = _string(test, "ad", "adLen") or b"", _string(test, "tag", "tagLen")
    check_length(test.line, "key", key, case.key_bits)
    return replace(
        case,
        key=key,
        second_key=test.data("secondKey") or b"",
        iv=iv or b"",
        ad=ad,
        text=texts["pt"],
        output=texts["ct"],
        tag=tag,
        ad_bits=test.number("adLen"),
        text_bits=test.number("payloadLen"),
        tag_bits=test.number("tagLen"),
        result="invalid" if rejected else "valid",
    )


def _hashed(test: Test, case: Case) -> Case:
    """A message and its digest, perhaps with a customization string."""
    return replace(
        case,
        text=_string(test, "msg", "len", needed=True),
        text_bits=test.number("len"),
        ad=_string(test, "cs", "csLen") or b"",
        ad_bits=test.number("csLen"),
        tag=_string(test, "md", "outLen", needed=True),
        tag_bits=test.number("outLen"),
    )


def _string(test: Test, name: str, length: str, *, needed: bool = False) -> bytes | None:
    """A member whose length in bits another one states. An empty one may be a byte of zeros."""
    data = test.needed(name, _OTHER_FILE) if needed else test.data(name)
    bits = test.number(length)
    if data == b"\0" and bits == 0:
        return b""
    if data is not None:
        check_length(test.line, name, data, bits)
    return data
