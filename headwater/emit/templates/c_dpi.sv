// SPDX-License-Identifier: Apache-2.0
// ${name}.c for testbenches in SystemVerilog: compile it and ${name}_dpi.c with them.
package ${name}_dpi;

  // A session, or a core: its memory.
  import "DPI-C" function chandle ${name}_dpi_open();
  import "DPI-C" function void ${name}_dpi_close(input chandle session);

  // One clock cycle of a core beside the hardware: begin with a cycle in which rst is one. Words of
  // more than 64 bits are cut, the lowest part first.
  import "DPI-C" function void ${name}_dpi_cycle(
    input chandle session,
{% for port in inputs %}
    input longint unsigned ${port},
{% endfor %}
{% for port in outputs %}
    output longint unsigned ${port}${"," if not loop.last}
{% endfor %}
  );

  // The functions of ${name}.h. Arrays hold bytes; results other than 0 are refusals.
{% for one in functions %}
  import "DPI-C" function int ${name}_dpi_${one.name}(
    input chandle session${one.in_verilog});
{% endfor %}

endpackage
