# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Choose a cipher and a core
#
# What follows from the descriptions is known at once; what is measured is stored, and `headwater choose` picks from it.

# %%
import headwater as hw

[cipher.name for cipher in hw.ciphers() if not cipher.description.broken]

# %% [markdown]
# Cycles of the setup and bits in a cycle, at eight bits a cycle:

# %%
for name in ("trivium", "grain_v1", "grain128a"):
    facts = hw.cipher(name).core(radix=8).facts
    status = facts["security"].partition(";")[0]
    print(f"{name:10} {facts['setup_cycles']:4} cycles of setup, {status}")

# %% [markdown]
# What an option costs, and when to choose it:

# %%
for name, option in hw.cipher("trivium").facts["choices"].items():
    print(f"{name}: {option['advice']}\n")

# %% [markdown]
# One measured point, with one run of place and route. The median of several runs is a better figure: the default is
# five. A point that is stored already is not measured again.

# %%
records = hw.evaluate("trivium", 8, target="ecp5-25k", settings=hw.Settings(seeds=1))
frame = records.dataframe()
frame[["cipher", "radix", "target", "lut", "ff", "area", "area_unit", "throughput_mbps"]]

# %% [markdown]
# A chart is an Altair chart. Here it is shown as a picture; without the second line it is interactive.

# %%
import altair

altair.renderers.enable("svg")
hw.chart("area-throughput", records)
