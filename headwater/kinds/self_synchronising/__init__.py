# SPDX-License-Identifier: Apache-2.0
"""Ciphers that their own ciphertext feeds (MOSQUITO, MOUSTIQUE)."""
