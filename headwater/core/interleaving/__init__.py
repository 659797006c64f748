# SPDX-License-Identifier: Apache-2.0
"""Several sessions in one core: each register in a row, and rows moved into the logic."""
