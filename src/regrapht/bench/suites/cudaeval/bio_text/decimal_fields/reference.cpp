#include <cstdint>

void decimal_fields(int fields, const uint8_t* text, int32_t* value, uint8_t* good) {
    for (int i = 0; i < fields; ++i) {
        const uint8_t* at = text + 8 * (int64_t)i;
        const uint8_t* const end = at + 8;
        bool negative = false;
        int digits = 0;
        int32_t number = 0;
        while (at < end && *at == ' ') ++at;
        if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
        for (; at < end && *at >= '0' && *at <= '9'; ++at, ++digits) number = 10 * number + (*at - '0');
        while (at < end && *at == ' ') ++at;
        const bool read = at == end && digits > 0;
        value[i] = read ? (negative ? -number : number) : 0;
        good[i] = read;
    }
}
