# SPDX-License-Identifier: Apache-2.0
"""Evidence that model, Verilog and published vectors are the same cipher."""
