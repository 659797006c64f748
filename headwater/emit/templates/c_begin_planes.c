// SubBytes of four bytes.
static void ${name}_substitute_bytes(uint8_t *bytes) {
    const ${name}_lanes zero = {0};
    union ${name}_word word[8];
    for (unsigned bit = 0; bit < 8; ++bit) word[bit].lanes = zero;
    for (unsigned place = 0; place < 4; ++place) word[0].words[0] |= (uint64_t)bytes[place] << 8 * place;
    ${name}_turn(word);
    ${name}_substitute(word);
    ${name}_turn(word);
    for (unsigned place = 0; place < 4; ++place) bytes[place] = (uint8_t)(word[0].words[0] >> 8 * place);
}

// A round key as planes, in the places of the first block of a lane.
static void ${name}_planes(uint64_t *planes, const uint8_t *bytes) {
    const ${name}_lanes zero = {0};
    union ${name}_word word[8];
    for (unsigned bit = 0; bit < 8; ++bit) word[bit].lanes = zero;
    for (unsigned half = 0; half < 2; ++half) word[4 * half].words[0] = ${name}_half(bytes + 8 * half);
    ${name}_turn(word);
    for (unsigned bit = 0; bit < 8; ++bit) planes[bit] = word[bit].words[0];
}

// The round keys: each word is the one ${key_words} before it, and the one before it, of which every ${key_words}th
// is turned and substituted${", and the ones halfway between are substituted" if halfway}.
static void ${name}_expand(${name}_session *session, const uint8_t *key) {
    uint8_t words[${4 * (rounds + 1)}][4];
    unsigned constant = ${constant};
    for (unsigned place = 0; place < ${4 * key_words}; ++place) words[place / 4][place % 4] = key[place];
    for (unsigned word = ${key_words}; word < ${4 * (rounds + 1)}; ++word) {
        uint8_t added[4];
        for (unsigned row = 0; row < 4; ++row) added[row] = words[word - 1][(row + (word % ${key_words} == 0)) % 4];
        if (word % ${halfway or key_words} == 0) ${name}_substitute_bytes(added);
        if (word % ${key_words} == 0) {
            added[0] = (uint8_t)(added[0] ^ constant);
            constant = constant << 1 ^ (constant >> 7) * ${"0x1%02xU" % reduction};
        }
        for (unsigned row = 0; row < 4; ++row) words[word][row] = words[word - ${key_words}][row] ^ added[row];
    }
    for (unsigned round = 0; round <= ${rounds}; ++round) ${name}_planes(session->keys[round], words[4 * round]);
    ${name}_erase(words, sizeof words);
}

static int ${name}_begin(${name}_session *session${parameters}) {
    ${name}_clear(session);
    ${name}_expand(session, key);
    for (unsigned half = 0; half < 2; ++half)
        session->block[half] = ${"%s_turned_bytes(" % name if counted_bits}${name}_half(iv + 8 * half)${")" if counted_bits};
    session->keyed = 1;
    return 0;
}
