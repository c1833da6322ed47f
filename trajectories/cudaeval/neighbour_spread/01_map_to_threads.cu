// Spread of neighbours: one vertex a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Found {
    float low, high, least;
    int chosen;

    __device__ void look_at(int u, float own, const float* value) {
        if (u < 0) return;
        const float other = value[u], apart = fabsf(other - own);
        low = fminf(low, other);
        high = fmaxf(high, other);
        if (apart < least) {
            least = apart;
            chosen = u;
        }
    }
};

__global__ void look(int n, const int* near, const float* value, float* spread, int* nearest) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    const float own = value[v];
    Found found = {own, own, 1e30f, -1};
    for (int k = 0; k < 8; ++k) found.look_at(near[8ll * v + k], own, value);
    spread[v] = found.high - found.low;
    nearest[v] = found.chosen;
}

extern "C" void neighbour_spread(int n, const int* near, const float* value, float* spread, int* nearest) {
    if (n > 0) look<<<(n - 1) / 256 + 1, 256>>>(n, near, value, spread, nearest);
}
