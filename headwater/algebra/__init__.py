# SPDX-License-Identifier: Apache-2.0
"""Bit strings and symbols that descriptions are read with. Knows no cipher and no tool."""
