# SPDX-License-Identifier: Apache-2.0
"""Cores that others wrote: is it the cipher, where is its state, what does it cost."""
