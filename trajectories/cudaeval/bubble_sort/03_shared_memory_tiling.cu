// Sorting: steps that stay within 2048 elements are taken in shared memory, many in one launch.
#include <cuda_runtime.h>

constexpr int kThreads = 1024, kTile = 2 * kThreads;  // a thread a pair of a block's tile

// Pair `p` of a step that compares elements `reach` apart; the first step of a merge compares each with its mirror image in a group of
// 2 * reach, so that smaller elements always go left. Elements past the end would be the largest and stay there: pairs with them are left out.
__device__ void compare(int p, int reach, bool mirrored, int n, float* x) {
    const int within = p % reach, group = p / reach * 2 * reach;
    const int left = group + within, right = mirrored ? group + 2 * reach - 1 - within : left + reach;
    if (right >= n) return;
    const float a = x[left], b = x[right];
    if (a > b) x[left] = b, x[right] = a;
}

// Steps within tiles: all of the merges up to groups of a tile where `from` is 0, else those of reach `from` and below of a merge.
__global__ void __launch_bounds__(kThreads) exchange_in_tiles(int from, int n, float* x) {
    __shared__ float tile[kTile];
    const int begin = blockIdx.x * kTile, size = min(kTile, n - begin);
    x += begin;
    for (int i = threadIdx.x; i < size; i += kThreads) tile[i] = x[i];
    __syncthreads();
    for (int merged = from > 0 ? kTile : 1; from > 0 ? merged == kTile : merged < kTile && merged < size; merged *= 2)
        for (int reach = from > 0 ? from : merged; reach > 0; reach /= 2) {
            compare(threadIdx.x, reach, reach == merged, size, tile);
            __syncthreads();
        }
    for (int i = threadIdx.x; i < size; i += kThreads) x[i] = tile[i];
}

__global__ void __launch_bounds__(kThreads) exchange(int pairs, int reach, bool mirrored, int n, float* x) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p < pairs) compare(p, reach, mirrored, n, x);
}

extern "C" void bubble_sort(int n, float* x) {
    if (n < 2) return;
    const int tiles = (n - 1) / kTile + 1;
    exchange_in_tiles<<<tiles, kThreads>>>(0, n, x);
    for (int merged = kTile; merged < n; merged *= 2) {
        const int pairs = ((n - 1) / (2 * merged) + 1) * merged;  // of whole groups
        for (int reach = merged; reach >= kTile; reach /= 2)
            exchange<<<(pairs - 1) / kThreads + 1, kThreads>>>(pairs, reach, reach == merged, n, x);
        exchange_in_tiles<<<tiles, kThreads>>>(kTile / 2, n, x);
    }
}
