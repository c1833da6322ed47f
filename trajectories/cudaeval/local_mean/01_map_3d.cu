// Local mean in a cube of 7: one thread a voxel.
#include <cuda_runtime.h>

__global__ void mean(int depth, int height, int width, const unsigned short* volume, unsigned short* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= width || y >= height) return;
    unsigned sum = 0, count = 0;
    for (int k = max(z - 3, 0); k <= min(z + 3, depth - 1); ++k) {
        for (int j = max(y - 3, 0); j <= min(y + 3, height - 1); ++j) {
            for (int i = max(x - 3, 0); i <= min(x + 3, width - 1); ++i) {
                sum += volume[((long long)k * height + j) * width + i];
                ++count;
            }
        }
    }
    out[((long long)z * height + y) * width + x] = (unsigned short)(sum / count);
}

extern "C" void local_mean(int depth, int height, int width, const unsigned short* volume, unsigned short* out) {
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8, depth);
    if (depth > 0 && height > 0 && width > 0) mean<<<grid, block>>>(depth, height, width, volume, out);
}
