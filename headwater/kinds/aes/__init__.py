# SPDX-License-Identifier: Apache-2.0
"""AES: in output feedback, in counter mode, and as a MAC."""
