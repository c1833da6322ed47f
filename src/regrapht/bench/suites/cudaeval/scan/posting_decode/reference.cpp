#include <cstdint>

// Document numbers of posting lists: byte-coded gaps, most significant bits first, the last byte of a number marked by its top bit.
void posting_decode(int64_t bytes, int lists, const uint8_t* code, const int64_t* start, uint32_t* document, int32_t* length) {
    for (int l = 0; l < lists; ++l) {
        const uint8_t* at = code + start[l];
        const uint8_t* end = code + start[l + 1];
        uint32_t* out = document + start[l];
        uint32_t last = 0, gap = 0;
        int32_t found = 0;
        while (at < end) {
            const uint8_t byte = *at++;
            gap = (gap << 7) | (byte & 127u);
            if (byte & 128u) {
                last += gap;
                out[found++] = last;
                gap = 0;
            }
        }
        length[l] = found;
    }
}
