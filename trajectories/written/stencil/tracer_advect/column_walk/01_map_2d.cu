// Upwind tracer step: face fluxes in one kernel, their divergence in a second.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void fluxes(int nx, int ny, const float* q, const float* u, const float* v, const unsigned char* wet,
                       float* east, float* north) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    size_t c = (size_t)j * nx + i;
    size_t e = (size_t)j * nx + (i + 1) % nx;
    float through_east = 0.0f, through_north = 0.0f;
    if (wet[c] && wet[e]) {
        if (u[c] > 0.0f) through_east = u[c] * q[c];
        else through_east = u[c] * q[e];
    }
    if (j + 1 < ny && wet[c] && wet[c + nx]) {
        if (v[c] > 0.0f) through_north = v[c] * q[c];
        else through_north = v[c] * q[c + nx];
    }
    east[c] = through_east;
    north[c] = through_north;
}

__global__ void diverge(int nx, int ny, float ratio, const float* q, const unsigned char* wet, const float* east,
                        const float* north, float* q_new) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    size_t c = (size_t)j * nx + i;
    float west = east[(size_t)j * nx + (i + nx - 1) % nx];
    float south = j > 0 ? north[c - nx] : 0.0f;
    q_new[c] = wet[c] ? q[c] - ratio * ((east[c] - west) + (north[c] - south)) : q[c];
}

extern "C" void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                              const unsigned char* wet, float* q_new) {
    float* scratch = nullptr;
    size_t cells = (size_t)nx * ny;
    cudaMalloc(&scratch, 2 * cells * sizeof(float));
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    fluxes<<<grid, block>>>(nx, ny, q, u, v, wet, scratch, scratch + cells);
    diverge<<<grid, block>>>(nx, ny, ratio, q, wet, scratch, scratch + cells, q_new);
    cudaFree(scratch);
}
