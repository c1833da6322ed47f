// Likelihoods of sites under a tree: a block stages the matrices of all branches.
#include <cuda_runtime.h>

#include <cstdint>

// What a subtree looks like from the upper end of its branch.
__device__ float4 follow(const float* matrix, float4 below) {
    float above[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float* row = matrix + 4 * i;
        above[i] = row[0] * below.x + row[1] * below.y + row[2] * below.z + row[3] * below.w;
    }
    return make_float4(above[0], above[1], above[2], above[3]);
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

__global__ void prune(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float4* lineage,
                      float* likelihood) {
    extern __shared__ float table[];  // both matrices of every merge
    for (int i = threadIdx.x; i < 32 * (leaves - 1); i += blockDim.x) table[i] = matrix[i];
    __syncthreads();
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sites) return;
    float4* mine = lineage + s;
    for (int leaf = 0; leaf < leaves; ++leaf) mine[(long long)leaf * sites] = leaf_of(base[(long long)leaf * sites + s]);
    int halvings = 0;
    for (int last = leaves - 1; last > 0; --last) {
        const int k = leaves - 1 - last, kept = join[k] % last;
        const float4 left = follow(table + 32 * k, mine[(long long)kept * sites]);
        const float4 right = follow(table + 32 * k + 16, mine[(long long)last * sites]);
        mine[(long long)kept * sites] = joined(left, right, halvings);
    }
    likelihood[s] = result(mine[0], halvings);
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    float4* lineage = nullptr;
    cudaMalloc(&lineage, sizeof(float4) * leaves * sites);
    prune<<<(sites - 1) / 64 + 1, 64, sizeof(float) * 32 * (leaves - 1)>>>(leaves, sites, base, join, matrix, lineage, likelihood);
    cudaFree(lineage);
}
