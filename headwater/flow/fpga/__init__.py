# SPDX-License-Identifier: Apache-2.0
"""FPGA families: how Yosys maps to each, what its cells cost, and how nextpnr places it."""
