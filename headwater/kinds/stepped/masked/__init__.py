# SPDX-License-Identifier: Apache-2.0
"""Cores in two shares: no single net tells anything of key or state."""
