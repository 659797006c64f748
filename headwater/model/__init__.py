# SPDX-License-Identifier: Apache-2.0
"""A description read with integers, kind by kind."""
