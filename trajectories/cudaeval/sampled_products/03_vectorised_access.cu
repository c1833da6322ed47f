#include <cuda_runtime.h>
#include <cstdint>

constexpr int kGroup = 8;  // lanes that share an inner product; four of them at once in a warp

__device__ float group_sum(float sum) {
    for (int d = kGroup / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    return sum;
}

// A warp a user, eight lanes a rating, 16 bytes a load where rows begin at multiples of 16 bytes.
__global__ void residuals(bool wide, int users, int rank, const long long* __restrict__ first, const int* __restrict__ item,
                          const float* __restrict__ observed, const float* __restrict__ user_factor,
                          const float* __restrict__ item_factor, float* __restrict__ residual) {
    int u = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % kGroup, group = threadIdx.x % 32 / kGroup;
    if (u >= users) return;
    const float* p = user_factor + (long long)u * rank;
    long long end = first[u + 1];
    for (long long base = first[u]; base < end; base += 32 / kGroup) {
        long long e = base + group;
        float sum = 0.0f;
        if (e < end) {
            const float* q = item_factor + (long long)item[e] * rank;
            if (wide) {
                for (int k = 4 * lane; k < rank; k += 4 * kGroup) {
                    float4 a = *reinterpret_cast<const float4*>(p + k), b = *reinterpret_cast<const float4*>(q + k);
                    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
                }
            } else {
                for (int k = lane; k < rank; k += kGroup) sum += p[k] * q[k];
            }
        }
        sum = group_sum(sum);
        if (e < end && lane == 0) residual[e] = observed[e] - sum;
    }
}

extern "C" void sampled_products(int users, int items, long long ratings, int rank, const long long* first, const int* item,
                                 const float* observed, const float* user_factor, const float* item_factor, float* residual) {
    auto aligned = [](const void* place) { return reinterpret_cast<uintptr_t>(place) % 16 == 0; };
    bool wide = rank % 4 == 0 && aligned(user_factor) && aligned(item_factor);
    if (users > 0)
        residuals<<<(users + 7) / 8, 256>>>(wide, users, rank, first, item, observed, user_factor, item_factor, residual);
}
