# SPDX-License-Identifier: Apache-2.0
"""Cores of sponges in two shares: all but the products of a round is linear."""
