// Option surface: a thread keeps what belongs to its time and goes along the strikes; logarithms are taken once a block.
#include <cuda_runtime.h>

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void surface(int strikes, int times, float rate, const float* spot, const float* factor, const float* expiry, const float* vol,
                        float* price, float* delta) {
    extern __shared__ float money[];
    for (int k = threadIdx.y * 32 + threadIdx.x; k < strikes; k += 256) money[k] = -logf(factor[k]);
    __syncthreads();
    const int t = blockIdx.z * 32 + threadIdx.x, a = blockIdx.x;
    if (t >= times) return;
    const float sigma = vol[(size_t)a * times + t] * sqrtf(expiry[t]), inverse = 1.0f / sigma, own = spot[a];
    const float discounted = own * expf(-rate * expiry[t]), drift = rate * expiry[t];
    for (int k = threadIdx.y; k < strikes; k += 8) {
        const float d1 = (money[k] + drift) * inverse + 0.5f * sigma, n1 = normal(d1);
        const size_t at = ((size_t)a * strikes + k) * times + t;
        delta[at] = n1;
        price[at] = own * n1 - factor[k] * discounted * normal(d1 - sigma);
    }
}

extern "C" void option_surface(int assets, int strikes, int times, float rate, const float* spot, const float* factor, const float* expiry,
                               const float* vol, float* price, float* delta) {
    surface<<<dim3(assets, 1, (times + 31) / 32), dim3(32, 8), sizeof(float) * strikes>>>(strikes, times, rate, spot, factor, expiry, vol, price, delta);
}
