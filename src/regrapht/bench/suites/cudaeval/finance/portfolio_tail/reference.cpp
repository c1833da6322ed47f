#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

// Historical simulation: every portfolio is revalued under every scenario, and its worst outcomes are averaged.
void portfolio_tail(int portfolios, int scenarios, int instruments, int worst, const int16_t* holding, const int16_t* move,
                    int32_t* at_risk, int64_t* shortfall) {
    std::vector<int32_t> loss(scenarios);
    for (int p = 0; p < portfolios; ++p) {
        const int16_t* held = holding + (int64_t)p * instruments;
        for (int s = 0; s < scenarios; ++s) {
            const int16_t* moved = move + (int64_t)s * instruments;
            int32_t value = 0;
            for (int i = 0; i < instruments; ++i) value += held[i] * moved[i];
            loss[s] = -value;
        }
        std::nth_element(loss.begin(), loss.begin() + (worst - 1), loss.end(), std::greater<int32_t>());
        at_risk[p] = loss[worst - 1];
        int64_t sum = 0;
        for (int k = 0; k < worst; ++k) sum += loss[k];
        shortfall[p] = sum;
    }
}
