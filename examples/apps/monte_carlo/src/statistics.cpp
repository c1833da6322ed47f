#include "market.hpp"

#include <cmath>

namespace pricing {

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (double value : values) sum += value;
    return sum / values.size();
}

double variance(const std::vector<double>& values, double mean) {
    double sum = 0.0;
    for (double value : values) sum += (value - mean) * (value - mean);
    return sum / (values.size() - 1);
}

Estimate estimate(const std::vector<double>& payoff, double discount) {
    const double middle = mean(payoff);
    const double spread = variance(payoff, middle);
    return {discount * middle, discount * std::sqrt(spread / payoff.size())};
}

std::vector<int> histogram(const std::vector<double>& values, double low, double high, int bins) {
    std::vector<int> counts(bins);
    const double scale = bins / (high - low);
    for (double value : values) {
        int bin = (int)((value - low) * scale);
        if (bin < 0) bin = 0;
        if (bin >= bins) bin = bins - 1;
        ++counts[bin];
    }
    return counts;
}

}  // namespace pricing
