// Likelihoods of sites under a tree: a row of a matrix is read at once.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

// What a subtree looks like from the upper end of its branch.
__device__ float4 follow(const float4* row, float4 below) {
    return make_float4(dot(row[0], below), dot(row[1], below), dot(row[2], below), dot(row[3], below));
}

__device__ float4 leaf_of(int seen) {
    const bool open = seen == 4;
    return make_float4(open || seen == 0, open || seen == 1, open || seen == 2, open || seen == 3);
}

// Joins two lineages and keeps the numbers away from underflow.
__device__ float4 joined(float4 left, float4 right, int& halvings) {
    float4 kept = make_float4(left.x * right.x, left.y * right.y, left.z * right.z, left.w * right.w);
    float highest = fmaxf(fmaxf(kept.x, kept.y), fmaxf(kept.z, kept.w));
    while (highest < 0.0009765625f) {
        highest *= 1024.0f;
        halvings += 10;
        kept = make_float4(1024.0f * kept.x, 1024.0f * kept.y, 1024.0f * kept.z, 1024.0f * kept.w);
    }
    return kept;
}

__device__ float result(float4 root, int halvings) { return logf(0.25f * (root.x + root.y + root.z + root.w)) - 0.69314718f * halvings; }

constexpr int kThreads = 64;

// The lineages of a block's sites stay in shared memory.
__global__ void prune(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    extern __shared__ float4 table[];  // both matrices of every merge, then the lineages
    if ((uintptr_t)matrix % 16 == 0) {
        for (int i = threadIdx.x; i < 8 * (leaves - 1); i += kThreads) table[i] = ((const float4*)matrix)[i];
    } else {
        for (int i = threadIdx.x; i < 32 * (leaves - 1); i += kThreads) ((float*)table)[i] = matrix[i];
    }
    __syncthreads();
    const int s = blockIdx.x * kThreads + threadIdx.x;
    if (s >= sites) return;
    float4* mine = table + 8 * (leaves - 1) + threadIdx.x;
    for (int leaf = 0; leaf < leaves; ++leaf) mine[leaf * kThreads] = leaf_of(base[(long long)leaf * sites + s]);
    int halvings = 0;
    for (int last = leaves - 1; last > 0; --last) {
        const int k = leaves - 1 - last, kept = join[k] % last;
        const float4 left = follow(table + 8 * k, mine[kept * kThreads]), right = follow(table + 8 * k + 4, mine[last * kThreads]);
        mine[kept * kThreads] = joined(left, right, halvings);
    }
    likelihood[s] = result(mine[0], halvings);
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    const size_t bytes = sizeof(float) * 32 * (leaves - 1) + sizeof(float4) * kThreads * leaves;
    cudaFuncSetAttribute(prune, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    prune<<<(sites - 1) / kThreads + 1, kThreads, bytes>>>(leaves, sites, base, join, matrix, likelihood);
}
