# SPDX-License-Identifier: Apache-2.0
"""Design points and their figures."""
