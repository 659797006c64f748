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

# Give a clock of its own to what a gate drives. The load behind the gate is removed: in a chip a
# clock tree would drive it, not this small cell.
proc gated_clock {name driver period} {
  set pins [list [get_pins $driver]]
  set net [lindex [get_nets -of_objects [get_pins $driver]] 0]
  foreach pin [get_pins -of_objects $net] {
    if {[get_property $pin direction] eq "input"} { lappend pins $pin }
  }
  disconnect_pin $net [get_pins $driver]
  create_clock -name $name -period $period $pins
}

# Set how often a pin toggles. A toggle also costs energy in the cells that it reaches, and OpenSTA
# does not derive this from the driver. (`set_power_activity -pins`, the documented command, calls a
# procedure that does not exist.)
proc activity {driver toggles} {
  foreach net [get_nets -of_objects [get_pins $driver]] {
    foreach pin [get_pins -of_objects $net] {
      sta::set_power_pin_activity $pin $toggles 0.5
    }
  }
}

# Let a flip-flop and a driving cell drive what each input port drives. OpenSTA derives the activity of
# all gates between a port and the first register, whatever a script sets; behind a flip-flop it takes
# what is set. With all other pins constant, the output of the flip-flop depends on its clock alone.
proc drive_inputs {flip_flop clock_pins driver} {
  global drivers added
  set added [list]
  foreach port [inputs] {
    set number [llength $added]
    set register [make_instance outside_register$number [get_lib_cells */$flip_flop]]
    set driving [make_instance outside_driver$number [get_lib_cells */$driver]]
    set net [make_net outside_net$number]
    connect_pin $net [pin_of $register output]
    connect_pin $net [pin_of $driving input]
    foreach pin [get_pins outside_register$number/*] {
      if {[file tail [get_property $pin full_name]] in $clock_pins} {
        connect_pin [get_nets clk] $pin
      } elseif {[get_property $pin direction] eq "input"} {
        set_case_analysis 0 $pin
      }
    }
    set name [get_property $port full_name]
    set drivers($name) [pin_of $driving output]
    disconnect_pin [get_nets $name] $port
    connect_pin [get_nets $name] $drivers($name)
    lappend added $register $driving
  }
}

# The name of the first pin of a cell with this direction.
proc pin_of {instance direction} {
  foreach pin [get_pins [get_property $instance full_name]/*] {
    if {[get_property $pin direction] eq $direction} { return [get_property $pin full_name] }
  }
}

# Set how often an input port toggles.
proc input_activity {port toggles} {
  global drivers
  activity $drivers($port) $toggles
}

# An error if the power is of another activity of a pin than the one that was set. Pins of the clock
# have their own.
proc check_activity {driver} {
  set activity [get_property [get_pins $driver] activity]
  if {[lindex $activity 2] ni {user clock}} { error "$driver has not the activity that was set" }
}

# Internal, switching and leakage power, and their sum, without the cells that drive the inputs.
proc power {} {
  global added
  set parts [lrange [sta::design_power [sta::cmd_corner]] 0 2]
  foreach instance $added {
    set one [lrange [sta::instance_power $instance [sta::cmd_corner]] 0 2]
    set parts [lmap all $parts part $one { expr {$all - $part} }]
  }
  return [list {*}$parts [expr [join $parts +]]]
}
