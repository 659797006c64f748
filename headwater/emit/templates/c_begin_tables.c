static int ${name}_begin(${name}_session *session${parameters}) {
    uint32_t words[${4 * (rounds + 1)}], constant = ${constant};
    ${name}_clear(session);
    for (unsigned word = 0; word < ${4 * (rounds + 1)}; ++word) {
        if (word < ${key_words}) {
            words[word] = ${name}_word(key + 4 * word);
            continue;
        }
        uint32_t added = words[word - 1];
        if (word % ${key_words} == 0) {
            added = ${name}_core(added, constant);
            constant = constant << 1 ^ (constant >> 7) * ${"0x1%02xU" % reduction};
{% if halfway %}
        } else if (word % ${halfway} == 0) {
            added = ${name}_core(added >> 8 | added << 24, 0);
{% endif %}
        }
        words[word] = words[word - ${key_words}] ^ added;
    }
    for (unsigned word = 0; word < ${4 * (rounds + 1)}; ++word) session->keys[word / 4][word % 4] = words[word];
    ${name}_erase(words, sizeof words);
{% if counted_bits %}
    for (unsigned column = 0; column < 4; ++column)
        session->block[column / 2] |= (uint64_t)${name}_word(iv + 4 * column) << (column % 2 ? 0 : 32);
{% else %}
    for (unsigned column = 0; column < 4; ++column) session->block[column] = ${name}_word(iv + 4 * column);
{% endif %}
    session->keyed = 1;
    return 0;
}
