// Coulomb potential on a plane; four points per thread, reciprocal square roots, four atoms per trip.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kPoints = 4;    // of one row per thread, kBlockX apart so that stores stay coalesced
constexpr int kChunk = 2048;  // 32 KB of atoms

__constant__ float4 chunk[kChunk];  // x, y, z, charge

// Adds `count` atoms to the potential; `first` says that there is nothing to add to yet.
__global__ void slice(int height, int width, int count, bool first, float spacing, float* potential) {
    int x = blockIdx.x * kBlockX * kPoints + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    float* row = potential + (size_t)y * width;

    float sum[kPoints];
#pragma unroll
    for (int p = 0; p < kPoints; ++p) {
        int column = x + p * kBlockX;
        sum[p] = first || column >= width ? 0.0f : row[column];
    }
#pragma unroll 4
    for (int a = 0; a < count; ++a) {
        float4 at = chunk[a];
        float dy = y * spacing - at.y;
        float off_row = dy * dy + at.z * at.z;  // the same for all points of the row
#pragma unroll
        for (int p = 0; p < kPoints; ++p) {
            float dx = (x + p * kBlockX) * spacing - at.x;
            sum[p] += at.w * rsqrtf(dx * dx + off_row);
        }
    }
#pragma unroll
    for (int p = 0; p < kPoints; ++p) {
        int column = x + p * kBlockX;
        if (column < width) row[column] = sum[p];
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    const int block_columns = kBlockX * kPoints;
    dim3 grid((width + block_columns - 1) / block_columns, (height + kBlockY - 1) / kBlockY);
    for (int first = 0; first < atoms; first += kChunk) {
        int count = atoms - first < kChunk ? atoms - first : kChunk;
        cudaMemcpyToSymbol(chunk, atom + 4 * (size_t)first, count * sizeof(float4), 0, cudaMemcpyDeviceToDevice);
        slice<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, count, first == 0, spacing, potential);
    }
}
