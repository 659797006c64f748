# SPDX-License-Identifier: Apache-2.0
"""Checkers of a core that goes in steps."""
