# SPDX-License-Identifier: Apache-2.0
"""What cores promise whose sessions take turns (`headwater.core.interleaving`), of any kind."""
