#include <cstddef>
#include <cstdint>

static int sextet(uint8_t c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

void base64_decode(int quads, const uint8_t* text, uint8_t* bytes, int* bad) {
    const uint8_t* in = text;
    uint8_t* out = bytes;
    int refused = 0;
    for (int i = 0; i < quads; ++i) {
        uint32_t value = 0;
        bool valid = true;
        for (int k = 0; k < 4; ++k) {
            int digit = sextet(*in++);
            if (digit < 0) valid = false;
            else value = value << 6 | (uint32_t)digit;
        }
        if (!valid) {
            value = 0;
            ++refused;
        }
        *out++ = (uint8_t)(value >> 16);
        *out++ = (uint8_t)(value >> 8);
        *out++ = (uint8_t)value;
    }
    *bad = refused;
}
