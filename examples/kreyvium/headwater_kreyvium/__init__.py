# SPDX-License-Identifier: Apache-2.0
"""Kreyvium for Headwater."""
