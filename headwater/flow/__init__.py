# SPDX-License-Identifier: Apache-2.0
"""External tools, each behind a thin class or function. No cipher is known here."""
