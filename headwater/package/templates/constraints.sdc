# SPDX-License-Identifier: Apache-2.0
# Constraints of ${top}. It has one clock, to which every port is synchronous, and no false path or
# path of several cycles. Delays at the ports are those of the system around it.
{% if point %}
# The core alone reached this frequency on ${point.record.target}, the slowest of ${points | length} measured; the
# interface around it is not part of that figure.
create_clock -name ${clock} -period ${period} [get_ports ${clock}]
{% else %}
# Nothing is measured of this core: `headwater evaluate`, or put a period in nanoseconds here.
# create_clock -name ${clock} -period PERIOD [get_ports ${clock}]
{% endif %}
