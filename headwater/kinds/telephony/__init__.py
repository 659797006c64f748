# SPDX-License-Identifier: Apache-2.0
"""Word ciphers put to use on the messages of mobile networks."""
