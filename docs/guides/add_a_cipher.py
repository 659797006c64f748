# %% [markdown]
# <!-- SPDX-License-Identifier: Apache-2.0 -->
# # Add a cipher
#
# A cipher is one Python file. `headwater new-cipher NAME` writes one that works, to be replaced line by line with the
# paper's own; [how a cipher is described](../CONTRIBUTING.md) has everything.

# %%
import subprocess
import sys
import tempfile
from pathlib import Path

import headwater as hw

folder = Path(tempfile.mkdtemp())
command = [sys.executable, "-m", "headwater", "new-cipher", "own", "-o", str(folder)]
subprocess.run(command, check=True, capture_output=True)
print((folder / "own.py").read_text())

# %% [markdown]
# It is a cipher like those of the catalogue from here on.

# %%
hw.add_cipher_file(folder / "own.py")
own = hw.cipher("own")
own.facts["registers"]

# %%
own

# %% [markdown]
# Model and Verilog agree with its vectors, which its own model has made: published ones come in their place.

# %%
checks = hw.verify("own", radix=8, engine="rtl")
assert checks.passed
[(record.check, record.passed) for record in checks]
