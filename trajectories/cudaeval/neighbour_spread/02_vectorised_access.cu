// Spread of neighbours: four of them are loaded at once.
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

template <bool kWide>
__global__ void look(int n, const int* __restrict__ near, const float* __restrict__ value, float* __restrict__ spread,
                     int* __restrict__ nearest) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    const float own = value[v];
    Found found = {own, own, 1e30f, -1};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const int* from = near + 8ll * v + 4 * k;
        const int4 four = kWide ? *(const int4*)from : make_int4(from[0], from[1], from[2], from[3]);
        found.look_at(four.x, own, value);
        found.look_at(four.y, own, value);
        found.look_at(four.z, own, value);
        found.look_at(four.w, own, value);
    }
    spread[v] = found.high - found.low;
    nearest[v] = found.chosen;
}

extern "C" void neighbour_spread(int n, const int* near, const float* value, float* spread, int* nearest) {
    if (n > 0) ((uintptr_t)near % 16 == 0 ? look<true> : look<false>)<<<(n - 1) / 256 + 1, 256>>>(n, near, value, spread, nearest);
}
