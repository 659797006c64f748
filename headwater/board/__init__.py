# SPDX-License-Identifier: Apache-2.0
"""A core on a board: a project whose bitstream checks a vector of the cipher and tells of it."""
