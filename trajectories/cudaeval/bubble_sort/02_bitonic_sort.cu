// Sorting: a bitonic network; log2(n) * (log2(n) + 1) / 2 steps in place of n.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Pair `p` of a step that compares elements `reach` apart; the first step of a merge compares each with its mirror image in a group of
// 2 * reach, so that smaller elements always go left. Elements past the end would be the largest and stay there: pairs with them are left out.
__device__ void compare(int p, int reach, bool mirrored, int n, float* x) {
    const int within = p % reach, group = p / reach * 2 * reach;
    const int left = group + within, right = mirrored ? group + 2 * reach - 1 - within : left + reach;
    if (right >= n) return;
    const float a = x[left], b = x[right];
    if (a > b) x[left] = b, x[right] = a;
}

__global__ void exchange(int pairs, int reach, bool mirrored, int n, float* x) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p < pairs) compare(p, reach, mirrored, n, x);
}

extern "C" void bubble_sort(int n, float* x) {
    for (int merged = 1; merged < n; merged *= 2) {
        const int pairs = ((n - 1) / (2 * merged) + 1) * merged;  // of whole groups
        for (int reach = merged; reach > 0; reach /= 2)
            exchange<<<(pairs - 1) / kThreads + 1, kThreads>>>(pairs, reach, reach == merged, n, x);
    }
}
