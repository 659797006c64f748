# SPDX-License-Identifier: Apache-2.0
"""The cores of SFINKS: with keystream, and with messages and their tags."""
