# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Take a core
#
# For an integrator: Trivium at 64 bits a cycle, as Verilog, in simulation, behind a bus, and as a part of a design in
# Amaranth. [From the folder to a running system](../integrate.md) shows the same on the command line, with the driver.

# %%
import headwater as hw

trivium = hw.cipher("trivium")
core = trivium.core(radix=64)
core

# %% [markdown]
# What it promises: clock cycles of the setup, ports and their order of bits.

# %%
promised = ("setup_cycles", "load_order", "keystream_order", "streams")
{name: core.facts[name] for name in promised}

# %% [markdown]
# The Verilog reads like the paper.

# %%
lines = core.verilog().splitlines()
print("\n".join(line for line in lines if "wire [63:0]" in line))

# %% [markdown]
# The core gives the same keystream as the model: here in simulation of the Verilog.

# %%
key, iv = bytes.fromhex("80000000000000000000"), bytes(10)
simulated = core.run("rtl").keystream(key, iv, bits=64)
assert simulated == trivium.keystream(key, iv, bits=64)
simulated.hex()

# %% [markdown]
# Behind AXI4-Lite, with C driver, register map, testbenches, constraints and README:

# %%
behind = trivium.core(radix=64, interface="axi4lite")
package = behind.design(package=True)
sorted(package.files)

# %% [markdown]
# In a design in Amaranth it is a component like any other.

# %%
from amaranth.hdl import Module

top = Module()
top.submodules.trivium = component = core.component()
component.keystream
