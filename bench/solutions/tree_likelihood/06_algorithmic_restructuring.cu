// Likelihoods of sites under a tree: a leaf picks a column of its matrix in place of a product.
#include <cuda_runtime.h>

#include <cstdint>

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

constexpr int kColumns = 5;  // of a matrix, the last one the sum of the others

// A leaf needs no product: its state picks a column of the matrix, or their sum where it is unknown.
__device__ void stage(const float* matrix, float4* column) {
    float sum[4] = {};
    for (int j = 0; j < 4; ++j) {
        const float entry[4] = {matrix[j], matrix[4 + j], matrix[8 + j], matrix[12 + j]};
        for (int i = 0; i < 4; ++i) sum[i] += entry[i];
        column[j] = make_float4(entry[0], entry[1], entry[2], entry[3]);
    }
    column[4] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

__device__ float4 times(float4 c, float x, float4 more) {
    return make_float4(more.x + c.x * x, more.y + c.y * x, more.z + c.z * x, more.w + c.w * x);
}

// What a subtree looks like from the upper end of its branch.
__device__ float4 follow(const float4* column, float4 below) {
    const float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return times(column[3], below.w, times(column[2], below.z, times(column[1], below.y, times(column[0], below.x, none))));
}

// Bit i of `grown`: lineage i is no leaf any more, the same for all sites of the block.
__device__ bool is_grown(const unsigned* grown, int i) { return grown[i / 32] >> i % 32 & 1; }

__global__ void prune(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    extern __shared__ float4 table[];  // the columns of both matrices of every merge, then the lineages
    for (int i = threadIdx.x; i < 2 * (leaves - 1); i += kThreads) stage(matrix + 16 * i, table + kColumns * i);
    __syncthreads();
    const int s = blockIdx.x * kThreads + threadIdx.x;
    if (s >= sites) return;
    float4* mine = table + 2 * kColumns * (leaves - 1) + threadIdx.x;
    unsigned grown[4] = {};
    int halvings = 0;
    for (int last = leaves - 1; last > 0; --last) {
        const int k = leaves - 1 - last, kept = join[k] % last;
        const float4 *first = table + 2 * kColumns * k, *second = first + kColumns;
        float4 left, right;
        if (is_grown(grown, kept))
            left = follow(first, mine[kept * kThreads]);
        else
            left = first[base[(long long)kept * sites + s]];
        if (is_grown(grown, last))
            right = follow(second, mine[last * kThreads]);
        else
            right = second[base[(long long)last * sites + s]];
        mine[kept * kThreads] = joined(left, right, halvings);
        grown[kept / 32] |= 1u << kept % 32;
    }
    likelihood[s] = leaves > 1 ? result(mine[0], halvings) : result(leaf_of(base[s]), 0);
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    const size_t bytes = sizeof(float4) * 2 * kColumns * (leaves - 1) + sizeof(float4) * kThreads * leaves;
    cudaFuncSetAttribute(prune, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    prune<<<(sites - 1) / kThreads + 1, kThreads, bytes>>>(leaves, sites, base, join, matrix, likelihood);
}
