#include <array>
#include <cstdint>
#include <numeric>

static constexpr std::array<int, 10> kDoubled = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};

static bool passes(const uint8_t* digits, int length)
{
    bool twice = false;
    int sum = 0;
    for (const uint8_t* d = digits + length; d-- != digits; twice = !twice) sum += twice ? kDoubled[*d] : *d;
    return sum % 10 == 0;
}

void card_checks(int cards, const uint8_t* numbers, const uint8_t* length, uint8_t* valid, int32_t* by_first)
{
    for (int d = 0; d < 10; ++d) by_first[d] = 0;
    for (int i = 0; i < cards; ++i) {
        const uint8_t* digits = numbers + 19l * i;
        valid[i] = passes(digits, length[i]);
        if (valid[i]) ++by_first[digits[0]];
    }
}
