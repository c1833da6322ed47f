#include <cstddef>
#include <cstdint>

struct Result {
    int profit;
    int changes;
};

static Result trade(int days, const int* price, int quick, int slow, int fee) {
    Result result = {0, 0};
    int64_t quick_sum = 0, slow_sum = 0;
    bool held = false;
    for (int t = 0; t + 1 < days; ++t) {
        quick_sum += price[t];
        slow_sum += price[t];
        if (t >= quick) quick_sum -= price[t - quick];
        if (t >= slow) slow_sum -= price[t - slow];
        if (t < slow - 1) continue;
        bool wanted = quick_sum * slow > slow_sum * quick;
        if (wanted != held) {
            ++result.changes;
            result.profit -= fee;
            held = wanted;
        }
        if (held) result.profit += price[t + 1] - price[t];
    }
    return result;
}

void crossover_sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    for (int i = 0; i < series; ++i) {
        for (int s = 0; s < slow; ++s) {
            for (int f = 0; f < fast; ++f) {
                Result result = trade(days, price + (size_t)i * days, 2 + f, fast + 2 + 3 * s, fee);
                profit[((size_t)i * slow + s) * fast + f] = result.profit;
                changes[((size_t)i * slow + s) * fast + f] = result.changes;
            }
        }
    }
}
