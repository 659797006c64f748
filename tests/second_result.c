// SPDX-License-Identifier: Apache-2.0
// Reads two words of keystream by one instruction, and uses the second one as soon as it can be, and
// later. Each pair of words goes to the output.
#include "bench.h"
#include "coprocessor.h"

static uint32_t *out = OUTPUT;

// Two words into a2 and a3, then some instructions, then the use of a3 and a2.
#define PAIR(between, use)                                                             \
    ({                                                                                 \
        uint32_t first, second;                                                        \
        asm volatile("li a3, 5\n .insn r 0x0b, %2, 0x40, a2, %3, %4\n" between         \
                     "\n" use " %1, x0, a3\n mv %0, a2"                                \
                     : "=&r"(first), "=&r"(second)                                     \
                     : "i"(COP_GET), "r"(0x12345678), "r"(0x9abcdef0)                  \
                     : "a2", "a3");                                                    \
        *out++ = first, *out++ = second;                                               \
    })
#define SWAPPED(between)                                                               \
    ({                                                                                 \
        uint32_t first, second;                                                        \
        asm volatile(".insn r 0x0b, %2, 0x40, a2, x0, x0\n" between                    \
                     "\n mv %1, a3\n mv %0, a2"                                        \
                     : "=&r"(first), "=&r"(second) : "i"(COP_GET) : "a2", "a3");       \
        *out++ = first, *out++ = second;                                               \
    })

int main(void) {
    const struct request *request = REQUEST;
    cop_load(request->load, request->load_words);
    for (int again = 0; again < 2; ++again) {  // with cold and warm cache
        PAIR("", "add");
        PAIR("nop", "add");
        PAIR("nop\n nop", "add");
        PAIR("nop\n nop\n nop", "add");
        PAIR("nop\n nop\n nop\n nop", "add");
        SWAPPED("");
        SWAPPED("nop");
        SWAPPED("nop\n nop");
        SWAPPED("nop\n nop\n nop");
        PAIR("li a3, 7", "add");
        PAIR("lw a3, 0(x0)\n li a3, 7", "add");
    }
    return 0;
}
