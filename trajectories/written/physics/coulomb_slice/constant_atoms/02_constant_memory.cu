// Coulomb potential on a plane; the atoms pass through constant memory, 2048 at a time.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kChunk = 2048;  // 32 KB of atoms

__constant__ float4 chunk[kChunk];  // x, y, z, charge

// Adds `count` atoms to the potential; `first` says that there is nothing to add to yet.
__global__ void slice(int height, int width, int count, bool first, float spacing, float* potential) {
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    size_t point = (size_t)y * width + x;
    float sum = first ? 0.0f : potential[point];
    for (int a = 0; a < count; ++a) {
        float dx = x * spacing - chunk[a].x;
        float dy = y * spacing - chunk[a].y;
        float dz = chunk[a].z;
        sum += chunk[a].w / sqrtf(dx * dx + dy * dy + dz * dz);
    }
    potential[point] = sum;
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY);
    for (int first = 0; first < atoms; first += kChunk) {
        int count = atoms - first < kChunk ? atoms - first : kChunk;
        cudaMemcpyToSymbol(chunk, atom + 4 * (size_t)first, count * sizeof(float4), 0, cudaMemcpyDeviceToDevice);
        slice<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, count, first == 0, spacing, potential);
    }
}
