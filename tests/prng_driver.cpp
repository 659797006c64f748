// SPDX-License-Identifier: Apache-2.0
// The C driver of a source of random bits on its Verilog: behind prng_bus.cpp.
#define TRIVIUM_PRNG64_REQUEST_READ bus_read
#define TRIVIUM_PRNG64_REQUEST_WRITE bus_write
extern "C" {
#include "trivium_prng64_request.c"
}

static const trivium_prng64_request device = {0};

static void print(int result) { std::printf("%d\n", result); }

static void read_words(int count) {
    while (count--) {
        uint32_t word;
        int result = trivium_prng64_request_read(&device, &word);
        std::printf("%d %x\n", result, static_cast<unsigned>(word));
    }
}

int main() {
    const uint32_t seed[] = {SEED};
    source.en = 0;
    source.rst = 1;
    tick();
    source.rst = 0;
    print(trivium_prng64_request_probe(&device));
    print(trivium_prng64_request_seed(&device, seed));
    std::printf("%x %d\n", static_cast<unsigned>(trivium_prng64_request_status(&device)), source.prng_valid);
    trivium_prng64_request_enable(&device);
    read_words(5);
    trivium_prng64_request_mix(&device, 0xdeadbeef);
    print(source.prng_valid);
    source.en = 1;  // hardware asks in every cycle: the word that is kept is the last one
    read_words(2);
    source.en = 0;
    trivium_prng64_request_disable(&device);
    print(source.prng_valid);
    read_words(1);
    trivium_prng64_request_clear(&device);
    std::printf("%x\n", static_cast<unsigned>(trivium_prng64_request_status(&device)));
    print(trivium_prng64_request_seed(&device, seed));
    trivium_prng64_request_enable(&device);
    read_words(1);
    print(trivium_prng64_request_error(&device));
    return 0;
}
