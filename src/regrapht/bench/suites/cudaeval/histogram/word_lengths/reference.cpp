#include <cstddef>
#include <cstdint>

enum { kLongest = 63 };

static bool is_letter(uint8_t byte) {
    const uint8_t lower = byte | 32;
    return byte >= 128 || (lower >= 'a' && lower <= 'z') || byte == '\'';
}

// How many words of each length a text has; words of 63 bytes and more share the last count.
void word_lengths(int64_t bytes, const uint8_t* text, uint32_t* words) {
    for (int length = 0; length <= kLongest; ++length) words[length] = 0;
    int64_t at = 0;
    while (at < bytes) {
        while (at < bytes && !is_letter(text[at])) ++at;
        const int64_t begin = at;
        while (at < bytes && is_letter(text[at])) ++at;
        if (at > begin) words[at - begin < kLongest ? at - begin : kLongest]++;
    }
}
