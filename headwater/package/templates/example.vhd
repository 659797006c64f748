-- SPDX-License-Identifier: Apache-2.0
-- ${title}: an instance, whose ports are those of this entity.

library ieee;
use ieee.std_logic_1164.all;
use work.${package}.all;

entity ${example} is
  port (
{% for name, direction, type in ports %}
    ${name} : ${direction} ${type}${";" if not loop.last}
{% endfor %}
  );
end entity;

architecture of_one_instance of ${example} is
begin
  instance_of_verilog : ${component}
    port map (
{% for name, _, _ in ports %}
      ${name} => ${name}${"," if not loop.last}
{% endfor %}
    );
end architecture;
