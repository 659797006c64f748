# SPDX-License-Identifier: Apache-2.0
"""Ciphers that go in steps: shift registers, registers that decide how they clock, words."""
