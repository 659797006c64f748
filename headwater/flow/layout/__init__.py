# SPDX-License-Identifier: Apache-2.0
"""Layout of a netlist in standard cells: placed, with a clock tree, routed, and with the resistance
and capacitance of its wires."""
