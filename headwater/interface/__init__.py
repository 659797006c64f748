# SPDX-License-Identifier: Apache-2.0
"""How a core meets the rest of a system. Knows no cipher."""

INTERFACES = {
    "stream": "the core's own ports: load and keystream as valid/ready streams, clk, rst, clear",
}
"""What `generate --interface` offers, with one line of meaning each."""
