// K-means: a block keeps centroids, sums and counts in shared memory and stays for many points.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

constexpr int kMost = 1024, kPoints = 4096;  // numbers of all centroids; points of a block

__global__ void assign(int points, int dims, int k, const int16_t* point, const int16_t* centroid, int32_t* owner, int32_t* count, u64* sum,
                       u64* cost) {
    __shared__ int center[kMost], part[kMost], members[kMost];
    __shared__ u64 total;
    for (int c = threadIdx.x; c < k * dims; c += blockDim.x) {
        center[c] = centroid[c];
        part[c] = 0;
        if (c < k) members[c] = 0;
    }
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int first = blockIdx.x * kPoints;
    long long mine = 0;
    for (int i = first + threadIdx.x; i < min(first + kPoints, points); i += blockDim.x) {
        const int16_t* own = point + (size_t)i * dims;
        int best = 0;
        long long least = 0x7fffffffffffffffll;
        for (int c = 0; c < k; ++c) {
            long long far = 0;
            for (int d = 0; d < dims; ++d) {
                const int diff = own[d] - center[c * dims + d];
                far += diff * diff;
            }
            if (far < least) {
                least = far;
                best = c;
            }
        }
        owner[i] = best;
        mine += least;
        atomicAdd(&members[best], 1);
        for (int d = 0; d < dims; ++d) atomicAdd(&part[best * dims + d], own[d]);
    }
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, (u64)mine);
    __syncthreads();
    for (int c = threadIdx.x; c < k * dims; c += blockDim.x) {
        if (part[c]) atomicAdd(&sum[c], (u64)(long long)part[c]);
        if (c < k && members[c]) atomicAdd(&count[c], members[c]);
    }
    if (threadIdx.x == 0) atomicAdd(cost, total);
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
    assign<<<(points + kPoints - 1) / kPoints, 256>>>(points, dims, k, point, centroid, owner, count, sum, reinterpret_cast<u64*>(cost));
    move<<<(k * dims + 255) / 256, 256>>>(dims, k, centroid, count, sum, moved);
    cudaFreeAsync(sum, 0);
}
