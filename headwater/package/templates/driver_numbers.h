// Registers, by their addresses in bytes, and the bits of their fields: how software may use them,
// and after a comma what they are after reset.
{% for register, rows in register_rows %}
{% set whole = ", 0x%x" % rows[0].reset if not register.fields and rows[0].reset is not none else "" %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name)} 0x${"%02x" % register.address}u  // ${register.access}${whole}: ${register.meaning}
{% for row in rows if register.fields %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name ~ "_" ~ row.name)} 0x${"%x" % row.mask}u  // ${row.told}, 0x${"%x" % row.reset}: ${row.meaning}
{% endfor %}
{% endfor %}
