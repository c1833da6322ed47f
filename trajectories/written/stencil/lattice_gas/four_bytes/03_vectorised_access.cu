// HPP lattice gas: four cells in a 32-bit word for each thread, a launch for each step.
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

constexpr unsigned kOnes = 0x01010101u;  // bit 0 of each of four cells

// collide for four cells, one in each byte.
__device__ unsigned collide4(unsigned gas, unsigned wall) {
    unsigned e = gas & kOnes, n = gas >> 1 & kOnes, w = gas >> 2 & kOnes, s = gas >> 3 & kOnes;
    unsigned head_on = (e & w & ~n & ~s) | (n & s & ~e & ~w);
    unsigned scattered = gas ^ head_on * 15u;
    unsigned bounced = (gas << 2 & 0x0c0c0c0cu) | (gas >> 2 & 0x03030303u);
    unsigned is_wall = (wall >> 4) * 15u;
    return (bounced & is_wall) | (scattered & ~is_wall);
}

__global__ void advance4(int words, int ny, const unsigned* from, unsigned* to) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= words || y >= ny) return;
    const unsigned* row = from + (size_t)y * words;
    unsigned here = row[i];
    unsigned before = row[i > 0 ? i - 1 : words - 1], after = row[i + 1 < words ? i + 1 : 0];
    unsigned below = from[(size_t)(y > 0 ? y - 1 : ny - 1) * words + i];
    unsigned above = from[(size_t)(y + 1 < ny ? y + 1 : 0) * words + i];
    unsigned left = __funnelshift_l(before, here, 8), right = __funnelshift_r(here, after, 8);
    unsigned gas =
        (left & kOnes * kEast) | (below & kOnes * kNorth) | (right & kOnes * kWest) | (above & kOnes * kSouth);
    unsigned wall = here & kOnes * kWall;
    to[(size_t)y * words + i] = collide4(gas, wall) | wall;
}

extern "C" void lattice_gas(int nx, int ny, int steps, unsigned char* cells) {
    size_t bytes = (size_t)nx * ny;
    unsigned char* scratch = nullptr;
    cudaMalloc(&scratch, bytes);
    unsigned char *from = cells, *to = scratch;
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    for (int step = 0; step < steps; ++step) {
        if (nx % 4 == 0 && (size_t)cells % 4 == 0) {
            dim3 by_word((nx / 4 - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
            advance4<<<by_word, block>>>(nx / 4, ny, (const unsigned*)from, (unsigned*)to);
        } else {
            advance<<<grid, block>>>(nx, ny, from, to);
        }
        std::swap(from, to);
    }
    if (from != cells) cudaMemcpyAsync(cells, from, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
