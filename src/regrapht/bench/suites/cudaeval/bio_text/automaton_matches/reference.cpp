#include <cstddef>
#include <cstdint>

void automaton_matches(int records, int length, int states, const uint8_t* text, const uint8_t* next, const uint8_t* accept, int* matches,
                       int* first, uint8_t* state) {
    (void)states;
    const uint8_t* field = text;
    for (int r = 0; r < records; ++r, field += length) {
        uint8_t s = 0;
        int hits = 0, where = -1;
        const uint8_t* p = field;
        const uint8_t* end = field + length;
        while (p != end && *p != 0) {
            s = next[(size_t)s * 256 + *p];
            if (accept[s]) {
                if (hits++ == 0) where = (int)(p - field);
            }
            ++p;
        }
        matches[r] = hits;
        first[r] = where;
        state[r] = s;
    }
}
