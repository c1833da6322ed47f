#include <cmath>

// Black-Scholes price of European calls and puts: `n` options with their own spot price, strike and time to expiry.
void option_pricing(int n, float rate, float volatility, const float* spot, const float* strike, const float* years, float* call,
                    float* put) {
    for (int i = 0; i < n; i++) {
        float spread = volatility * sqrtf(years[i]);
        float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
        float d2 = d1 - spread;
        float likely1 = 0.5f * erfcf(-d1 * 0.70710678f);
        float likely2 = 0.5f * erfcf(-d2 * 0.70710678f);
        float discounted = strike[i] * expf(-rate * years[i]);
        call[i] = spot[i] * likely1 - discounted * likely2;
        put[i] = discounted * (1.0f - likely2) - spot[i] * (1.0f - likely1);
    }
}
