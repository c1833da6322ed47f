// Coulomb potential on a plane: four points of a column for each thread.
#include <cuda_runtime.h>

constexpr int kX = 32, kY = 4;  // threads that compute
constexpr int kEach = 4;        // points of a thread, kY rows apart
constexpr int kTile = 256;      // atoms in shared memory at a time

// Adds what `count` atoms give at kEach points with the coordinate px and those in py.
__device__ void add(const float4* tile, int count, float px, const float (&py)[kEach], float (&sum)[kEach]) {
    for (int a = 0; a < count; ++a) {
        float4 one = tile[a];
        float dx = px - one.x, flat = dx * dx + one.z * one.z;
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            float dy = py[j] - one.y;
            sum[j] += one.w * rsqrtf(dy * dy + flat);
        }
    }
}

__global__ void __launch_bounds__(kX * kY)
    sum_atoms(int height, int width, int atoms, float spacing, const float4* atom, float* potential) {
    __shared__ float4 tile[kTile];
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY * kEach + threadIdx.y;
    float px = x * spacing, py[kEach], sum[kEach] = {};
#pragma unroll
    for (int j = 0; j < kEach; ++j) py[j] = (y + j * kY) * spacing;
    for (int first = 0; first < atoms; first += kTile) {
        int count = min(kTile, atoms - first);
        for (int a = threadIdx.y * kX + threadIdx.x; a < count; a += kX * kY) tile[a] = atom[first + a];
        __syncthreads();
        add(tile, count, px, py, sum);
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
        if (x < width && y + j * kY < height) potential[(size_t)(y + j * kY) * width + x] = sum[j];
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 blocks((width + kX - 1) / kX, (height + kY * kEach - 1) / (kY * kEach));
    sum_atoms<<<blocks, dim3(kX, kY)>>>(height, width, atoms, spacing, reinterpret_cast<const float4*>(atom), potential);
}
