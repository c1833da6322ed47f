// Implied volatilities: one quote a thread, bisection.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ double normal(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }

__device__ double call(double strike, double years, double volatility) {
    const double s = volatility * sqrt(years), d = 0.5 * s - log(strike) / s;
    return normal(d) - strike * normal(d - s);
}

__global__ void invert(int quotes, const double* strike, const double* years, const double* premium, float* volatility) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= quotes) return;
    const double k = strike[i], quote = fmax(1.0 - k, 0.0) + premium[i];
    double low = 1e-4, high = 4.0;
    while (high - low > 1e-10) {
        const double middle = 0.5 * (low + high);
        if (call(k, years[i], middle) < quote)
            low = middle;
        else
            high = middle;
    }
    volatility[i] = (float)(0.5 * (low + high));
}

extern "C" void implied_volatility(int quotes, const double* strike, const double* years, const double* premium, float* volatility) {
    invert<<<(quotes - 1) / kThreads + 1, kThreads>>>(quotes, strike, years, premium, volatility);
}
