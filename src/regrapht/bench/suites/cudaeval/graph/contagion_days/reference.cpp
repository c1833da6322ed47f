#include <cstdint>

enum { kNever = 65535, kSick = 5 };

static uint32_t draw(uint32_t a, uint32_t b) {
    uint32_t h = a ^ (b * 0x9e3779b9u + 0x7f4a7c15u);
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

void contagion_days(int n, int runs, int days, uint32_t chance, const uint16_t* contact, const uint32_t* seed, uint16_t* day,
                    int32_t* cases) {
    for (const uint32_t* run = seed; run < seed + runs; ++run, day += n, cases += days) {
        cases[0] = 0;
        for (int v = 0; v < n; ++v) {
            const bool first = draw(*run, v) < 1u << 26;
            day[v] = first ? 0 : kNever;
            cases[0] += first;
        }
        for (int d = 1; d < days; ++d) {
            cases[d] = 0;
            for (int v = 0; v < n; ++v) {
                if (day[v] >= d || day[v] + kSick < d) continue;
                for (int k = 0; k < 4; ++k) {
                    uint16_t& other = day[contact[4 * v + k]];
                    if (other != kNever || draw(*run + d * 40503u, 4 * v + k) >= chance) continue;
                    other = (uint16_t)d;
                    ++cases[d];
                }
            }
        }
    }
}
