#include <algorithm>
#include <cstdint>

void fee_brackets(int trades, int brackets, int accounts, const int64_t* limit, const int32_t* rate, const int32_t* floor, const int32_t* account,
                  const int64_t* amount, int64_t* fee) {
    (void)accounts;
    for (int t = 0; t < trades; ++t) {
        int64_t charged = 0, below = 0;
        int b = 0;
        while (b < brackets && amount[t] > limit[b]) {
            charged += (limit[b] - below) * rate[b] / 1000000;
            below = limit[b++];
        }
        charged += (amount[t] - below) * rate[b] / 1000000;
        fee[t] = std::max<int64_t>(charged, floor[account[t]]);
    }
}
