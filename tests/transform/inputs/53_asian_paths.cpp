#include <cmath>

// Pay-offs of an average-price call on simulated paths; the normal numbers are given, so that every run prices the same paths.
void asian_paths(int paths, int dates, float spot, float strike, float drift, float volatility, const float* normal, float* payoff)
{
    for (int p = 0; p < paths; p++) {
        float price = spot, sum = 0.0f;
        for (int d = 0; d < dates; d++) {
            price *= expf(drift + volatility * normal[d * paths + p]);
            sum += price;
        }
        const float gain = sum / dates - strike;
        payoff[p] = gain > 0.0f ? gain : 0.0f;
    }
}
