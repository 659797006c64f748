// SPDX-License-Identifier: Apache-2.0
// The headers of every simulator. They are compiled once, because reading them takes longer than
// compiling a small core.
#ifndef HEADWATER_HEADERS_H
#define HEADWATER_HEADERS_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include "verilated.h"

#endif
