// Local mean in a cube of 7: one launch and no array between. A block walks over slices; each thread keeps the last seven sums over squares
// in registers, and their sum.
#include <cuda_runtime.h>

// Places at most 3 from i that lie in 0 ... n - 1.
__device__ unsigned inside(int i, int n) { return min(i + 3, n - 1) - max(i - 3, 0) + 1; }

constexpr int kX = 32, kY = 16, kWalk = 24;  // a block's columns, and the slices that it walks
constexpr int kRows = kY + 6, kColumns = kX + 6;

__device__ void load_tile(unsigned short tile[kRows][kColumns], int z, int depth, int height, int width, const unsigned short* volume) {
    int left = blockIdx.x * kX - 3, top = blockIdx.y * kY - 3;
    const unsigned short* slice = volume + (long long)z * height * width;
    for (int r = threadIdx.y; r < kRows; r += kY) {
        for (int c = threadIdx.x; c < kColumns; c += kX) {
            int x = left + c, y = top + r;
            bool here = z >= 0 && z < depth && x >= 0 && x < width && y >= 0 && y < height;
            tile[r][c] = here ? slice[(long long)y * width + x] : 0;
        }
    }
}

__global__ void __launch_bounds__(kX * kY)
    mean(int depth, int height, int width, const unsigned short* __restrict__ volume, unsigned short* __restrict__ out) {
    __shared__ unsigned short tile[kRows][kColumns];
    __shared__ unsigned rows[kRows][kX];
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, first = blockIdx.z * kWalk;
    bool own = x < width && y < height;
    unsigned recent[7] = {}, sum = 0, around = own ? inside(x, width) * inside(y, height) : 1;
    int last = min(first + kWalk, depth);
    for (int z = first - 6; z < last; ++z) {  // the slice z + 3 enters
        load_tile(tile, z + 3, depth, height, width, volume);
        __syncthreads();
        for (int r = threadIdx.y; r < kRows; r += kY) {
            unsigned row = 0;
#pragma unroll
            for (int k = 0; k < 7; ++k) row += tile[r][threadIdx.x + k];
            rows[r][threadIdx.x] = row;
        }
        __syncthreads();
        sum -= recent[0];
#pragma unroll
        for (int k = 0; k < 6; ++k) recent[k] = recent[k + 1];
        recent[6] = 0;
#pragma unroll
        for (int k = 0; k < 7; ++k) recent[6] += rows[threadIdx.y + k][threadIdx.x];
        sum += recent[6];
        if (z >= first && own) out[((long long)z * height + y) * width + x] = (unsigned short)(sum / (around * inside(z, depth)));
    }
}

extern "C" void local_mean(int depth, int height, int width, const unsigned short* volume, unsigned short* out) {
    if (depth <= 0 || height <= 0 || width <= 0) return;
    dim3 block(kX, kY), grid((width + kX - 1) / kX, (height + kY - 1) / kY, (depth + kWalk - 1) / kWalk);
    mean<<<grid, block>>>(depth, height, width, volume, out);
}
