// A register of so many bits from bit first of a state on; if turned, its highest bit comes first.
static void ${name}_take(uint64_t *to, const uint8_t *state, unsigned first, unsigned length, unsigned turned) {
    for (unsigned limb = 0; 64 * limb < length; ++limb) to[limb] = 0;
    for (unsigned place = 0; place < length; ++place) {
        unsigned from = first + (turned ? length - 1 - place : place);
        unsigned bit = (unsigned)state[from / 8] >> ${"(7 - from % 8)" if msb_first else "from % 8"} & 1u;
        to[place / 64] |= (uint64_t)bit << place % 64;
    }
}

// A setup of zeros comes before the state: what it leaves in other registers, every setup does.
int ${declared["init_state"].removeprefix("int ")} {
    static const uint8_t zeros[${NAME}_LOAD_BYTES] = {0};
    ${name}_inputs in = {0};
    ${name}_outputs out;
    ${name}_clear(session);
{% if state.bits % 8 %}
    if (state[${state.bits // 8}] ${"<<" if msb_first else ">>"} ${state.bits % 8} & 0xff) return -1;
{% endif %}
    ${name}_load(session, zeros, ${load_words});
    do ${name}_cycle(&session->state, &in, &out);
    while (!out.keystream_valid);
{% for member, place, part in state_members %}
    ${name}_take(${member}, state, ${place}, ${part.length}, ${part.turned | int});
{% endfor %}
    session->keyed = 1;
{% if shape %}
    session->running = 1;
{% endif %}
    return 0;
}
