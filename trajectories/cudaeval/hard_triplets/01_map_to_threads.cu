// Triplets: one anchor a thread.
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

__global__ void mine(int rows, int parts, int margin, const int8_t* embedding, const int* label, int* positive, int* negative, unsigned long long* loss, int* active) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    long long far = -1, near = 0x7fffffffffffffffll;
    for (int j = 0; j < rows; ++j) {
        if (j == i) continue;
        long long sum = 0;
        for (int p = 0; p < parts; ++p) {
            const int d = embedding[(size_t)i * parts + p] - embedding[(size_t)j * parts + p];
            sum += d * d;
        }
        if (label[j] == label[i]) far = max(far, sum << 32 | (0x7fffffff - j));
        else near = min(near, sum << 32 | j);
    }
    tell(far, near, margin, positive + i, negative + i, loss, active);
}

extern "C" void hard_triplets(int rows, int parts, int, int32_t margin, const int8_t* embedding, const int32_t* label, int32_t* positive, int32_t* negative,
                              int64_t* loss, int32_t* active) {
    cudaMemsetAsync(loss, 0, sizeof(int64_t));
    cudaMemsetAsync(active, 0, sizeof(int32_t));
    mine<<<(rows + 63) / 64, 64>>>(rows, parts, margin, embedding, label, positive, negative, reinterpret_cast<unsigned long long*>(loss), active);
}
