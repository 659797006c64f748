# SPDX-License-Identifier: Apache-2.0
"""A filtered LFSR whose output comes out of a pipeline (SFINKS)."""
