# SPDX-License-Identifier: Apache-2.0
"""Vector files as their owners publish them: a reader for each format, and what writes some."""
