# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Repeat a paper
#
# Five papers are part of Headwater: their printed tables as data, and the plans that measure the same anew.
# `headwater reproduce PAPER` sets both beside each other, `--stored` without measuring anything.

# %%
from headwater.report.printed import papers

{name: paper.title for name, paper in papers().items()}

# %% [markdown]
# The charts, with printed figures and whatever the store has beside them:

# %%
import headwater as hw

[name for name in hw.charts() if name.startswith("gaj")]

# %%
import altair

altair.renderers.enable("svg")
hw.chart("gaj-throughput-per-area")

# %% [markdown]
# `headwater results replicate ID` packs one figure of your own: sources, versions and commands, for someone who has
# the public tools alone. [How figures are made](../evaluation.md) says what the figures depend on.
