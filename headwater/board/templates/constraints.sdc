# SPDX-License-Identifier: Apache-2.0
# ${top}: the clock of the core on ${board.title}, ${clock.mhz} MHz, a period in ns.
# It is that of a wire, not of a pin: nextpnr takes no clock of a pin through ${"the PLL" if clock.pll else "the pin's buffer"}.
create_clock -name fast -period ${period_ns} [get_nets fast]
