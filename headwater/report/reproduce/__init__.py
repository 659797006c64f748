# SPDX-License-Identifier: Apache-2.0
"""The printed tables of the papers beside today's figures, and verdicts on the papers' claims."""
