// Upwind tracer step in one kernel: each cell computes the fluxes of its own four faces.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

// What flows from cell a to cell b at the given speed; nothing beside land.
__device__ float flux(const float* q, const unsigned char* wet, float speed, size_t a, size_t b) {
    if (!wet[a] || !wet[b]) return 0.0f;
    if (speed > 0.0f) return speed * q[a];
    return speed * q[b];
}

__global__ void advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                       const unsigned char* wet, float* q_new) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    size_t row = (size_t)j * nx;
    size_t c = row + i, e = row + (i + 1) % nx, w = row + (i + nx - 1) % nx;
    float east = flux(q, wet, u[c], c, e);
    float west = flux(q, wet, u[w], w, c);
    float north = j + 1 < ny ? flux(q, wet, v[c], c, c + nx) : 0.0f;
    float south = j > 0 ? flux(q, wet, v[c - nx], c - nx, c) : 0.0f;
    q_new[c] = wet[c] ? q[c] - ratio * ((east - west) + (north - south)) : q[c];
}

extern "C" void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                              const unsigned char* wet, float* q_new) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    advect<<<grid, block>>>(nx, ny, ratio, q, u, v, wet, q_new);
}
