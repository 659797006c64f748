# SPDX-License-Identifier: Apache-2.0
"""Shift-register ciphers whose output bits encrypt and authenticate in turn (Grain)."""
