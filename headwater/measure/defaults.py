# SPDX-License-Identifier: Apache-2.0
"""What a measurement is made with where nothing else is asked for, beside `Settings`.

No figure depends on these, so they are in no file whose hash figures are stored under.
"""

TARGET = "ecp5-25k"
"""The name of the target."""
TIME_LIMIT_S = 1800.0
"""Time limit of one run of a tool, in seconds."""
