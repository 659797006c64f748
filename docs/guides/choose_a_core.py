# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Choose a cipher and a core
#
# What follows from the descriptions is known at once; what is measured is stored, and `headwater choose` and
# `hw.choose` pick from it.

# %%
import headwater as hw

unbroken = [one.name for one in hw.ciphers() if not one.description.broken]
print(*unbroken, sep=", ")

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
# Measured figures come with the package; what you measure yourself is stored beside them. The smallest core that gives
# what is asked for, and what the next one costs:

# %%
choice = hw.choose("ecp5-25k", throughput_mbps=1000)
print(choice)

# %% [markdown]
# The command that writes it:

# %%
choice.command

# %% [markdown]
# All that is known of Trivium on this target, as a data frame:

# %%
records = hw.results("trivium", target="ecp5-25k")
figures = ["radix", "lut", "ff", "area", "area_unit", "throughput_mbps"]
records.dataframe()[figures]

# %% [markdown]
# `hw.evaluate` measures: place and route with five seeds, of which the median counts. A point that is stored, or has the
# circuit, tools and settings of one in the package, is not measured again.

# %%
measured = hw.evaluate("trivium", [1, 64], target="ecp5-25k", stall="none", clear="none")
measured.dataframe()[figures]

# %% [markdown]
# A chart is an Altair chart. Here it is shown as a picture; without the second line it is interactive.

# %%
import altair

altair.renderers.enable("svg")
hw.chart("area-throughput", hw.results(target="ecp5-25k"))
