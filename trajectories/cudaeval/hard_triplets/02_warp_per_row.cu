// Triplets: a block of 128 threads takes an anchor, whose row lies in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

// far: distance above, rows from the end below; near: distance above, row below
__device__ void tell(long long far, long long near, int margin, int* positive, int* negative, unsigned long long* loss, int* active) {
    *positive = far < 0 ? -1 : 0x7fffffff - (int)(far & 0xffffffff);
    *negative = near == 0x7fffffffffffffffll ? -1 : (int)(near & 0xffffffff);
    if (far < 0 || near == 0x7fffffffffffffffll) return;
    const long long own = (far >> 32) - (near >> 32) + margin;
    if (own <= 0) return;
    atomicAdd(loss, (unsigned long long)own);
    atomicAdd(active, 1);
}

constexpr int kParts = 512;

__global__ void mine(int rows, int parts, int margin, const int8_t* __restrict__ embedding, const int* __restrict__ label, int* positive, int* negative,
                     unsigned long long* loss, int* active) {
    __shared__ int8_t own[kParts];
    __shared__ long long far_of[4], near_of[4];
    const int i = blockIdx.x, mine = label[i];
    for (int p = threadIdx.x; p < min(parts, kParts); p += 128) own[p] = embedding[(size_t)i * parts + p];
    __syncthreads();
    long long far = -1, near = 0x7fffffffffffffffll;
    for (int j = threadIdx.x; j < rows; j += 128) {
        if (j == i) continue;
        const int8_t* other = embedding + (size_t)j * parts;
        int sum = 0;
        for (int p = 0; p < parts; ++p) {
            const int d = (p < kParts ? own[p] : embedding[(size_t)i * parts + p]) - other[p];
            sum += d * d;
        }
        if (label[j] == mine) far = max(far, (long long)sum << 32 | (0x7fffffff - j));
        else near = min(near, (long long)sum << 32 | j);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        far = max(far, __shfl_xor_sync(0xffffffffu, far, apart));
        near = min(near, __shfl_xor_sync(0xffffffffu, near, apart));
    }
    if (threadIdx.x % 32 == 0) far_of[threadIdx.x / 32] = far, near_of[threadIdx.x / 32] = near;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 4; ++w) far = max(far, far_of[w]), near = min(near, near_of[w]);
    tell(far, near, margin, positive + i, negative + i, loss, active);
}

extern "C" void hard_triplets(int rows, int parts, int, int32_t margin, const int8_t* embedding, const int32_t* label, int32_t* positive, int32_t* negative,
                              int64_t* loss, int32_t* active) {
    cudaMemsetAsync(loss, 0, sizeof(int64_t));
    cudaMemsetAsync(active, 0, sizeof(int32_t));
    mine<<<rows, 128>>>(rows, parts, margin, embedding, label, positive, negative, reinterpret_cast<unsigned long long*>(loss), active);
}
