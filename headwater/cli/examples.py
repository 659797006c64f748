# SPDX-License-Identifier: Apache-2.0
"""A command line for each verb, to begin with: help ends with it."""

from __future__ import annotations

_KEY, _IV = "80000000000000000000", "00000000000000000000"
_LONG_KEY, _NONCE = "000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b"

EXAMPLE = "example:"
"""What stands before the example of a verb."""

EXAMPLES = {
    "list": "headwater list",
    "show": "headwater show trivium --radix 8",
    "keystream": f"headwater keystream trivium --key {_KEY} --iv {_IV} --bits 64",
    "encrypt": f"headwater encrypt grain128aead --key {_LONG_KEY} --nonce {_NONCE} --text 0001",
    "decrypt": f"headwater decrypt trivium --key {_KEY} --iv {_IV} --text 38eb",
    "mac": f"headwater mac eia3 --key {_LONG_KEY} --count 00000001 --bearer 3 --direction 0 "
    "--text 0001",
    "hash": "headwater hash ascon_hash256 --text 0001",
    "generate": "headwater generate trivium --radix 64 -o build",
    "verify": "headwater verify trivium --radix 8 --prove",
    "vectors": "headwater vectors ascon_aead128 --as kat --count 1089 -o kat.txt",
    "bench": "headwater bench core.v --cipher trivium --target osu018",
    "leakage": "headwater leakage masked.v --spec masked.toml",
    "evaluate": "headwater evaluate trivium,grain_v1 --radix 1,8 --target ecp5-25k --jobs 2",
    "optimize": "headwater optimize grain128aead --radix 8 --seeds 1 --jobs 2",
    "choose": "headwater choose --target ecp5-25k --throughput 1000",
    "reproduce": "headwater reproduce estream --table table5",
    "study": "headwater study masking-randomness --target osu018 --jobs 2",
    "codesign": "headwater codesign chacha20 --interface custom,bus",
    "results": "headwater results list --cipher trivium",
    "results list": "headwater results list --cipher trivium",
    "results show": "headwater results show 0123abcd",
    "results export": "headwater results export -o results.csv",
    "results diff": "headwater results diff before.sqlite after.sqlite --tolerance fmax_mhz=10%",
    "results replicate": "headwater results replicate 0123abcd -o figure.tar.gz",
    "results check": "headwater results check --store results.sqlite",
    "results repair": "headwater results repair --store results.sqlite",
    "results merge": "headwater results merge monday.sqlite tuesday.sqlite --store week.sqlite",
    "report": "headwater report -o report.html",
    "new-cipher": "headwater new-cipher my_cipher -o .",
    "doctor": "headwater doctor",
}

_FIRST = ("list", "show", "generate", "verify", "evaluate", "choose")

FIRST_STEPS = "\n".join(
    [
        "Headwater: stream ciphers in hardware. What one needs first:",
        "",
        *(f"  {EXAMPLES[verb]}" for verb in _FIRST),
        "",
        "All verbs: headwater --help. One of them, with an example: headwater VERB --help",
    ]
)
"""What `headwater` alone says."""
