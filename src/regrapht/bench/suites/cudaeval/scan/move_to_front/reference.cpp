#include <cstdint>

void move_to_front(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    uint8_t list[16];
    for (const uint8_t* end = index + (int64_t)blocks * length; index < end; index += length, symbol += length) {
        for (int s = 0; s < 16; ++s) list[s] = (uint8_t)s;
        for (int t = 0; t < length; ++t) {
            int place = index[t];
            const uint8_t chosen = list[place];
            while (place > 0) {
                list[place] = list[place - 1];
                --place;
            }
            list[0] = symbol[t] = chosen;
        }
    }
}
