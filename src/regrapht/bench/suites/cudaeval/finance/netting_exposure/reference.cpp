#include <cstdint>
#include <vector>

// Exposure of a bank to its counterparties: trades under one agreement net, and collateral follows with a delay of one date.
void netting_exposure(int sets, int trades, int paths, int dates, const int32_t* first_trade, const int32_t* value,
                      const int32_t* threshold, const int32_t* least_transfer, int64_t* expected, int32_t* peak) {
    std::vector<int32_t> net(dates);
    for (int s = 0; s < sets; ++s) {
        int64_t* sum = expected + (int64_t)s * dates;
        int32_t* highest = peak + (int64_t)s * dates;
        for (int d = 0; d < dates; ++d) {
            sum[d] = 0;
            highest[d] = 0;
        }
        for (int p = 0; p < paths; ++p) {
            net.assign(dates, 0);
            for (int t = first_trade[s]; t < first_trade[s + 1]; ++t) {
                const int32_t* path = value + ((int64_t)t * paths + p) * dates;
                for (int d = 0; d < dates; ++d) net[d] += path[d];
            }
            int32_t collateral = 0;
            for (int d = 0; d < dates; ++d) {
                const int32_t exposure = net[d] > collateral ? net[d] - collateral : 0;
                sum[d] += exposure;
                if (exposure > highest[d]) highest[d] = exposure;
                const int32_t asked = net[d] > threshold[s] ? net[d] - threshold[s] : 0;
                const int32_t change = asked > collateral ? asked - collateral : collateral - asked;
                if (change >= least_transfer[s]) collateral = asked;
            }
        }
    }
}
