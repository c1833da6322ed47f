// Likelihoods of sites under a tree: a thread has two sites, for which a merge and its matrices are read once.
#include <cuda_runtime.h>

#include <cstdint>

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

constexpr int kThreads = 128, kOwn = 2;  // sites a thread
constexpr int kMost = 128, kDepth = 6;  // leaves of a tree, lineages that wait at once: a tree of 2^d leaves makes d - 1 wait
constexpr int kMostBlocks = 132 * 8;    // as many as a large device holds at once
constexpr int kGrown = 255;

// A merge by its number, with the leaves that it joins; kGrown stands for what earlier merges have made.
struct Merge {
    uint8_t number, left, right, right_first;  // right_first: the right lineage is made before the left one
};

struct Plan {
    Merge merges[kMost];
    uint8_t kept[kMost], lineage[kMost], left[kMost], right[kMost], need[kMost], waiting[kMost];
};

// Puts merges in an order in which few lineages wait: depth first, and first the side that makes more of them wait. By one thread, after
// all have found what each merge keeps. Node i below `leaves` is a leaf, node leaves + k is what merge k makes.
__device__ void order_merges(int leaves, Plan& plan) {
    const auto need_of = [&](int node) { return node < leaves ? 0 : (int)plan.need[node - leaves]; };
    for (int i = 0; i < leaves; ++i) plan.lineage[i] = (uint8_t)i;
    for (int k = 0; k < leaves - 1; ++k) {
        const int left = plan.lineage[plan.kept[k]], right = plan.lineage[leaves - 1 - k];
        const int a = need_of(left), b = need_of(right);
        plan.left[k] = (uint8_t)left;
        plan.right[k] = (uint8_t)right;
        plan.need[k] = (uint8_t)(a == b ? a + 1 : max(a, b));
        plan.lineage[plan.kept[k]] = (uint8_t)(leaves + k);
    }
    int depth = 0;
    plan.waiting[depth++] = (uint8_t)(leaves - 2);
    for (int at = leaves - 2; at >= 0; --at) {
        const int k = plan.waiting[--depth], left = plan.left[k], right = plan.right[k];
        const bool right_first = need_of(right) > need_of(left);
        const int early = right_first ? right : left, late = right_first ? left : right;
        plan.merges[at] = {(uint8_t)k, (uint8_t)(left < leaves ? left : kGrown), (uint8_t)(right < leaves ? right : kGrown), right_first};
        if (early >= leaves) plan.waiting[depth++] = (uint8_t)(early - leaves);
        if (late >= leaves) plan.waiting[depth++] = (uint8_t)(late - leaves);
    }
}

__global__ void prune(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    extern __shared__ float4 table[];  // the columns of both matrices of every merge
    for (int i = threadIdx.x; i < 2 * (leaves - 1); i += kThreads) stage(matrix + 16 * i, table + kColumns * i);
    __shared__ float4 waiting[kDepth][kOwn][kThreads];
    __shared__ Plan plan;
    for (int k = threadIdx.x; k < leaves - 1; k += kThreads) plan.kept[k] = (uint8_t)(join[k] % (leaves - 1 - k));
    __syncthreads();
    if (threadIdx.x == 0) order_merges(leaves, plan);
    __syncthreads();
    for (int start = blockIdx.x * kOwn * kThreads + threadIdx.x; start < sites; start += gridDim.x * kOwn * kThreads) {
        float4 newest[kOwn] = {};  // the lineages that have been made last
        int depth = 0, halvings[kOwn] = {};
        for (int i = 0; i < leaves - 1; ++i) {
            const Merge merge = plan.merges[i];
            const float4 *first = table + 2 * kColumns * merge.number, *second = first + kColumns;
            const bool is_new = merge.left != kGrown && merge.right != kGrown, is_last = merge.left == kGrown && merge.right == kGrown;
            if (is_last) --depth;
#pragma unroll
            for (int m = 0; m < kOwn; ++m) {
                const long long s = min(start + m * kThreads, sites - 1);  // beyond the last site its work is done again
                float4 older = newest[m];
                if (is_new && i > 0) waiting[depth][m][threadIdx.x] = newest[m];
                if (is_last) older = waiting[depth][m][threadIdx.x];
                // Of two grown lineages the one made first has waited; with a single one, older and newest are the same.
                const float4 grown_left = merge.right_first ? newest[m] : older, grown_right = merge.right_first ? older : newest[m];
                float4 left, right;
                if (merge.left == kGrown)
                    left = follow(first, grown_left);
                else
                    left = first[base[(long long)merge.left * sites + s]];
                if (merge.right == kGrown)
                    right = follow(second, grown_right);
                else
                    right = second[base[(long long)merge.right * sites + s]];
                newest[m] = joined(left, right, halvings[m]);
            }
            if (is_new && i > 0) ++depth;
        }
#pragma unroll
        for (int m = 0; m < kOwn; ++m)
            if (start + m * kThreads < sites) likelihood[start + m * kThreads] = result(newest[m], halvings[m]);
    }
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    const int blocks = (sites - 1) / (kOwn * kThreads) + 1;
    const size_t bytes = sizeof(float4) * 2 * kColumns * (leaves - 1);
    cudaFuncSetAttribute(prune, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    prune<<<blocks < kMostBlocks ? blocks : kMostBlocks, kThreads, bytes>>>(leaves, sites, base, join, matrix, likelihood);
}
