// Upwind tracer step: tiles of 32 x 32 cells, four for each thread, with their faces in shared memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kRows = 4;  // cells per thread
constexpr int kTileY = kBlockY * kRows;

// What flows from cell a to cell b at the given speed; nothing beside land.
__device__ float flux(const float* __restrict__ q, const unsigned char* __restrict__ wet, float speed, size_t a,
                      size_t b) {
    if (!wet[a] || !wet[b]) return 0.0f;
    return speed * (speed > 0.0f ? q[a] : q[b]);
}

__global__ void advect(int nx, int ny, float ratio, const float* __restrict__ q, const float* __restrict__ u,
                       const float* __restrict__ v, const unsigned char* __restrict__ wet,
                       float* __restrict__ q_new) {
    __shared__ float along_x[kTileY][kBlockX + 1];  // face 0 is the west edge of the tile
    __shared__ float along_y[kTileY + 1][kBlockX];  // face 0 is the south edge of the tile
    int tx = threadIdx.x;
    int i = blockIdx.x * kBlockX + tx;
    int to_east = i + 1 < nx ? 1 : 1 - nx, to_west = i > 0 ? -1 : nx - 1;
    int first_row = blockIdx.y * kTileY;
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        int ty = threadIdx.y + k * kBlockY;
        int j = first_row + ty;
        if (i >= nx || j >= ny) continue;
        size_t c = (size_t)j * nx + i;
        along_x[ty][tx + 1] = flux(q, wet, u[c], c, c + to_east);
        along_y[ty + 1][tx] = j + 1 < ny ? flux(q, wet, v[c], c, c + nx) : 0.0f;
        if (tx == 0) along_x[ty][0] = flux(q, wet, u[c + to_west], c + to_west, c);
        if (ty == 0) along_y[0][tx] = j > 0 ? flux(q, wet, v[c - nx], c - nx, c) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        int ty = threadIdx.y + k * kBlockY;
        int j = first_row + ty;
        if (i >= nx || j >= ny) continue;
        size_t c = (size_t)j * nx + i;
        float net = (along_x[ty][tx + 1] - along_x[ty][tx]) + (along_y[ty + 1][tx] - along_y[ty][tx]);
        q_new[c] = wet[c] ? q[c] - ratio * net : q[c];
    }
}

extern "C" void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                              const unsigned char* wet, float* q_new) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kTileY + 1);
    advect<<<grid, block>>>(nx, ny, ratio, q, u, v, wet, q_new);
}
