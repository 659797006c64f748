# SPDX-License-Identifier: Apache-2.0
"""Text made from a core: Verilog that people read, and its data sheet."""
