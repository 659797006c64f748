# SPDX-License-Identifier: Apache-2.0
"""The core of self-synchronising ciphers."""
