# SPDX-License-Identifier: Apache-2.0
"""All that an integrator needs around a core on an interface, in one folder."""
