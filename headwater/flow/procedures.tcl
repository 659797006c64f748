# SPDX-License-Identifier: Apache-2.0
# Procedures of the scripts for OpenSTA 2.0.17.

proc answer {value} { puts "answer $value" }

# Read a library with the operating conditions of this name as the default, named behind their
# group. Without them there is no supply voltage, and some cells have no internal power.
proc read_library {file conditions} {
  set stream [open $file]
  set text [read $stream]
  close $stream
  regsub {\mdefault_operating_conditions\s*:[^;]*;} $text {} text
  set group {\moperating_conditions\s*\(\s*"?NAME"?\s*\)\s*\{[^\}]*\}}
  set group [string map [list NAME $conditions] $group]
  regsub $group $text "& default_operating_conditions : \"$conditions\";" text
  set stream [open timing.lib w]
  puts $stream $text
  close $stream
  read_liberty timing.lib
}

# Read a netlist. Reading a library sets the units to the library's, so these come after it.
proc read_netlist {file top} {
  set_cmd_units -time ns -capacitance fF -voltage V -current mA -resistance kOhm
  read_verilog $file
  link_design $top
}

proc inputs {} {
  set inputs [list]
  foreach port [all_inputs] {
    if {[get_property $port full_name] ne "clk"} { lappend inputs $port }
  }
  return $inputs
}

# The registers outside, which send inputs and take outputs, get the clock so much later than the
# port.
proc constrain {period {latency 0}} {
  create_clock -name clk -period $period [get_ports clk]
  set_input_delay $latency -clock clk [inputs]
  set_output_delay -$latency -clock clk [all_outputs]
}

# Read routed wires. The clock then reaches the registers through the cells of its tree.
proc read_wires {file} {
  read_spef $file
  set_propagated_clock [all_clocks]
}

# When each register gets the rising edge of the clock.
proc clock_arrivals {} {
  uplevel #0 { set sta_report_default_digits 6 }
  foreach pin [all_registers -clock_pins] { report_arrival $pin }
}

# The worst path to these ends, or to any end if the list is empty, among the worst paths of each
# group; clock gates form a group.
proc worst_path {ends} {
  if {[llength $ends]} {
    set paths [find_timing_paths -path_delay max -to $ends]
  } else {
    set paths [find_timing_paths -path_delay max]
  }
  set worst ""
  foreach path $paths {
    if {$worst eq "" || [get_property $path slack] < [get_property $worst slack]} {
      set worst $path
    }
  }
  return $worst
}

# Set the shortest period of a netlist with latches, and return it. A path through an open latch
# has half a period plus borrowed time, so slack does not give the shortest period.
proc search_period {ends longest} {
  set_clock_gating_check -setup 0
  set least 0.0
  set most $longest
  while {$most - $least > 1e-6 * $most} {
    set period [expr {($least + $most) / 2}]
    constrain $period
    if {[get_property [worst_path $ends] slack] < 0} { set least $period } { set most $period }
  }
  constrain $most
  return $most
}

# The name of a port, or of the net of a flip-flop's output: instance names have no meaning.
proc register {pin} {
  set name [get_property $pin full_name]
  set slash [string last / $name]
  if {$slash < 0} { return $name }
  set instance [string range $name 0 [expr {$slash - 1}]]
  foreach other [get_pins $instance/*] {
    if {[get_property $other direction] eq "output"} {
      foreach net [get_nets -of_objects $other] { return [get_property $net full_name] }
    }
  }
  return $name
}

# Each instance with its cell, and behind it its connected pins with direction, net, slews of both
# edges and the load of the net.
proc electrical {} {
  set corner [sta::cmd_corner]
  foreach instance [get_cells *] {
    answer "cell [get_property $instance full_name] [get_property [$instance liberty_cell] name]"
    set pins [$instance pin_iterator]
    while {[$pins has_next]} {
      set pin [$pins next]
      set net [$pin net]
      if {$net eq "NULL"} { continue }
      answer [join [list pin [get_property $pin lib_pin_name] [get_property $pin direction] \
        [get_property $net full_name] [get_property $pin actual_rise_transition_max] \
        [get_property $pin actual_fall_transition_max] [$net capacitance rise $corner max]] " "]
    }
    $pins finish
  }
}
