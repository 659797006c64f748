// SPDX-License-Identifier: Apache-2.0
// Drives one core by commands on standard input and prints what it offers.
//
//   harness CORE                      CORE is the compiled core, a shared library
//
// It knows the streams `load` and `keystream` or `data_in` with `data_out` or `tag` or both, and the
// pins `clear`, `rst` and `decrypt`; cipher, radix and load width it does not.
//
//   reset N | clear | idle N          hold rst for N cycles; pulse clear; let N cycles pass
//   load HEX...                       offer these load words until all are taken
//   new_iv HEX...                     the same, marked as those of an IV for the key as before
//   take N | skip N                   accept N keystream words, print them or not
//   message DECRYPT WORD:KEEP:AD...   pass these data words through, the last one marked as such;
//                                     print "WORD KEEP" for each that comes out; before "..." none is
//                                     the last, as the message goes on
//   tag N                             accept N tag words and print them
//   turns K N                         the core has K sessions in turn: from now on all is of session N;
//                                     the others get no word, and take theirs at random
//   gaps SEED PERMILLE                from now on withhold valid and ready that often, at random
//   input NAME HEX                    from now on an input that no stream has is this
//   patience N                        give up after so many cycles without progress
//   cycle                             print "cycle N": there were so many clock edges
//   show NAME                         print the value of an output that no stream has
//   setup                             print the cycles from the first load word of the last load
//                                     taken to the first keystream word offered
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include "core.h"

static uint64_t patience = 4000000;  // cycles without progress before giving up

static uint64_t cycle = 0, first_taken = 0, first_offered = 0;
static bool offered_since_load = false, taken_since_load = false;
static std::mt19937 random_source(1);
static unsigned gap_permille = 0, sessions = 1;

[[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
    std::exit(1);
}

static bool gap() { return gap_permille && random_source() % 1000 < gap_permille; }

// The bytes of a port's value, the lowest first. A port that the core does not have has none: it is
// never set, and setting it does nothing.
class Port {
   public:
    Port() = default;
    explicit Port(const CorePort& port)
        : bytes_(static_cast<unsigned char*>(port.value)), size_(size_of(port.bits)), bits_(port.bits) {}

    bool exists() const { return size_; }
    bool is_set() const { return size_ && *bytes_; }
    std::string value() const { return {reinterpret_cast<const char*>(bytes_), size_}; }

    void set(bool value) {
        if (size_) *bytes_ = value;
    }

    void put(const std::string& hex) {
        std::size_t end = hex.size();
        for (std::size_t byte = 0; byte < size_; ++byte) {
            std::size_t begin = end < 2 ? 0 : end - 2;
            bytes_[byte] = end ? std::stoul(hex.substr(begin, end - begin), nullptr, 16) : 0;
            end = begin;
        }
    }

    // Take each byte from a source of bits; those above the port's width stay zero.
    template <typename Source>
    void fill(Source next) {
        for (std::size_t byte = 0; 8 * byte < bits_; ++byte) {
            std::size_t left = std::min<std::size_t>(8, bits_ - 8 * byte);
            bytes_[byte] = next() & ((1u << left) - 1);
        }
    }

    std::string get() const {
        std::string text;
        char digits[3];
        for (std::size_t byte = size_; byte-- > 0;) {
            std::snprintf(digits, sizeof digits, "%02x", bytes_[byte]);
            text += digits;
        }
        return text.substr(std::min(text.find_first_not_of('0'), text.size() - 1));
    }

   private:
    static std::size_t size_of(unsigned bits) {
        if (bits > 64) return (bits + 31) / 32 * 4;
        return bits > 32 ? 8 : bits > 16 ? 4 : bits > 8 ? 2 : 1;
    }

    unsigned char* bytes_ = nullptr;
    std::size_t size_ = 0, bits_ = 0;
};

static Core core;

static Port find(const char* name) {
    for (const CorePort* port = core.ports; port->name; ++port)
        if (!std::strcmp(port->name, name)) return Port(*port);
    return Port();
}

// A stream of the core: a payload, its marks, and valid and ready where it has them.
struct Stream {
    Port payload, keep, ad, last, valid, ready;

    void connect(const std::string& name) {
        payload = find((name + "_payload").c_str());
        keep = find((name + "_keep").c_str());
        ad = find((name + "_ad").c_str());
        last = find((name + "_last").c_str());
        valid = find((name + "_valid").c_str());
        ready = find((name + "_ready").c_str());
    }

    // Whether the reader takes a word that the core offers; without ready every word is taken.
    bool is_taken() const { return valid.is_set() && (!ready.exists() || ready.is_set()); }

    void offer(const std::string& word, bool is_last) {
        valid.set(true);
        payload.put(word);
        last.set(is_last);
    }

    void offer_nothing() {
        valid.set(false);
        payload.put("");
        keep.put("");
        ad.put("");
        last.set(false);
    }
};

static Port clk, rst, clear, decrypt, same_key, fresh;
static Stream load, keystream, data_in, data_out, tag;
static bool waits;  // whether the core waits for its reader

// One watch for each stream that the core offers: the first word after a load, and that a word
// which was not taken is offered again.
class Watch {
   public:
    explicit Watch(const Stream& stream) : stream_(stream) {}

    void look() {
        if (!stream_.payload.exists()) return;
        bool valid = stream_.valid.is_set();
        if (valid && !offered_since_load && !rst.is_set()) {
            offered_since_load = true;
            first_offered = cycle;
            if (!taken_since_load) fail("a word was offered before a load");
        }
        if (held_ && (!valid || word() != word_)) fail("a word was withdrawn before it was taken");
        held_ = valid && !stream_.is_taken() && !rst.is_set() && !load.valid.is_set() && !clear.is_set();
        if (held_) word_ = word();
    }

   private:
    std::string word() const { return stream_.payload.value() + stream_.keep.value(); }

    const Stream& stream_;
    bool held_ = false;
    std::string word_;
};

static Watch watches[] = {Watch(keystream), Watch(data_out), Watch(tag)};

static void watch_data_in() {
    if (!data_in.ready.is_set()) return;
    if (!taken_since_load && !rst.is_set()) fail("a data word was taken before a load");
    if ((data_in.valid.is_set() || !data_in.valid.exists()) && !offered_since_load) {
        offered_since_load = true;
        first_offered = cycle;
    }
}

// Settles the outputs for the inputs as they are now, and watches the promises on them.
static void settle() {
    clk.set(false);
    core.evaluate(core.model);
    for (Watch& watch : watches) watch.look();
    watch_data_in();
}

// New bits for the port `fresh` of a core in shares. They have a source of their own, so that gaps
// are the same for every core.
static void refresh() {
    static std::mt19937 bits(1);
    if (fresh.exists()) fresh.fill([] { return static_cast<unsigned char>(bits()); });
}

static void clock_edge() {
    clk.set(true);
    core.evaluate(core.model);
    refresh();
    ++cycle;
}

// A cycle of a session that is not spoken to. Its reset is that of all.
static void pass_turn() {
    Port* given[] = {&load.valid, &data_in.valid, &clear};
    Port* readers[] = {&keystream.ready, &data_out.ready, &tag.ready};
    bool before[3], taken[3];
    for (int port = 0; port < 3; ++port) {
        before[port] = given[port]->is_set(), taken[port] = readers[port]->is_set();
        given[port]->set(false), readers[port]->set(random_source() & 1);
    }
    clk.set(false);
    core.evaluate(core.model);
    clock_edge();
    for (int port = 0; port < 3; ++port) given[port]->set(before[port]), readers[port]->set(taken[port]);
}

// Ends this cycle, and those of the other sessions.
static void tick() {
    clock_edge();
    for (unsigned other = 1; other < sessions; ++other) pass_turn();
}

static void speak_to(unsigned session) {
    while (cycle % sessions != session) pass_turn();
}

static void idle(uint64_t cycles) {
    while (cycles--) {
        settle();
        tick();
    }
}

static void take_load(std::istream& words, bool is_same_key) {
    if (is_same_key && !same_key.exists()) fail("this core takes no IV without a key");
    same_key.set(is_same_key);
    std::string word, following;
    bool first = true, more = static_cast<bool>(words >> word);
    for (; more; word = following) {
        more = static_cast<bool>(words >> following);
        for (uint64_t waited = 0;; ++waited) {
            if (waited > patience) fail("the load word was never taken");
            bool offer = !gap();
            offer ? load.offer(word, !more) : load.offer_nothing();
            settle();
            bool taken = offer && load.ready.is_set();
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
    load.offer_nothing();
    same_key.set(false);
}

static std::string part(std::string& word) {
    std::size_t end = word.find(':');
    std::string first = word.substr(0, end);
    word = end == std::string::npos ? "" : word.substr(end + 1);
    return first;
}

static void pass_message(std::istream& words) {
    if (!data_in.payload.exists()) fail("this core takes no data");
    std::string word, following;
    bool decrypts = false;
    words >> decrypts;
    decrypt.set(decrypts);
    bool more = static_cast<bool>(words >> word);
    for (; more && word != "..."; word = following) {
        more = static_cast<bool>(words >> following);
        std::string data = part(word), keep = part(word), ad = part(word);
        bool offer = false;  // once offered, a word stays
        for (uint64_t waited = 0;; ++waited) {
            if (waited > patience) fail("the data word was never taken");
            offer = offer || !waits || !gap();
            if (offer) {
                data_in.offer(data, !more);
                data_in.keep.put(keep);
                data_in.ad.put(ad);
            } else {
                data_in.offer_nothing();
            }
            data_out.ready.set(!gap());
            settle();
            bool taken = offer && data_in.ready.is_set();
            if (data_out.is_taken())
                std::cout << data_out.payload.get() << ' ' << data_out.keep.get() << '\n';
            tick();
            if (taken) break;
        }
    }
    data_in.offer_nothing();
    data_out.ready.set(false);
}

static void take_words(Stream& stream, uint64_t words, bool print, const char* otherwise) {
    for (uint64_t waited = 0; words; ++waited) {
        if (waited > patience) fail(otherwise);
        stream.ready.set(!waits || !gap());
        settle();
        if (stream.is_taken()) {
            if (print) std::cout << stream.payload.get() << '\n';
            --words;
            waited = 0;
        }
        tick();
    }
    stream.ready.set(false);
}

static void take_tag(uint64_t words) {
    if (!tag.payload.exists()) fail("this core makes no tag");
    take_words(tag, words, true, "the tag never came");
}

static void take_keystream(uint64_t words, bool print) {
    if (!keystream.payload.exists()) fail("this core offers no keystream");
    take_words(keystream, words, print, "the keystream never came");
}

static void reset(uint64_t cycles) {
    rst.set(true);
    idle(cycles);
    rst.set(false);
    taken_since_load = offered_since_load = false;
}

static void pulse_clear() {
    if (!clear.exists()) fail("this core has no clear");
    clear.set(true);
    idle(1);
    clear.set(false);
    taken_since_load = offered_since_load = false;
}

static void set_input(std::istream& words) {
    std::string name, value;
    words >> name >> value;
    Port port = find(name.c_str());
    if (!port.exists()) fail("this core has no such input");
    port.put(value);
}

static void show(std::istream& words) {
    std::string name;
    words >> name;
    Port port = find(name.c_str());
    if (!port.exists()) fail("this core has no such output");
    settle();
    std::cout << port.get() << '\n';
}

static void obey(const std::string& command, std::istream& words) {
    uint64_t number = 0;
    if (command == "load" || command == "new_iv") return take_load(words, command == "new_iv");
    if (command == "message") return pass_message(words);
    if (command == "input") return set_input(words);
    if (command == "show") return show(words);
    words >> number;
    if (command == "reset") return reset(number);
    if (command == "clear") return pulse_clear();
    if (command == "idle") return idle(number);
    if (command == "take" || command == "skip") return take_keystream(number, command == "take");
    if (command == "tag") return take_tag(number);
    if (command == "gaps") {
        random_source.seed(static_cast<uint32_t>(number));
        words >> gap_permille;
    } else if (command == "patience") {
        patience = number;
    } else if (command == "turns") {
        sessions = static_cast<unsigned>(number);
        words >> number;
        speak_to(static_cast<unsigned>(number));
    } else if (command == "cycle") {
        std::cout << "cycle " << cycle << '\n';
    } else if (command == "setup") {
        std::cout << first_offered - first_taken << '\n';
    } else {
        fail("unknown command");
    }
}

static void attach(const char* path) {
    void* library = dlopen(path, RTLD_NOW);
    void* make = library ? dlsym(library, "make_core") : nullptr;
    if (!make) fail(dlerror());
    core = reinterpret_cast<decltype(&make_core)>(make)();
    clk = find("clk"), rst = find("rst"), clear = find("clear"), decrypt = find("decrypt");
    same_key = find("load_same_key"), fresh = find("fresh");
    load.connect("load"), keystream.connect("keystream"), tag.connect("tag");
    data_in.connect("data_in"), data_out.connect("data_out");
    waits = keystream.ready.exists() || data_out.ready.exists() || tag.ready.exists();
    for (Port* input : {&rst, &clear, &decrypt, &same_key, &keystream.ready, &data_out.ready, &tag.ready})
        input->set(false);
    load.offer_nothing();
    data_in.offer_nothing();
    refresh();
}

int main(int, char** arguments) {
    attach(arguments[1]);
    std::string line, command;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> command;
        obey(command, words);
    }
    return 0;
}
