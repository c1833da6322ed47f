// Coulomb potential on a plane; a block stages 256 atoms at a time in shared memory.
#include <cuda_runtime.h>

constexpr int kEdge = 16;
constexpr int kTile = kEdge * kEdge;  // atoms per tile, one per thread

// Copies `count` atoms float by float: the array need not be aligned for float4.
__device__ void load_tile(float4* tile, const float* atom, int count) {
    float* flat = reinterpret_cast<float*>(tile);
    for (int e = threadIdx.y * kEdge + threadIdx.x; e < 4 * count; e += kTile) flat[e] = atom[e];
}

__global__ void slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    __shared__ float4 tile[kTile];  // x, y, z, charge
    int x = blockIdx.x * kEdge + threadIdx.x;
    int y = blockIdx.y * kEdge + threadIdx.y;
    float sum = 0.0f;
    for (int first = 0; first < atoms; first += kTile) {
        int count = min(kTile, atoms - first);
        load_tile(tile, atom + 4 * (size_t)first, count);
        __syncthreads();
        for (int a = 0; a < count; ++a) {
            float4 at = tile[a];
            float dx = x * spacing - at.x;
            float dy = y * spacing - at.y;
            sum += at.w / sqrtf(dx * dx + dy * dy + at.z * at.z);
        }
        __syncthreads();  // the tile is overwritten in the next round
    }
    if (x < width && y < height) potential[(size_t)y * width + x] = sum;
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 grid((width + kEdge - 1) / kEdge, (height + kEdge - 1) / kEdge);
    slice<<<grid, dim3(kEdge, kEdge)>>>(height, width, atoms, spacing, atom, potential);
}
