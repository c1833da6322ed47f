// Coulomb potential on a plane; atoms in shared memory, each thread sums a 2 x 2 patch of points.
#include <cuda_runtime.h>

constexpr int kEdge = 16;
constexpr int kTile = kEdge * kEdge;  // atoms per tile, one per thread
constexpr int kPatch = 2;             // points per thread in each direction, kEdge apart
constexpr int kCovered = kEdge * kPatch;

// Copies `count` atoms float by float: the array need not be aligned for float4.
__device__ void load_tile(float4* tile, const float* atom, int count) {
    float* flat = reinterpret_cast<float*>(tile);
    for (int e = threadIdx.y * kEdge + threadIdx.x; e < 4 * count; e += kTile) flat[e] = atom[e];
}

__global__ void slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    __shared__ float4 tile[kTile];  // x, y, z, charge
    int x = blockIdx.x * kCovered + threadIdx.x;
    int y = blockIdx.y * kCovered + threadIdx.y;
    float sum[kPatch][kPatch] = {};
    for (int first = 0; first < atoms; first += kTile) {
        int count = min(kTile, atoms - first);
        load_tile(tile, atom + 4 * (size_t)first, count);
        __syncthreads();
        for (int a = 0; a < count; ++a) {
            float4 at = tile[a];
            float across[kPatch], off_row[kPatch];  // shared by the points of a column, of a row
#pragma unroll
            for (int p = 0; p < kPatch; ++p) {
                float dx = (x + p * kEdge) * spacing - at.x;
                float dy = (y + p * kEdge) * spacing - at.y;
                across[p] = dx * dx;
                off_row[p] = dy * dy + at.z * at.z;
            }
#pragma unroll
            for (int q = 0; q < kPatch; ++q)
#pragma unroll
                for (int p = 0; p < kPatch; ++p) sum[q][p] += at.w * rsqrtf(across[p] + off_row[q]);
        }
        __syncthreads();  // the tile is overwritten in the next round
    }
#pragma unroll
    for (int q = 0; q < kPatch; ++q) {
#pragma unroll
        for (int p = 0; p < kPatch; ++p) {
            int column = x + p * kEdge, row = y + q * kEdge;
            if (column < width && row < height) potential[(size_t)row * width + column] = sum[q][p];
        }
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 grid((width + kCovered - 1) / kCovered, (height + kCovered - 1) / kCovered);
    slice<<<grid, dim3(kEdge, kEdge)>>>(height, width, atoms, spacing, atom, potential);
}
