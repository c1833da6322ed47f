// SU(2) plaquettes: a site's own links and its four neighbours are found once; only the trace of the last product is taken.
#include <cuda_runtime.h>

struct alignas(16) Su2 {
    float a, b, c, d;
};

__device__ Su2 times(Su2 p, Su2 q) {
    return {p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d, p.a * q.b + p.b * q.a + p.c * q.d - p.d * q.c,
            p.a * q.c - p.b * q.d + p.c * q.a + p.d * q.b, p.a * q.d + p.b * q.c - p.c * q.b + p.d * q.a};
}



__device__ Su2 load(const float* link, int site, int mu) {
    const float4 u = __ldg(reinterpret_cast<const float4*>(link) + 4 * (size_t)site + mu);
    return {u.x, u.y, u.z, u.w};
}

__global__ void plaquettes(int sites, int side, const float* link, float* action) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= sites) return;
    Su2 own[4];
    int next[4], stride = 1;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) {
        own[mu] = load(link, x, mu);
        const int place = x / stride % side;
        next[mu] = place + 1 == side ? x - place * stride : x + stride;
        stride *= side;
    }
    float sum = 0.0f;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) {
#pragma unroll
        for (int nu = mu + 1; nu < 4; ++nu) {
            const Su2 up = times(own[mu], load(link, next[mu], nu)), down = times(own[nu], load(link, next[nu], mu));
            sum += 1.0f - (up.a * down.a + up.b * down.b + up.c * down.c + up.d * down.d);
        }
    }
    action[x] = sum;
}

extern "C" void su2_plaquettes(int side, const float* link, float* action) {
    const int sites = side * side * side * side;
    plaquettes<<<(sites + 127) / 128, 128>>>(sites, side, link, action);
}
