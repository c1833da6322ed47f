// American put options on a Cox-Ross-Rubinstein tree. The coefficients cancel badly in single precision, so they are
// computed in double, once for each option.
#include <cmath>
#include <vector>

void american_put(int options, int steps, float rate, float volatility, const float* spot, const float* strike,
                  const float* years, float* price) {
    std::vector<float> value(steps + 1);
    for (int o = 0; o < options; ++o) {
        double dt = (double)years[o] / steps;
        double up = std::exp((double)volatility * std::sqrt(dt));
        double growth = std::exp((double)rate * dt);
        double p = (growth - 1.0 / up) / (up - 1.0 / up);
        float weight_up = (float)(p / growth), weight_down = (float)((1.0 - p) / growth);
        float log_up = (float)std::log(up);
        for (int j = 0; j <= steps; ++j) {
            float node = spot[o] * std::exp(log_up * (2 * j - steps));
            value[j] = strike[o] > node ? strike[o] - node : 0.0f;
        }
        for (int i = steps - 1; i >= 0; --i) {
            for (int j = 0; j <= i; ++j) {
                float held = weight_up * value[j + 1] + weight_down * value[j];
                float node = spot[o] * std::exp(log_up * (2 * j - i));
                float exercised = strike[o] - node;
                value[j] = exercised > held ? exercised : held;
            }
        }
        price[o] = value[0];
    }
}
