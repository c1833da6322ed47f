// Display window: a cluster of eight blocks for each frame holds the whole table in its shared memories.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kLevels = 65536;
constexpr int kCluster = 8;
constexpr int kOwn = kLevels / kCluster;  // levels whose counts lie in one block's shared memory
constexpr int kThreads = 512;
constexpr int kEach = kOwn / kThreads;

// What the threads before this one have in sum; *total is the sum of all. Called once in a kernel.
__device__ unsigned sum_before(unsigned value, unsigned* total) {
    __shared__ unsigned of_warp[kThreads / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, upto = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(0xffffffffu, upto, distance);
        if (lane >= (unsigned)distance) upto += other;
    }
    if (lane == 31) of_warp[warp] = upto;
    __syncthreads();
    unsigned before = upto - value, sum = 0;
    for (unsigned w = 0; w < kThreads / 32; ++w) {
        if (w < warp) before += of_warp[w];
        sum += of_warp[w];
    }
    *total = sum;
    return before;
}

// One more pixel of this value, in the table of the block that has its level.
__device__ void add(cg::cluster_group cluster, unsigned* own, unsigned value) {
    atomicAdd(cluster.map_shared_rank(own, value / kOwn) + value % kOwn, 1u);
}

// From the counts of the cluster's blocks, each with its own levels, to the two levels.
__device__ void find_levels(cg::cluster_group cluster, int f, unsigned low_rank, unsigned high_rank, const unsigned* own, int32_t* low,
                            int32_t* high) {
    __shared__ unsigned block_total;
    int rank = (int)cluster.block_rank();
    const unsigned* mine = own + threadIdx.x * kEach;
    unsigned sum = 0, total;
    for (int level = 0; level < kEach; ++level) sum += mine[level];
    unsigned below = sum_before(sum, &total);
    if (threadIdx.x == 0) block_total = total;
    cluster.sync();
    for (int r = 0; r < rank; ++r) below += *cluster.map_shared_rank(&block_total, r);
    cluster.sync();  // no block may leave while another still reads its total
    if (low_rank - below >= sum && high_rank - below >= sum) return;  // unsigned: the rank may lie below, too
    for (int level = 0; level < kEach; ++level) {
        unsigned count = mine[level];
        if (low_rank - below < count) low[f] = rank * kOwn + threadIdx.x * kEach + level;
        if (high_rank - below < count) high[f] = rank * kOwn + threadIdx.x * kEach + level;
        below += count;
    }
}

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    levels_of_frames(int pixels, unsigned low_rank, unsigned high_rank, const uint16_t* image, int32_t* low, int32_t* high) {
    __shared__ unsigned own[kOwn];
    cg::cluster_group cluster = cg::this_cluster();
    for (int level = threadIdx.x; level < kOwn; level += kThreads) own[level] = 0;
    cluster.sync();  // every block's table is cleared

    int f = blockIdx.x / kCluster;
    const uint16_t* frame = image + (size_t)f * pixels;
    for (int p = (int)cluster.thread_rank(); p < pixels; p += kCluster * kThreads) add(cluster, own, frame[p]);
    cluster.sync();  // all pixels are counted
    find_levels(cluster, f, low_rank, high_rank, own, low, high);
}

extern "C" void display_window(int frames, int pixels, int low_permille, int high_permille, const uint16_t* image, int32_t* low,
                               int32_t* high) {
    long long low_rank = (long long)low_permille * (pixels - 1) / 1000, high_rank = (long long)high_permille * (pixels - 1) / 1000;
    levels_of_frames<<<frames * kCluster, kThreads>>>(pixels, (unsigned)low_rank, (unsigned)high_rank, image, low, high);
}
