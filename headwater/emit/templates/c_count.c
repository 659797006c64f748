{% set upper = "0x%xULL" % (2 ** (counted_bits - 64) - 1) if counted_bits > 64 %}
{% set lower = "0x%xULL" % (2 ** counted_bits - 1) %}
// So many blocks on: the last ${counted_bits} bits of a counter block count, in two halves of 64 bits.
static void ${name}_count(uint64_t *block, uint64_t blocks) {
    const uint64_t sum = block[1] + blocks;
{% if counted_bits == 128 %}
    block[0] += sum < blocks;
{% elif counted_bits > 64 %}
    block[0] = (block[0] & ~${upper}) | ((block[0] + (sum < blocks)) & ${upper});
{% endif %}
    block[1] = ${"sum" if counted_bits >= 64 else "(block[1] & ~%s) | (sum & %s)" % (lower, lower)};
}

