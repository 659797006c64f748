// Registers, by their addresses in bytes, and the bits of their fields.
{% for register in registers %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name)} 0x${"%02x" % register.address}u  // ${register.meaning}
{% for field in register.fields %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name ~ "_" ~ field.name)} 0x${"%x" % field.mask}u  // ${field.meaning}
{% endfor %}
{% endfor %}
