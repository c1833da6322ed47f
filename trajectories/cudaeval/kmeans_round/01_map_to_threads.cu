// K-means: one point a thread; sums, counts and cost by atomics in global memory.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__global__ void assign(int points, int dims, int k, const int16_t* point, const int16_t* centroid, int32_t* owner, int32_t* count, u64* sum,
                       u64* cost) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const int16_t* own = point + (size_t)i * dims;
    int best = 0;
    long long least = 0x7fffffffffffffffll;
    for (int c = 0; c < k; ++c) {
        long long far = 0;
        for (int d = 0; d < dims; ++d) {
            const int diff = own[d] - centroid[c * dims + d];
            far += diff * diff;
        }
        if (far < least) {
            least = far;
            best = c;
        }
    }
    owner[i] = best;
    atomicAdd(cost, (u64)least);
    atomicAdd(&count[best], 1);
    for (int d = 0; d < dims; ++d) atomicAdd(&sum[best * dims + d], (u64)(long long)own[d]);
}

__global__ void move(int dims, int k, const int16_t* centroid, const int32_t* count, const u64* sum, int16_t* moved) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < k * dims) moved[at] = count[at / dims] ? (int16_t)((long long)sum[at] / count[at / dims]) : centroid[at];
}

extern "C" void kmeans_round(int points, int dims, int k, const int16_t* point, const int16_t* centroid, int32_t* owner, int16_t* moved,
                             int32_t* count, int64_t* cost) {
    u64* sum = nullptr;
    cudaMallocAsync(&sum, sizeof(u64) * k * dims, 0);
    cudaMemsetAsync(sum, 0, sizeof(u64) * k * dims);
    cudaMemsetAsync(count, 0, sizeof(int32_t) * k);
    cudaMemsetAsync(cost, 0, sizeof(int64_t));
    assign<<<(points + 255) / 256, 256>>>(points, dims, k, point, centroid, owner, count, sum, reinterpret_cast<u64*>(cost));
    move<<<(k * dims + 255) / 256, 256>>>(dims, k, centroid, count, sum, moved);
    cudaFreeAsync(sum, 0);
}
