# SPDX-License-Identifier: Apache-2.0
"""AES in output feedback mode."""
