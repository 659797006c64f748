# SPDX-License-Identifier: Apache-2.0
# Constraints of ${top}${" for Vivado" if ending == "xdc"}. It has one clock, to which every port is synchronous, and no false path or
# path of several cycles. Delays at the ports are those of the system around it. The period is in ns.
{% if point %}
# The core alone reached this frequency on ${point.record.target}, the slowest of ${points | length} measured; the
# interface around it is not part of that figure.
{% else %}
# This period is a placeholder, not a measurement: put that of your clock here. What the core reaches is measured by
# `headwater evaluate`.
{% endif %}
create_clock -name ${clock} -period ${period} [get_ports ${clock}]
