# SPDX-License-Identifier: Apache-2.0
"""The descriptions, one file per family, and the catalogue that names them."""
