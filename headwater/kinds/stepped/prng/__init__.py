# SPDX-License-Identifier: Apache-2.0
"""Shift-register ciphers as sources of random bits for masking: shape, circuit and model."""
