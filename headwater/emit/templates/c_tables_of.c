{% for table, (entries, bits) in tables.items() %}
static const uint${bits}_t ${table}[${entries | length}] = {
{% for row in entries | batch(16 if bits == 8 else 8 if bits < 64 else 4) %}
    ${row | join("U%s, " % ("LL" if bits == 64)) }U${"LL" if bits == 64},
{% endfor %}
};

{% endfor %}
