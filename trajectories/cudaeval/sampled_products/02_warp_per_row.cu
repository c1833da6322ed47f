#include <cuda_runtime.h>

// A warp a user: lanes share each inner product, so that they read neighbouring factors.
__global__ void residuals(int users, int rank, const long long* __restrict__ first, const int* __restrict__ item,
                          const float* __restrict__ observed, const float* __restrict__ user_factor,
                          const float* __restrict__ item_factor, float* __restrict__ residual) {
    int u = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (u >= users) return;
    const float* p = user_factor + (long long)u * rank;
    long long end = first[u + 1];
    for (long long e = first[u]; e < end; ++e) {
        const float* q = item_factor + (long long)item[e] * rank;
        float sum = 0.0f;
        for (int k = lane; k < rank; k += 32) sum += p[k] * q[k];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (lane == 0) residual[e] = observed[e] - sum;
    }
}

extern "C" void sampled_products(int users, int items, long long ratings, int rank, const long long* first, const int* item,
                                 const float* observed, const float* user_factor, const float* item_factor, float* residual) {
    if (users > 0)
        residuals<<<(users + 7) / 8, 256>>>(users, rank, first, item, observed, user_factor, item_factor, residual);
}
