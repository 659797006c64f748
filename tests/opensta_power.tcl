# SPDX-License-Identifier: Apache-2.0
# Procedures by which OpenSTA 2.0.17 sums up power itself.

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
