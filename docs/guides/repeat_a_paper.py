# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Repeat a paper
#
# Five papers are part of Headwater: their printed tables as data, and the plans that measure the same anew.
# `headwater reproduce PAPER` sets both beside each other, `--stored` without measuring anything.

# %%
from headwater.report.printed import papers

for name, paper in papers().items():
    print(f"{name}: {paper.title}")

# %% [markdown]
# One table, with what the package or the store has beside each printed value:

# %%
import headwater as hw

trivium = hw.reproduce("estream", "table5", measure=False)
trivium.dataframe()[["row", "quantity", "printed", "measured", "target"]].head(8)

# %% [markdown]
# The charts, with printed and measured figures:

# %%
[name for name in hw.charts() if name.startswith("gaj")]

# %%
import altair

altair.renderers.enable("svg")
hw.chart("gaj-throughput-per-area")

# %% [markdown]
# `headwater results replicate ID -o FILE.tar.gz` packs one figure of your own: sources, versions and commands, for
# someone who has the public tools alone. [How figures are made](../measurement.md) says what the figures depend on.
