# SPDX-License-Identifier: Apache-2.0
"""Cores in two shares of ciphers whose output bits encrypt and authenticate in turn."""
