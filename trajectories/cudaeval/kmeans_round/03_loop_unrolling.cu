// K-means: rows of eight coordinates stay in registers, as one 16-byte load; other widths as before.
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

// Eight coordinates: a point is one load, and its differences are in 32 bits, the sum in 64.
__global__ void assign8(int points, int k, const uint4* __restrict__ point, const int16_t* __restrict__ centroid, int32_t* __restrict__ owner,
                        int32_t* count, u64* sum, u64* cost) {
    __shared__ int part[kMost], members[kMost / 8];
    __shared__ int4 center[kMost / 4];
    __shared__ u64 total;
    for (int c = threadIdx.x; c < k * 8; c += blockDim.x) {
        reinterpret_cast<int*>(center)[c] = centroid[c];
        part[c] = 0;
        if (c < k) members[c] = 0;
    }
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int first = blockIdx.x * kPoints;
    long long mine = 0;
    for (int i = first + threadIdx.x; i < min(first + kPoints, points); i += blockDim.x) {
        const uint4 packed = point[i];
        const unsigned word[4] = {packed.x, packed.y, packed.z, packed.w};
        int own[8];
#pragma unroll
        for (int d = 0; d < 8; ++d) own[d] = (int16_t)(word[d / 2] >> 16 * (d % 2));
        int best = 0;
        long long wide = 0x7fffffffffffffffll;
        for (int c = 0; c < k; ++c) {
            const int4 low = center[2 * c], high = center[2 * c + 1];
            const int other[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
            long long far = 0;
#pragma unroll
            for (int d = 0; d < 8; ++d) far += (long long)(own[d] - other[d]) * (own[d] - other[d]);
            if (far < wide) {
                wide = far;
                best = c;
            }
        }
        owner[i] = best;
        mine += wide;
        atomicAdd(&members[best], 1);
#pragma unroll
        for (int d = 0; d < 8; ++d) atomicAdd(&part[best * 8 + d], own[d]);
    }
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, (u64)mine);
    __syncthreads();
    for (int c = threadIdx.x; c < k * 8; c += blockDim.x) {
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
    const int blocks = (points + kPoints - 1) / kPoints;
    u64* total = reinterpret_cast<u64*>(cost);
    if (dims == 8)
        assign8<<<blocks, 256>>>(points, k, reinterpret_cast<const uint4*>(point), centroid, owner, count, sum, total);
    else
        assign<<<blocks, 256>>>(points, dims, k, point, centroid, owner, count, sum, total);
    move<<<(k * dims + 255) / 256, 256>>>(dims, k, centroid, count, sum, moved);
    cudaFreeAsync(sum, 0);
}
