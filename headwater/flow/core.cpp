// SPDX-License-Identifier: Apache-2.0
// A Verilated core as the harness sees it. It is compiled behind the model of the core, with its
// ports in the macro PORTS.
#include "core.h"

extern "C" Core make_core() {
    auto* context = new VerilatedContext;
    context->randReset(2);  // power-up values are random: a core may not rely on them
    context->randSeed(1);
    auto* model = new Vdut{context};
    static const CorePort ports[] = {PORTS{nullptr, 0, nullptr}};
    return {ports, model, [](void* core) { static_cast<Vdut*>(core)->eval(); }};
}
