// SU(2) plaquettes: a link is one 16-byte load.
#include <cuda_runtime.h>

struct alignas(16) Su2 {
    float a, b, c, d;
};

__device__ Su2 times(Su2 p, Su2 q) {
    return {p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d, p.a * q.b + p.b * q.a + p.c * q.d - p.d * q.c,
            p.a * q.c - p.b * q.d + p.c * q.a + p.d * q.b, p.a * q.d + p.b * q.c - p.c * q.b + p.d * q.a};
}

__device__ Su2 dagger(Su2 p) { return {p.a, -p.b, -p.c, -p.d}; }

__device__ int ahead(int site, int mu, int side) {
    int stride = 1;
    for (int k = 0; k < mu; ++k) stride *= side;
    const int x = site / stride % side;
    return x + 1 == side ? site - x * stride : site + stride;
}

__device__ Su2 load(const float* link, int site, int mu) {
    const float4 u = __ldg(reinterpret_cast<const float4*>(link) + 4 * (size_t)site + mu);
    return {u.x, u.y, u.z, u.w};
}

__global__ void plaquettes(int sites, int side, const float* link, float* action) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= sites) return;
    float sum = 0.0f;
    for (int mu = 0; mu < 4; ++mu) {
        for (int nu = mu + 1; nu < 4; ++nu) {
            const Su2 up = times(load(link, x, mu), load(link, ahead(x, mu, side), nu));
            const Su2 down = times(load(link, x, nu), load(link, ahead(x, nu, side), mu));
            sum += 1.0f - times(up, dagger(down)).a;
        }
    }
    action[x] = sum;
}

extern "C" void su2_plaquettes(int side, const float* link, float* action) {
    const int sites = side * side * side * side;
    plaquettes<<<(sites + 127) / 128, 128>>>(sites, side, link, action);
}
