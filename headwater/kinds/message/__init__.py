# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose text enters their state, described as a machine: registers, and what is done to
them in which order."""
