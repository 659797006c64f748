// How a register is read and written. Where it is not a plain access to memory, define both.
#ifndef ${NAME}_READ
#define ${NAME}_READ(address) (*(const volatile uint32_t *)(address))
#define ${NAME}_WRITE(address, word) (*(volatile uint32_t *)(address) = (word))
#endif

static uint32_t get_register(const struct ${name} *device, uint32_t offset) {
    return ${NAME}_READ(device->base + offset);
}

static void set_register(const struct ${name} *device, uint32_t offset, uint32_t word) {
    ${NAME}_WRITE(device->base + offset, word);
}

static uint32_t status(const struct ${name} *device) { return get_register(device, ${NAME}_STATUS); }
