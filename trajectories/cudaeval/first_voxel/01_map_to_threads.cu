// First voxel on a ray: one ray a thread.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void cast(int size, int rays, const unsigned char* voxel, const int* column, const int* row, const signed char* slope_x,
                     const signed char* slope_y, int* layer) {
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= rays) return;
    const int x0 = column[r], y0 = row[r], dx = slope_x[r], dy = slope_y[r];
    int found = -1;
    for (int z = 0; z < size; ++z) {
        const int x = x0 + (dx * z >> 6), y = y0 + (dy * z >> 6);
        if (x < 0 || x >= size || y < 0 || y >= size) break;
        if (voxel[((size_t)z * size + y) * size + x]) {
            found = z;
            break;
        }
    }
    layer[r] = found;
}

extern "C" void first_voxel(int size, int rays, const unsigned char* voxel, const int* column, const int* row, const signed char* slope_x,
                            const signed char* slope_y, int* layer) {
    cast<<<(rays - 1) / kThreads + 1, kThreads>>>(size, rays, voxel, column, row, slope_x, slope_y, layer);
}
