# SPDX-License-Identifier: Apache-2.0
"""The kind: a block cipher in counter mode."""
