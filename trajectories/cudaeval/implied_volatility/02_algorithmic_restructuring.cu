// Implied volatilities: Newton's method inside a bracket; logarithm and root of a quote are taken once.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ double normal(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }

__global__ void invert(int quotes, const double* strike, const double* years, const double* premium, float* volatility) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= quotes) return;
    const double k = strike[i], quote = fmax(1.0 - k, 0.0) + premium[i];
    double low = 1e-4, high = 4.0;
    const double root = sqrt(years[i]), logarithm = log(k);
    // Value and slope: the price rises with the volatility, by root times the normal density at d.
    double guess = 0.3;
    while (high - low > 1e-10) {
        const double s = guess * root, d = 0.5 * s - logarithm / s;
        const double above = normal(d) - k * normal(d - s) - quote, slope = root * 0.3989422804014327 * exp(-0.5 * d * d);
        if (above < 0.0)
            low = guess;
        else
            high = guess;
        const double step = above / slope, next = guess - step;
        if (fabs(step) < 1e-11) break;
        guess = next > low && next < high ? next : 0.5 * (low + high);
    }
    volatility[i] = (float)guess;
}

extern "C" void implied_volatility(int quotes, const double* strike, const double* years, const double* premium, float* volatility) {
    invert<<<(quotes - 1) / kThreads + 1, kThreads>>>(quotes, strike, years, premium, volatility);
}
