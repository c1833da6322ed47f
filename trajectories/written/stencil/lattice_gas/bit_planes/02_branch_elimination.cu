// HPP lattice gas: a thread for each cell, a launch for each step.
#include <cuda_runtime.h>

#include <utility>

enum : unsigned { kEast = 1, kNorth = 2, kWest = 4, kSouth = 8, kWall = 16 };
constexpr int kBlockX = 32, kBlockY = 8;

__device__ unsigned collide(unsigned gas, unsigned wall) {
    unsigned bounced = ((gas << 2) | (gas >> 2)) & 15;
    bool head_on = (gas == (kEast | kWest)) | (gas == (kNorth | kSouth));
    unsigned scattered = gas ^ (head_on ? 15u : 0u);
    return wall ? bounced : scattered;
}

__global__ void advance(int nx, int ny, const unsigned char* from, unsigned char* to) {
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const unsigned char* row = from + (size_t)y * nx;
    const unsigned char* below = from + (size_t)(y > 0 ? y - 1 : ny - 1) * nx;
    const unsigned char* above = from + (size_t)(y + 1 < ny ? y + 1 : 0) * nx;
    unsigned left = row[x > 0 ? x - 1 : nx - 1], right = row[x + 1 < nx ? x + 1 : 0];
    unsigned gas = (left & kEast) | (below[x] & kNorth) | (right & kWest) | (above[x] & kSouth);
    unsigned wall = row[x] & kWall;
    to[(size_t)y * nx + x] = (unsigned char)(collide(gas, wall) | wall);
}

extern "C" void lattice_gas(int nx, int ny, int steps, unsigned char* cells) {
    size_t bytes = (size_t)nx * ny;
    unsigned char* scratch = nullptr;
    cudaMalloc(&scratch, bytes);
    unsigned char *from = cells, *to = scratch;
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    for (int step = 0; step < steps; ++step) {
        advance<<<grid, block>>>(nx, ny, from, to);
        std::swap(from, to);
    }
    if (from != cells) cudaMemcpyAsync(cells, from, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
