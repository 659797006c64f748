# SPDX-License-Identifier: Apache-2.0
"""Systems of a processor, a memory and a coprocessor, simulated cycle by cycle."""
