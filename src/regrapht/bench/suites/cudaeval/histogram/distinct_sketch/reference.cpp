#include <cstdint>

static const int kRegisters = 4096;

static uint64_t mixed(uint64_t key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ull;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebull;
    return key ^ (key >> 31);
}

// Registers of a distinct-count sketch: for each of 4096 groups of hashes the longest run of leading zeros seen, plus one.
void distinct_sketch(int64_t n, const uint64_t* keys, uint8_t* registers) {
    for (int r = 0; r < kRegisters; ++r) registers[r] = 0;
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t hash = mixed(keys[i]);
        uint64_t rest = hash << 12;
        uint8_t rank = 1;
        while (rank <= 52 && (rest >> 63) == 0) {
            rest <<= 1;
            ++rank;
        }
        uint8_t& best = registers[hash >> 52];
        if (rank > best) best = rank;
    }
}
