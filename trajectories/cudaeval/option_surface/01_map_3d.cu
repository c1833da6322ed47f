// Option surface: one price a thread.
#include <cuda_runtime.h>

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void surface(int strikes, int times, float rate, const float* spot, const float* factor, const float* expiry, const float* vol,
                        float* price, float* delta) {
    const int t = blockIdx.z * 32 + threadIdx.x, k = blockIdx.y * 8 + threadIdx.y, a = blockIdx.x;
    if (t >= times || k >= strikes) return;
    const float sigma = vol[(size_t)a * times + t] * sqrtf(expiry[t]), strike = spot[a] * factor[k];
    const float d1 = (logf(1.0f / factor[k]) + rate * expiry[t]) / sigma + 0.5f * sigma, n1 = normal(d1);
    const size_t at = ((size_t)a * strikes + k) * times + t;
    delta[at] = n1;
    price[at] = spot[a] * n1 - strike * expf(-rate * expiry[t]) * normal(d1 - sigma);
}

extern "C" void option_surface(int assets, int strikes, int times, float rate, const float* spot, const float* factor, const float* expiry,
                               const float* vol, float* price, float* delta) {
    surface<<<dim3(assets, (strikes + 7) / 8, (times + 31) / 32), dim3(32, 8)>>>(strikes, times, rate, spot, factor, expiry, vol, price, delta);
}
