{% macro word(what, value) -%}
{% if what == "constant" %}${"0x%08xU" % value}{% elif what == "derived" %}x[${value}].words[0]{% else %}${name}_word(${what} + ${4 * value}){% endif %}
{%- endmacro %}
// Four bytes as a word, the lowest one first.
static uint32_t ${name}_word(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int ${name}_begin(${name}_session *session${parameters}) {
    ${name}_clear(session);
{% if counter_bits < 64 %}
    if (block >> ${counter_bits}) return -1;
{% endif %}
{% if derivation %}
    // The key of the blocks is made by the rounds of a matrix of its own.
    const ${name}_lanes zero = {0};
    union ${name}_word x[${derivation | length}];
{% for what, value in derivation %}
    x[${loop.index0}].lanes = zero + ${word(what, value)};
{% endfor %}
    ${name}_rounds(x);
{% endif %}
{% for what, value in matrix %}
{% if what != "block" %}
    session->matrix[${loop.index0}] = ${word(what, value)};
{% endif %}
{% endfor %}
{% if derivation %}
    ${name}_erase(x, sizeof x);
{% endif %}
    session->block = block;
    session->keyed = 1;
    return 0;
}
