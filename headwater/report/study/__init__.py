# SPDX-License-Identifier: Apache-2.0
"""Studies: design points that answer one question, as tables and charts."""
