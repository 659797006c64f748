# SPDX-License-Identifier: Apache-2.0
"""From a description and an architecture to an Amaranth component."""
