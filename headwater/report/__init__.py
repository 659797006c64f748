# SPDX-License-Identifier: Apache-2.0
"""Figures for people: tables."""
