-- SPDX-License-Identifier: Apache-2.0
-- ${title}: the ports of a module of Verilog, for designs in VHDL that have an instance of it.

library ieee;
use ieee.std_logic_1164.all;

package ${package} is
  component ${component} is
    port (
{% for name, direction, type in ports %}
      ${name} : ${direction} ${type}${";" if not loop.last}
{% endfor %}
    );
  end component;
end package;
