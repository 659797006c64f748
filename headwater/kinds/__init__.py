# SPDX-License-Identifier: Apache-2.0
"""Kinds of cipher: one folder each, with the same files."""
