// SPDX-License-Identifier: Apache-2.0
// Drives one core by commands on standard input and prints what it offers. It knows the streams
// `load` and `keystream` or `data_in` with `data_out` or `tag` or both, and the pins `clear`, `rst` and
// `decrypt`; cipher, radix and load width it does not.
//
//   reset N | clear | idle N          hold rst for N cycles; pulse clear; let N cycles pass
//   load HEX...                       offer these load words until all are taken
//   new_iv HEX...                     the same, marked as those of an IV for the key as before
//   take N | skip N                   accept N keystream words, print them or not
//   message DECRYPT WORD:KEEP:AD...  pass these data words through, the last one marked as such;
//                                     print "WORD KEEP" for each that comes out
//   tag N                             accept N tag words and print them
//   gaps SEED PERMILLE                from now on withhold valid and ready that often, at random
//   setup                             print the cycles from the first load word of the last load
//                                     taken to the first keystream word offered
#include "headers.h"

#include UNITY

// For each port there is a macro HAS_ with its name, and one that gives it Verilator's spelling.
#if defined(HAS_keystream__ready) || defined(HAS_data_out__ready) || defined(HAS_tag__ready)
#define HAS_READY
#endif

static VerilatedContext context;
static Vdut dut{&context};
static std::mt19937 random_source;
static unsigned gap_permille = 0;
static const uint64_t PATIENCE = 4000000;  // cycles without progress before giving up
static uint64_t cycle = 0, first_taken = 0, first_offered = 0;
static bool offered_since_load = false, taken_since_load = false;

template <typename T>
static void put(T& port, const std::string& hex) {
    port = static_cast<T>(std::stoull(hex, nullptr, 16));
}

template <std::size_t N>
static void put(VlWide<N>& port, const std::string& hex) {
    std::string padded = std::string(8 * N, '0') + hex;
    padded = padded.substr(padded.size() - 8 * N);
    for (std::size_t word = 0; word < N; ++word)
        port[N - 1 - word] = std::stoul(padded.substr(8 * word, 8), nullptr, 16);
}

template <typename T>
static std::string get(const T& port) {
    char text[17];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(port));
    return text;
}

template <std::size_t N>
static std::string get(const VlWide<N>& port) {
    std::string text;
    char digits[9];
    for (std::size_t word = N; word-- > 0;) {
        std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(port[word]));
        text += digits;
    }
    return text;
}

[[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
    std::exit(1);
}

static bool gap() { return gap_permille && random_source() % 1000 < gap_permille; }

static void set_clear(bool value) {
#ifdef HAS_clear
    dut.clear = value;
#else
    if (value) fail("this core has no clear");
#endif
}

// One watch for each stream that the core offers: the first word after a load, and that a word
// which was not taken is offered again.
struct Offer {
    bool held = false;
    std::string word;

    void watch(bool valid, bool taken, const std::string& now) {
        if (valid && !offered_since_load && !dut.rst) {
            offered_since_load = true;
            first_offered = cycle;
            if (!taken_since_load) fail("a word was offered before a load");
        }
        if (held && (!valid || now != word)) fail("a word was withdrawn before it was taken");
#ifdef HAS_clear
        bool keeps = !dut.clear;
#else
        bool keeps = true;
#endif
        held = valid && !taken && !dut.rst && !dut.load__valid && keeps;
        word = now;
    }
};

#ifdef HAS_data_in__payload
static Offer out_offer, tag_offer;

static void set_ready(bool) {}

static bool data_valid() {
#ifdef HAS_READY
    return dut.data_in__valid;
#else
    return true;
#endif
}

static void watch_offers() {
    bool out_taken = true, tag_taken = true;
#if defined(HAS_READY) && defined(HAS_data_out__payload)
    out_taken = dut.data_out__ready;
#endif
#if defined(HAS_READY) && defined(HAS_tag__payload)
    tag_taken = dut.tag__ready;
#endif
#ifdef HAS_data_out__payload
    out_offer.watch(dut.data_out__valid, out_taken,
                    get(dut.data_out__payload) + " " + get(dut.data_out__keep));
#endif
#ifdef HAS_tag__payload
    tag_offer.watch(dut.tag__valid, tag_taken, get(dut.tag__payload));
#endif
    if (dut.data_in__ready && !taken_since_load && !dut.rst) fail("a data word was taken before a load");
    if (dut.data_in__ready && data_valid() && !offered_since_load) {
        offered_since_load = true;
        first_offered = cycle;
    }
}

static void offer_data(bool valid, const std::string& word, const std::string& keep,
                       const std::string& ad, bool last) {
#ifdef HAS_READY
    dut.data_in__valid = valid;
#else
    (void)valid;
#endif
    put(dut.data_in__payload, word);
    put(dut.data_in__keep, keep);
#ifdef HAS_data_in__ad
    put(dut.data_in__ad, ad);
#else
    (void)ad;
#endif
    dut.data_in__last = last;
}

static void set_out_ready(bool value) {
#if defined(HAS_READY) && defined(HAS_data_out__payload)
    dut.data_out__ready = value;
#else
    (void)value;
#endif
}

static void set_tag_ready(bool value) {
#if defined(HAS_READY) && defined(HAS_tag__payload)
    dut.tag__ready = value;
#else
    (void)value;
#endif
}
#else
static Offer keystream_offer;

static void set_ready(bool value) {
#ifdef HAS_READY
    dut.keystream__ready = value;
#else
    (void)value;
#endif
}

static void watch_offers() {
#ifdef HAS_READY
    keystream_offer.watch(dut.keystream__valid, dut.keystream__ready, get(dut.keystream__payload));
#else
    keystream_offer.watch(dut.keystream__valid, true, get(dut.keystream__payload));
#endif
}
#endif

// Settles the outputs for the inputs as they are now, and watches the promises on them.
static void settle() {
    dut.clk = 0;
    dut.eval();
    watch_offers();
}

static void tick() {
    dut.clk = 1;
    dut.eval();
    ++cycle;
}

static void idle(uint64_t cycles) {
    while (cycles--) {
        settle();
        tick();
    }
}

static void set_last(bool value) {
#ifdef HAS_load__last
    dut.load__last = value;
#else
    (void)value;
#endif
}

static void set_same_key(bool value) {
#ifdef HAS_load__same_key
    dut.load__same_key = value;
#else
    if (value) fail("this core takes no IV without a key");
#endif
}

static void load(std::istream& words) {
    std::string word, following;
    bool first = true, more = static_cast<bool>(words >> word);
    for (; more; word = following) {
        more = static_cast<bool>(words >> following);
        for (uint64_t waited = 0;; ++waited) {
            if (waited > PATIENCE) fail("the load word was never taken");
            bool offer = !gap();
            dut.load__valid = offer;
            put(dut.load__payload, offer ? word : "0");
            set_last(offer && !more);
            settle();
            bool taken = offer && dut.load__ready;
            if (taken && first) {
                first = false;
                taken_since_load = true;
                offered_since_load = false;
                first_taken = cycle;
            }
            tick();
            if (taken) break;
        }
    }
    dut.load__valid = 0;
    put(dut.load__payload, "0");
    set_last(false);
}

#ifdef HAS_data_in__payload
static std::string part(std::string& word) {
    std::size_t end = word.find(':');
    std::string first = word.substr(0, end);
    word = end == std::string::npos ? "" : word.substr(end + 1);
    return first;
}

static void message(std::istream& words) {
    std::string word, following;
    bool decrypts = false;
    words >> decrypts;
#ifdef HAS_decrypt
    dut.decrypt = decrypts;
#endif
    bool more = static_cast<bool>(words >> word);
    for (; more; word = following) {
        more = static_cast<bool>(words >> following);
        std::string data = part(word), keep = part(word), ad = part(word);
        bool offer = false;  // once offered, a word stays
        for (uint64_t waited = 0;; ++waited) {
            if (waited > PATIENCE) fail("the data word was never taken");
#ifdef HAS_READY
            offer = offer || !gap();
#else
            offer = true;
#endif
            offer_data(offer, offer ? data : "0", offer ? keep : "0", offer ? ad : "0",
                       offer && !more);
            set_out_ready(!gap());
            settle();
            bool taken = offer && dut.data_in__ready;
#ifdef HAS_data_out__payload
#ifdef HAS_READY
            bool out = dut.data_out__valid && dut.data_out__ready;
#else
            bool out = dut.data_out__valid;
#endif
            if (out)
                std::cout << get(dut.data_out__payload) << ' ' << get(dut.data_out__keep) << '\n';
#endif
            tick();
            if (taken) break;
        }
    }
    offer_data(false, "0", "0", "0", false);
    set_out_ready(false);
}

#ifdef HAS_tag__payload
static void take_tag(uint64_t words) {
    for (uint64_t waited = 0; words; ++waited) {
        if (waited > PATIENCE) fail("the tag never came");
#ifdef HAS_READY
        bool ready = !gap();
#else
        bool ready = true;
#endif
        set_tag_ready(ready);
        settle();
        if (ready && dut.tag__valid) {
            std::cout << get(dut.tag__payload) << '\n';
            --words;
            waited = 0;
        }
        tick();
    }
    set_tag_ready(false);
}
#else
static void take_tag(uint64_t) { fail("this core makes no tag"); }
#endif

static void take(uint64_t, bool) { fail("this core offers no keystream"); }
#else
static void message(std::istream&) { fail("this core takes no data"); }
static void take_tag(uint64_t) { fail("this core makes no tag"); }

static void take(uint64_t words, bool print) {
    for (uint64_t waited = 0; words; ++waited) {
        if (waited > PATIENCE) fail("the keystream never came");
        bool ready = true;
#ifdef HAS_READY
        ready = !gap();
#endif
        set_ready(ready);
        settle();
        if (ready && dut.keystream__valid) {
            if (print) std::cout << get(dut.keystream__payload) << '\n';
            --words;
            waited = 0;
        }
        tick();
    }
    set_ready(false);
}
#endif

int main() {
    context.randReset(2);  // power-up values are random: a core may not rely on them
    random_source.seed(1);
    dut.rst = 0;
    dut.load__valid = 0;
    put(dut.load__payload, "0");
    set_last(false);
    set_same_key(false);
    set_ready(false);
    set_clear(false);
#ifdef HAS_data_in__payload
    offer_data(false, "0", "0", "0", false);
    set_out_ready(false);
    set_tag_ready(false);
#ifdef HAS_decrypt
    dut.decrypt = 0;
#endif
#endif
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command;
        uint64_t number = 0;
        words >> command;
        if (command == "load" || command == "new_iv" || command == "message") {
            set_same_key(command == "new_iv");
            command == "message" ? message(words) : load(words);
            set_same_key(false);
            continue;
        }
        words >> number;
        if (command == "reset") {
            dut.rst = 1;
            idle(number);
            dut.rst = 0;
            taken_since_load = offered_since_load = false;
        } else if (command == "clear") {
            set_clear(true);
            idle(1);
            set_clear(false);
            taken_since_load = offered_since_load = false;
        } else if (command == "idle") {
            idle(number);
        } else if (command == "take" || command == "skip") {
            take(number, command == "take");
        } else if (command == "tag") {
            take_tag(number);
        } else if (command == "gaps") {
            random_source.seed(static_cast<uint32_t>(number));
            words >> gap_permille;
        } else if (command == "setup") {
            std::cout << first_offered - first_taken << '\n';
        } else {
            fail("unknown command");
        }
    }
    return 0;
}
