// Upwind tracer step: the faces of a tile are computed once and kept in shared memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

// What flows from cell a to cell b at the given speed; nothing beside land.
__device__ float flux(const float* q, const unsigned char* wet, float speed, size_t a, size_t b) {
    if (!wet[a] || !wet[b]) return 0.0f;
    return speed * (speed > 0.0f ? q[a] : q[b]);
}

__global__ void advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                       const unsigned char* wet, float* q_new) {
    __shared__ float along_x[kBlockY][kBlockX + 1];  // face 0 is the west edge of the tile
    __shared__ float along_y[kBlockY + 1][kBlockX];  // face 0 is the south edge of the tile
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.x * kBlockX + tx;
    int j = blockIdx.y * kBlockY + ty;
    bool in_grid = i < nx && j < ny;
    size_t row = (size_t)j * nx;
    size_t c = row + i;
    if (in_grid) {
        size_t e = row + (i + 1 < nx ? i + 1 : 0), w = row + (i > 0 ? i - 1 : nx - 1);
        along_x[ty][tx + 1] = flux(q, wet, u[c], c, e);
        along_y[ty + 1][tx] = j + 1 < ny ? flux(q, wet, v[c], c, c + nx) : 0.0f;
        if (tx == 0) along_x[ty][0] = flux(q, wet, u[w], w, c);
        if (ty == 0) along_y[0][tx] = j > 0 ? flux(q, wet, v[c - nx], c - nx, c) : 0.0f;
    }
    __syncthreads();
    if (!in_grid) return;
    float net = (along_x[ty][tx + 1] - along_x[ty][tx]) + (along_y[ty + 1][tx] - along_y[ty][tx]);
    q_new[c] = wet[c] ? q[c] - ratio * net : q[c];
}

extern "C" void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                              const unsigned char* wet, float* q_new) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    advect<<<grid, block>>>(nx, ny, ratio, q, u, v, wet, q_new);
}
