# SPDX-License-Identifier: Apache-2.0
"""How a core meets the rest of a system. Knows no cipher."""

INTERFACES = {
    "stream": "the core's own ports: load and keystream as valid/ready streams, clk, rst, clear",
    "axi4stream": "packets of bytes on AXI4-Stream; key and IV by a stream or by registers",
    "prng": "random bits for masking from registers; a seed in words, mixed in while bits are made",
    "custom": "custom instructions of two operands and one result (CFU bus)",
    "custom3": "custom instructions; a load takes two words and, as a third operand, their mark",
    "fifo": "custom instructions, and a FIFO each way",
    "bus": "registers on a bus of request and grant",
    "wishbone": "registers on Wishbone B4, classic cycles of 32 bits",
    "axi4lite": "registers on AXI4-Lite of 32 bits",
    "dma": "the bus of request and grant, and a master that writes the keystream into memory",
}
"""What `generate --interface` offers, with one line of meaning each."""
