# SPDX-License-Identifier: Apache-2.0
"""The cores of ciphers whose keystream is blocks."""
