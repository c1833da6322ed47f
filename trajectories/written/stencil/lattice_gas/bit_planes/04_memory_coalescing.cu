// HPP lattice gas on bit planes: 32 cells in a word, collisions as logic on words.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 128;
enum { kEast, kNorth, kWest, kSouth, kGas };  // planes of gas; the fifth plane of a packed cell is the wall
using Word = unsigned int;

struct Grid {
    int nx, ny, words;  // words in a row
    size_t plane;       // words in a plane
};

// Gathers the five planes from bytes, a lane for each cell. Bits past the end of a row are 0.
__global__ void pack(Grid g, const unsigned char* cells, Word* gas, Word* walls) {
    int x = blockIdx.x * kThreads + threadIdx.x, y = blockIdx.y;
    int w = x / 32, lane = x % 32;
    if (w >= g.words) return;  // whole warps leave
    Word cell = x < g.nx ? cells[(size_t)y * g.nx + x] : 0;
    size_t at = (size_t)y * g.words + w;
    for (int k = 0; k <= kGas; ++k) {
        Word plane = __ballot_sync(0xffffffffu, cell >> k & 1);
        if (lane == k) (k < kGas ? gas + k * g.plane : walls)[at] = plane;
    }
}

__global__ void unpack(Grid g, const Word* gas, const Word* walls, unsigned char* cells) {
    int x = blockIdx.x * kThreads + threadIdx.x, y = blockIdx.y;
    if (x >= g.nx) return;
    size_t at = (size_t)y * g.words + x / 32;
    int b = x % 32;
    Word cell = (walls[at] >> b & 1) << kGas;
    for (int k = 0; k < kGas; ++k) cell |= (gas[k * g.plane + at] >> b & 1) << k;
    cells[(size_t)y * g.nx + x] = (unsigned char)cell;
}

// Bounces and scatters 32 cells: e, n, w and s are the arriving particles.
__device__ void collide(Word& e, Word& n, Word& w, Word& s, Word wall) {
    Word head_on = ((e & w & ~n & ~s) | (n & s & ~e & ~w)) & ~wall;
    Word e_out = (wall & w) | (~wall & (e ^ head_on)), w_out = (wall & e) | (~wall & (w ^ head_on));
    Word n_out = (wall & s) | (~wall & (n ^ head_on)), s_out = (wall & n) | (~wall & (s ^ head_on));
    e = e_out, n = n_out, w = w_out, s = s_out;
}

__global__ void advance(Grid g, const Word* walls, const Word* from, Word* to) {
    int i = blockIdx.x * kThreads + threadIdx.x, y = blockIdx.y;
    if (i >= g.words) return;
    size_t row = (size_t)y * g.words;
    size_t below = (size_t)(y > 0 ? y - 1 : g.ny - 1) * g.words, above = (size_t)(y + 1 < g.ny ? y + 1 : 0) * g.words;
    int last = g.words - 1, top = (g.nx - 1) % 32;  // place of the row's last cell
    const Word* east = from + kEast * g.plane + row;
    const Word* west = from + kWest * g.plane + row;
    Word from_left = i > 0 ? east[i - 1] >> 31 : east[last] >> top & 1;
    Word from_right = i < last ? west[i + 1] << 31 : (west[0] & 1) << top;
    Word valid = i < last || top == 31 ? ~0u : (2u << top) - 1;
    Word e = ((east[i] << 1) | from_left) & valid;
    Word w = (west[i] >> 1) | from_right;
    Word n = from[kNorth * g.plane + below + i], s = from[kSouth * g.plane + above + i];
    collide(e, n, w, s, walls[row + i]);
    to[kEast * g.plane + row + i] = e;
    to[kNorth * g.plane + row + i] = n;
    to[kWest * g.plane + row + i] = w;
    to[kSouth * g.plane + row + i] = s;
}

extern "C" void lattice_gas(int nx, int ny, int steps, unsigned char* cells) {
    int words = (nx - 1) / 32 + 1;
    Grid g = {nx, ny, words, (size_t)words * ny};
    Word* scratch = nullptr;
    cudaMalloc(&scratch, (2 * kGas + 1) * g.plane * sizeof(Word));
    Word *from = scratch, *to = scratch + kGas * g.plane, *walls = scratch + 2 * kGas * g.plane;
    dim3 grid((words - 1) / kThreads + 1, ny), by_cell((32 * words - 1) / kThreads + 1, ny);
    pack<<<by_cell, kThreads>>>(g, cells, from, walls);
    for (int step = 0; step < steps; ++step) {
        advance<<<grid, kThreads>>>(g, walls, from, to);
        std::swap(from, to);
    }
    unpack<<<by_cell, kThreads>>>(g, from, walls, cells);
    cudaFree(scratch);
}
