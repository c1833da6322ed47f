#include <algorithm>
#include <cstdint>

struct Start {
    int16_t sample;
    uint8_t place, spare;
};

struct Decoder {
    const int32_t* step_size;
    int sample, place;

    int16_t next(unsigned code) {
        const int step = step_size[place];
        int difference = step >> 3;
        if (code & 4) difference += step;
        if (code & 2) difference += step >> 1;
        if (code & 1) difference += step >> 2;
        sample = std::clamp(code & 8 ? sample - difference : sample + difference, -32768, 32767);
        place = std::clamp(place + ((code & 7) < 4 ? -1 : 2 * (int)(code & 3) + 2), 0, 88);
        return (int16_t)sample;
    }
};

void adpcm_decode(int blocks, int length, const int32_t* step_size, const Start* first, const uint8_t* code, int16_t* sound) {
    for (int b = 0; b < blocks; ++b) {
        Decoder decoder{step_size, first[b].sample, first[b].place};
        for (int k = 0; k < length; ++k, ++code) {
            *sound++ = decoder.next(*code & 15u);
            *sound++ = decoder.next(*code >> 4);
        }
    }
}
