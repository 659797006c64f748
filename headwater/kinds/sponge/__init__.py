# SPDX-License-Identifier: Apache-2.0
"""Ciphers that take a message into a part of a permutation's state (Ascon)."""
