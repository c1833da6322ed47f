// HPP lattice gas on bit planes; four steps for each trip to memory where rows are whole words.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 128;
constexpr int kTile = 32;               // words and rows of a tile
constexpr int kFused = 4;                // steps in one launch, and rows of halo
constexpr int kKeptX = kTile - 2, kKeptY = kTile - 2 * kFused;
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

// kFused steps of a tile. Rows at its rim go stale one by one and are not stored; a row is a warp; a word of halo at
// the sides lasts 32 steps.
__global__ void advance_tile(Grid g, const Word* walls, const Word* from, Word* to) {
    __shared__ Word tile[2][2][kTile][kTile];  // the planes that move between rows, north and south
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.x * kKeptX - 1 + tx, y = blockIdx.y * kKeptY - kFused + ty;
    int wrapped_i = (i + g.words) % g.words, wrapped_y = (y % g.ny + g.ny) % g.ny;
    size_t at = (size_t)wrapped_y * g.words + wrapped_i;
    Word wall = walls[at];
    Word e = from[kEast * g.plane + at], w = from[kWest * g.plane + at], n = 0, s = 0;
    tile[0][0][ty][tx] = from[kNorth * g.plane + at];
    tile[0][1][ty][tx] = from[kSouth * g.plane + at];
    __syncthreads();
    int below = max(ty - 1, 0), above = min(ty + 1, kTile - 1);
    for (int step = 0; step < kFused; ++step) {
        auto& old = tile[step % 2];
        e = (e << 1) | (__shfl_up_sync(0xffffffffu, e, 1) >> 31);
        w = (w >> 1) | (__shfl_down_sync(0xffffffffu, w, 1) << 31);
        n = old[0][below][tx], s = old[1][above][tx];
        collide(e, n, w, s, wall);
        auto& now = tile[(step + 1) % 2];
        now[0][ty][tx] = n, now[1][ty][tx] = s;
        __syncthreads();
    }
    bool kept = tx > 0 && tx <= kKeptX && ty >= kFused && ty < kFused + kKeptY && i < g.words && y < g.ny;
    if (!kept) return;
    to[kEast * g.plane + at] = e;
    to[kNorth * g.plane + at] = n;
    to[kWest * g.plane + at] = w;
    to[kSouth * g.plane + at] = s;
}

extern "C" void lattice_gas(int nx, int ny, int steps, unsigned char* cells) {
    int words = (nx - 1) / 32 + 1;
    Grid g = {nx, ny, words, (size_t)words * ny};
    Word* scratch = nullptr;
    cudaMalloc(&scratch, (2 * kGas + 1) * g.plane * sizeof(Word));
    Word *from = scratch, *to = scratch + kGas * g.plane, *walls = scratch + 2 * kGas * g.plane;
    dim3 grid((words - 1) / kThreads + 1, ny), by_cell((32 * words - 1) / kThreads + 1, ny);
    pack<<<by_cell, kThreads>>>(g, cells, from, walls);
    dim3 tiles((words - 1) / kKeptX + 1, (ny - 1) / kKeptY + 1);
    for (int done = 0; done < steps;) {
        if (nx % 32 == 0 && steps - done >= kFused) {
            advance_tile<<<tiles, dim3(kTile, kTile)>>>(g, walls, from, to);
            done += kFused;
        } else {
            advance<<<grid, kThreads>>>(g, walls, from, to);
            done += 1;
        }
        std::swap(from, to);
    }
    unpack<<<by_cell, kThreads>>>(g, from, walls, cells);
    cudaFree(scratch);
}
