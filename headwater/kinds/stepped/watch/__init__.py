# SPDX-License-Identifier: Apache-2.0
"""Circuits that watch a core that goes in steps."""
