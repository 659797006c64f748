# SPDX-License-Identifier: Apache-2.0
"""Proofs: checkers of a core, and what it means to be refuted. Knows no cipher."""
