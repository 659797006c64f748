# SPDX-License-Identifier: Apache-2.0
"""Block ciphers in counter mode."""
