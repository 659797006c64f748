// SPDX-License-Identifier: Apache-2.0
// The Linux driver of a source of random bits on its Verilog: behind prng_bus.cpp.
#include <cstdlib>

#include "prng_linux.h"

static hwrng *offered;
static void (*last_action)(void *);
static void *of_action;

u32 readl(const void *address) { return bus_read(reinterpret_cast<uintptr_t>(address)); }

void writel(u32 word, void *address) { bus_write(reinterpret_cast<uintptr_t>(address), word); }

int get_random_bytes_wait(void *data, size_t bytes) {
    static const u32 seed[] = {SEED};
    if (bytes != sizeof(seed)) return -EINVAL;
    std::memcpy(data, seed, bytes);
    return 0;
}

void *devm_kzalloc(device *, size_t bytes, int) { return std::calloc(1, bytes); }

int devm_hwrng_register(device *, hwrng *rng) {
    offered = rng;
    return 0;
}

int devm_add_action_or_reset(device *, void (*action)(void *), void *data) {
    last_action = action;
    of_action = data;
    return 0;
}

static void read_words(int count, bool wait) {
    u32 words[8] = {0};
    int result = offered->read(offered, words, 4 * count, wait);
    std::printf("%d", result);
    for (int i = 0; i < result / 4; ++i) std::printf(" %x", static_cast<unsigned>(words[i]));
    std::printf("\n");
}

int main() {
    platform_device found = {};
    source.en = 0;
    source.rst = 1;
    tick();
    source.rst = 0;
    std::printf("%d\n", driver_of_source->probe(&found));
    std::printf("%d %d\n", offered->quality, source.prng_valid);
    read_words(5, true);
    source.en = 1;  // hardware asks in every cycle: the word that is kept is the last one
    read_words(8, false);
    read_words(8, false);
    read_words(8, true);
    last_action(of_action);
    std::printf("%d %x\n", source.prng_valid, static_cast<unsigned>(bus_read(4)));
    return 0;
}
