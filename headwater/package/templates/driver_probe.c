int ${name}_probe(const struct ${name} *device) {
{% for register, value in identity.items() %}
    if (get_register(device, ${NAME}_${register}) != 0x${"%x" % value}u) return ${NAME}_STRANGE;
{% endfor %}
    return ${NAME}_OK;
}
