#include <cstdint>

// How many code points each field of text has, or -1 where it is no valid UTF-8.
void utf8_fields(int fields, int width, const uint8_t* text, const int32_t* used, int32_t* code_points) {
    for (int f = 0; f < fields; ++f) {
        const uint8_t *at = text + (int64_t)f * width, *end = at + used[f];
        int count = 0;
        while (at < end) {
            const uint8_t lead = *at++;
            int more = 0;
            uint8_t low = 0x80, high = 0xbf;  // of the second byte
            if (lead >= 0xc2 && lead <= 0xdf) {
                more = 1;
            } else if (lead >= 0xe0 && lead <= 0xef) {
                more = 2;
                if (lead == 0xe0) low = 0xa0;
                if (lead == 0xed) high = 0x9f;
            } else if (lead >= 0xf0 && lead <= 0xf4) {
                more = 3;
                if (lead == 0xf0) low = 0x90;
                if (lead == 0xf4) high = 0x8f;
            } else if (lead >= 0x80) {
                count = -1;
                break;
            }
            bool good = end - at >= more;
            for (; good && more > 0; --more, low = 0x80, high = 0xbf) {
                good = *at >= low && *at <= high;
                ++at;
            }
            if (!good) {
                count = -1;
                break;
            }
            ++count;
        }
        code_points[f] = count;
    }
}
