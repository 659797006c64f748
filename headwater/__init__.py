# SPDX-License-Identifier: Apache-2.0
"""Headwater: stream ciphers in hardware, from one executable description each."""

__version__ = "0.1.0"
