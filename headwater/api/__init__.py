# SPDX-License-Identifier: Apache-2.0
"""The Python interface: what `import headwater as hw` offers. The command line is written on it."""

from headwater.flow.guard import arm

arm()
