# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Random bits
#
# For simulations and tests: bits that anyone can make again from a key and an IV, in software and in hardware. The key
# must be secret wherever the bits must be.

# %%
import headwater as hw

trivium = hw.cipher("trivium")
key, iv = bytes(10), (1).to_bytes(10, "little")
trivium.keystream(key, iv, bytes=16).hex()

# %% [markdown]
# Any place in the stream, without those before:

# %%
whole = trivium.keystream(key, iv, bytes=16)
assert trivium.keystream(key, iv, bits=64, offset=64) == whole[8:]

# %% [markdown]
# A long stream comes in pieces, and need not be in memory.

# %%
pieces = trivium.keystream_pieces(key, iv, 1 << 20)
ones = sum(int.from_bytes(piece, "big").bit_count() for piece in pieces)
ones / (1 << 20)

# %% [markdown]
# The hardware that makes 64 of them in each cycle and never waits:

# %%
source = trivium.core(radix=64, stall="none", clear="none")
lines = source.verilog().splitlines()
print(source.facts["setup_cycles"], "cycles of setup,", len(lines), "lines")

# %% [markdown]
# A source for masked hardware, seeded again and again, is another interface: the core with a port of seed words. In a
# system on chip registers on a bus go around it. One description makes their Verilog and their map: a page, SystemRDL,
# and Hjson, which is YAML, too.

# %%
masks = trivium.random_bits(64, seed_width=32)
files = masks.files(bus="axi4lite")
print(*(name for name in files if masks.top("axi4lite") in name), sep="\n")
