# SPDX-License-Identifier: Apache-2.0
"""What a masked netlist lets a probe see: first order, with glitches and transitions, every
cycle."""
