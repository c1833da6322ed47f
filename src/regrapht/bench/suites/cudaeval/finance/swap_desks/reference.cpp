#include <algorithm>
#include <cstdint>
#include <vector>

struct Swap {
    uint8_t start, periods;  // in quarters
    uint8_t rate;            // in tenths of a percent a year
    uint8_t lots;            // of 1000
};

static double annuity(const std::vector<double>& discount, int start, int end) {
    double sum = 0.0;
    for (int k = start + 1; k <= end; ++k) sum += discount[k];
    return sum;
}

// Marks the swap books of many desks to market, each against the curve that its quotes imply.
void swap_desks(int desks, int quarters, int swaps, const float* par, const int32_t* first, const Swap* swap, float* value, float* total) {
    std::vector<double> discount(quarters + 1);
    for (int desk = 0; desk < desks; ++desk) {
        discount[0] = 1.0;
        double paid = 0.0;
        for (int k = 1; k <= quarters; ++k) {
            const double coupon = 0.25 * par[(int64_t)desk * quarters + k - 1];
            discount[k] = (1.0 - coupon * paid) / (1.0 + coupon);
            paid += discount[k];
        }
        double sum = 0.0;
        for (int i = first[desk]; i < first[desk + 1]; ++i) {
            const int start = swap[i].start, end = std::min(start + 1 + swap[i].periods, quarters);
            double worth = 0.0;
            if (start < end)
                worth = 1000.0 * swap[i].lots *
                        (0.00025 * swap[i].rate * annuity(discount, start, end) - (discount[start] - discount[end]));
            value[i] = (float)worth;
            sum += worth;
        }
        total[desk] = (float)sum;
    }
}
