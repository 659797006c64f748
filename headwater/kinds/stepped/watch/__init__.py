# SPDX-License-Identifier: Apache-2.0
"""What is watched of a core that goes in steps."""
