// SPDX-License-Identifier: Apache-2.0
// The headers of every Verilated model. They are compiled once, because reading them takes longer
// than compiling a small core.
#include "verilated.h"
