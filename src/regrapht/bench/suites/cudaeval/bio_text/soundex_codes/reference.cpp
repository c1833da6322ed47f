#include <cctype>
#include <cstdint>
#include <cstring>

// The digit of each letter from A on; a dot is a vowel, a dash a letter that does not part its neighbours.
static const char kDigits[] = ".123.12-.22455.12623.1-2.2";

static void soundex(const uint8_t* at, const uint8_t* end, uint8_t* code) {
    std::memset(code, ' ', 4);
    uint8_t* const full = code + 4;
    uint8_t* to = code;
    char last = '.';
    for (; at != end && to != full; ++at) {
        if (*at >= 128 || !std::isalpha(*at)) continue;
        const int letter = std::toupper(*at);
        const char digit = kDigits[letter - 'A'];
        if (to == code) {
            *to++ = (uint8_t)letter;
        } else if (digit == '-') {
            continue;
        } else if (digit != '.' && digit != last) {
            *to++ = (uint8_t)digit;
        }
        last = digit;
    }
    if (to != code)
        while (to != full) *to++ = '0';
}

void soundex_codes(int names, const uint8_t* name, uint8_t* code) {
    for (int i = 0; i < names; ++i, name += 16, code += 4) soundex(name, name + 16, code);
}
