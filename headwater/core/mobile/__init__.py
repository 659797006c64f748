# SPDX-License-Identifier: Apache-2.0
"""The cores of the modes in mobile telephony."""
