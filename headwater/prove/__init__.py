# SPDX-License-Identifier: Apache-2.0
"""Proofs: circuits that watch a core, and what it means to be refuted. Knows no cipher."""
