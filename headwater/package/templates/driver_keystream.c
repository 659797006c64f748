
int ${name}_init(struct ${name} *device, ${secret}) {
{% if block_bytes %}
    return ${name}_init_at(device, ${secret_names}, 0);
}

int ${name}_init_at(struct ${name} *device, ${secret},
${pad}uint64_t block) {
{% endif %}
    return begin(device, ${secret_names}${", block" if block_bytes});
}

static uint8_t next_byte(struct ${name} *device) {
    if (device->left == 0) {
        uint8_t bytes[4];
        split(bytes, next_word(device), 4);
        for (size_t i = 0; i < 4; ++i) device->kept = device->kept >> 8 | (uint32_t)bytes[i] << 24;
        device->left = 4;
    }
    uint8_t byte = (uint8_t)device->kept;
    device->kept >>= 8;
    --device->left;
    return byte;
}

int ${name}_keystream(struct ${name} *device, uint8_t *out, size_t bytes) {
    size_t done = 0;
    for (; done < bytes && device->left; ++done) out[done] = next_byte(device);
    for (; bytes - done >= 4; done += 4) split(out + done, next_word(device), 4);
    for (; done < bytes; ++done) out[done] = next_byte(device);
    return ended(answered(device), out, bytes);
}

int ${name}_encrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) out[i] = in[i] ^ next_byte(device);
    return ended(answered(device), out, bytes);
}
{% if dma %}

void ${name}_dma_start(const struct ${name} *device, uint32_t address, uint32_t words) {
    set_register(device, ${NAME}_DMA_ADDRESS, address);
    set_register(device, ${NAME}_DMA_WORDS, words);
}

int ${name}_dma_busy(const struct ${name} *device) { return (status(device) & ${NAME}_STATUS_BUSY) != 0; }
{% endif %}

void ${name}_clear(struct ${name} *device) {
    forget(device);
    device->kept = 0;
    device->left = 0;
}
