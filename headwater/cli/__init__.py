# SPDX-License-Identifier: Apache-2.0
"""The command line: argument parsing and printing, nothing else."""
