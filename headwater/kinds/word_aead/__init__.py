# SPDX-License-Identifier: Apache-2.0
"""Word ciphers that take their text in and authenticate it (Phelix)."""
