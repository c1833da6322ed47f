// Likelihoods of sites under a tree: a block's threads put the merges in order together, each its own one, in place of a single thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float4 product(float4 left, float4 right) {
    return make_float4(left.x * right.x, left.y * right.y, left.z * right.z, left.w * right.w);
}

// Divides a lineage by a power of two, so that its largest number is in [1, 2); `exponent` grows by the power and the float's bias, 127.
__device__ float4 scaled(float4 made, int& exponent) {
    const int highest = __float_as_int(fmaxf(fmaxf(made.x, made.y), fmaxf(made.z, made.w))) & 0x7f800000;
    const float scale = __int_as_float((254 << 23) - highest);
    exponent += highest >> 23;
    return make_float4(scale * made.x, scale * made.y, scale * made.z, scale * made.w);
}

__device__ float result(float4 root, int exponent) { return logf(0.25f * (root.x + root.y + root.z + root.w)) + 0.69314718f * exponent; }

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

// A merge by its two matrices, with the leaves below them; kGrown stands for what earlier merges have made. A leaf comes first, and of two
// grown lineages the one that has waited.
struct __align__(4) Merge {
    uint8_t first, second, first_leaf, second_leaf;
};

struct Plan {
    Merge merges[kMost];
    int size[kMost];  // merges of a subtree, its own among them
    uint8_t kept[kMost], parent[kMost], back[kMost];
};

// Puts merges in an order in which few lineages wait: depth first, and first the side of more merges. A thread a merge, after all have
// found what each merge keeps. Node i below `leaves` is a leaf, node leaves + k is what merge k makes.
__device__ void order_merges(int leaves, Plan& plan) {
    const int k = threadIdx.x, root = leaves - 2;
    int left = 0, right = 0;
    if (k <= root) {
        const int kept = plan.kept[k], last = leaves - 1 - k;
        left = kept;
        right = last;
        for (int j = 0; j < k; ++j) {  // who kept a lineage last has made it
            if (plan.kept[j] == kept) left = leaves + j;
            if (plan.kept[j] == last) right = leaves + j;
        }
        if (left >= leaves) plan.parent[left - leaves] = (uint8_t)k;
        if (right >= leaves) plan.parent[right - leaves] = (uint8_t)k;
        plan.size[k] = 1;
    }
    __syncthreads();
    if (k < root)
        for (int at = k; at != root;) atomicAdd(plan.size + (at = plan.parent[at]), 1);
    __syncthreads();
    const auto size_of = [&](int node) { return node < leaves ? 0 : plan.size[node - leaves]; };
    const bool right_first = size_of(right) > size_of(left);
    if (k <= root) {  // how long before this merge those are that make what it joins: a side's merges end where the other's begin
        if (left >= leaves) plan.back[left - leaves] = (uint8_t)(1 + (right_first ? 0 : size_of(right)));
        if (right >= leaves) plan.back[right - leaves] = (uint8_t)(1 + (right_first ? size_of(left) : 0));
    }
    __syncthreads();
    if (k > root) return;
    int place = root;
    for (int at = k; at != root; at = plan.parent[at]) place -= plan.back[at];
    const bool turned = left >= leaves && (right < leaves || right_first);
    const int first = turned ? right : left, second = turned ? left : right;
    plan.merges[place] = {(uint8_t)(2 * k + turned), (uint8_t)(2 * k + !turned), (uint8_t)(first < leaves ? first : kGrown),
                          (uint8_t)(second < leaves ? second : kGrown)};
}

__global__ void prune(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    extern __shared__ float4 table[];  // the columns of both matrices of every merge
    for (int i = threadIdx.x; i < 2 * (leaves - 1); i += kThreads) stage(matrix + 16 * i, table + kColumns * i);
    __shared__ float4 waiting[kDepth][kOwn][kThreads];
    __shared__ Plan plan;
    for (int k = threadIdx.x; k < leaves - 1; k += kThreads) plan.kept[k] = (uint8_t)(join[k] % (leaves - 1 - k));
    __syncthreads();
    order_merges(leaves, plan);
    __syncthreads();
    for (int start = blockIdx.x * kOwn * kThreads + threadIdx.x; start < sites; start += gridDim.x * kOwn * kThreads) {
        float4 newest[kOwn] = {};  // the lineages that have been made last
        int depth = 0, exponent[kOwn] = {};
        const uint8_t* seen[kOwn];
        for (int m = 0; m < kOwn; ++m) seen[m] = base + min(start + m * kThreads, sites - 1);  // beyond the last site its own once more
        for (int i = 0; i < leaves - 1; ++i) {
            const Merge merge = plan.merges[i];
            const float4 *first = table + kColumns * merge.first, *second = table + kColumns * merge.second;
            const long long first_row = (long long)merge.first_leaf * sites, second_row = (long long)merge.second_leaf * sites;
            if (merge.second_leaf != kGrown) {
#pragma unroll
                for (int m = 0; m < kOwn; ++m) {
                    if (i > 0) waiting[depth][m][threadIdx.x] = newest[m];
                    newest[m] = product(first[seen[m][first_row]], second[seen[m][second_row]]);
                }
                if (i > 0) ++depth;
            } else if (merge.first_leaf != kGrown) {
#pragma unroll
                for (int m = 0; m < kOwn; ++m) newest[m] = product(first[seen[m][first_row]], follow(second, newest[m]));
            } else {
                --depth;
#pragma unroll
                for (int m = 0; m < kOwn; ++m) {
                    const float4 older = waiting[depth][m][threadIdx.x];
                    newest[m] = product(follow(first, older), follow(second, newest[m]));
                }
            }
#pragma unroll
            for (int m = 0; m < kOwn; ++m) newest[m] = scaled(newest[m], exponent[m]);
        }
#pragma unroll
        for (int m = 0; m < kOwn; ++m)
            if (start + m * kThreads < sites) likelihood[start + m * kThreads] = result(newest[m], exponent[m] - 127 * (leaves - 1));
    }
}

extern "C" void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    const int blocks = (sites - 1) / (kOwn * kThreads) + 1;
    const size_t bytes = sizeof(float4) * 2 * kColumns * (leaves - 1);
    cudaFuncSetAttribute(prune, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    prune<<<blocks < kMostBlocks ? blocks : kMostBlocks, kThreads, bytes>>>(leaves, sites, base, join, matrix, likelihood);
}
