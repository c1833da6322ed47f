// Likelihoods of sites under a tree: merges are done depth first, so that few lineages wait, and many more threads have room.
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

constexpr int kThreads = 128;
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
    extern __shared__ __align__(16) float table[];  // both matrices of every merge
    for (int i = threadIdx.x; i < 32 * (leaves - 1); i += kThreads) table[i] = matrix[i];
    __shared__ float4 waiting[kDepth][kThreads];
    __shared__ Plan plan;
    for (int k = threadIdx.x; k < leaves - 1; k += kThreads) plan.kept[k] = (uint8_t)(join[k] % (leaves - 1 - k));
    __syncthreads();
    if (threadIdx.x == 0) order_merges(leaves, plan);
    __syncthreads();
    for (int s = blockIdx.x * kThreads + threadIdx.x; s < sites; s += gridDim.x * kThreads) {
        float4 newest = {};  // the lineage that has been made last
        int depth = 0, halvings = 0;
        for (int i = 0; i < leaves - 1; ++i) {
            const Merge merge = plan.merges[i];
            float4 older = newest;
            if (merge.left != kGrown && merge.right != kGrown) {
                if (i > 0) waiting[depth++][threadIdx.x] = newest;
            } else if (merge.left == kGrown && merge.right == kGrown) {
                older = waiting[--depth][threadIdx.x];
            }
            // Of two grown lineages the one made first has waited; with a single one, older and newest are the same.
            const float4 grown_left = merge.right_first ? newest : older, grown_right = merge.right_first ? older : newest;
            const float4 below_left = merge.left == kGrown ? grown_left : leaf_of(base[(long long)merge.left * sites + s]);
            const float4 below_right = merge.right == kGrown ? grown_right : leaf_of(base[(long long)merge.right * sites + s]);
            const float4 left = follow(table + 32 * merge.number, below_left), right = follow(table + 32 * merge.number + 16, below_right);
            newest = joined(left, right, halvings);
        }
        likelihood[s] = result(newest, halvings);
    }
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    const int blocks = (sites - 1) / kThreads + 1;
    const size_t bytes = sizeof(float) * 32 * (leaves - 1);
    prune<<<blocks < kMostBlocks ? blocks : kMostBlocks, kThreads, bytes>>>(leaves, sites, base, join, matrix, likelihood);
}
