# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose keystream is blocks (the Salsa20 family)."""
