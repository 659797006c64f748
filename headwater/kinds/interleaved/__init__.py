# SPDX-License-Identifier: Apache-2.0
"""The properties of cores whose sessions take turns (`headwater.core.interleaving`), of any
kind."""
