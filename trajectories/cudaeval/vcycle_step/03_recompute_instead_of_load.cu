// Multigrid V-cycle: the sweep after a correction corrects the five cells that it reads.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kAcross = 32, kDown = 8;

struct Grid {
    int rows, cols;
};

__device__ float peek(Grid grid, const float* field, int y, int x) {
    const bool inside = y >= 0 && x >= 0 && y < grid.rows && x < grid.cols;
    return inside ? field[(size_t)y * grid.cols + x] : 0.0f;
}

__device__ float defect(Grid grid, const float* rhs, const float* guess, int y, int x) {
    float around = peek(grid, guess, y - 1, x) + peek(grid, guess, y + 1, x);
    around += peek(grid, guess, y, x - 1) + peek(grid, guess, y, x + 1);
    return peek(grid, rhs, y, x) - (4.0f * peek(grid, guess, y, x) - around);
}

__global__ void sweep(Grid grid, const float* rhs, const float* guess, float* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= grid.cols || y >= grid.rows) return;
    const size_t at = (size_t)y * grid.cols + x;
    next[at] = guess[at] + 0.2f * defect(grid, rhs, guess, y, x);
}

__global__ void first_sweep(Grid grid, const float* rhs, float* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < grid.cols && y < grid.rows) next[(size_t)y * grid.cols + x] = 0.2f * rhs[(size_t)y * grid.cols + x];
}

__global__ void find_defect(Grid grid, const float* rhs, const float* guess, float* left) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < grid.cols && y < grid.rows) left[(size_t)y * grid.cols + x] = defect(grid, rhs, guess, y, x);
}

__global__ void restrict_defect(Grid fine, Grid coarse, const float* left, float* coarse_rhs) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= coarse.cols || y >= coarse.rows) return;
    float sum = 0.0f;
    for (int v = 0; v < 3; ++v) {
        const float* row = left + (size_t)(2 * y + v) * fine.cols + 2 * x;
        sum += (v == 1 ? 1.0f : 0.5f) * (0.5f * row[0] + row[1] + 0.5f * row[2]);
    }
    coarse_rhs[(size_t)y * coarse.cols + x] = sum;
}

__device__ float prolonged(Grid coarse, const float* field, int y, int x) {
    const int above = (y + 1) / 2 - 1, below = y / 2, left = (x + 1) / 2 - 1, right = x / 2;
    const float upper = peek(coarse, field, above, left) + peek(coarse, field, above, right);
    const float lower = peek(coarse, field, below, left) + peek(coarse, field, below, right);
    return 0.25f * (upper + lower);
}

__global__ void correct_and_sweep(Grid coarse, Grid fine, const float* coarse_guess, const float* rhs, const float* guess, float* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= fine.cols || y >= fine.rows) return;
    float own = 0.0f, around = 0.0f;
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        const int v = y + (k == 1) - (k == 2), u = x + (k == 3) - (k == 4);
        if (v < 0 || u < 0 || v >= fine.rows || u >= fine.cols) continue;
        const float value = guess[(size_t)v * fine.cols + u] + prolonged(coarse, coarse_guess, v, u);
        if (k == 0)
            own = value;
        else
            around += value;
    }
    const size_t at = (size_t)y * fine.cols + x;
    next[at] = own + 0.2f * (rhs[at] - (4.0f * own - around));
}

static dim3 tiles(Grid grid) { return dim3((grid.cols - 1) / kAcross + 1, (grid.rows - 1) / kDown + 1); }

static size_t cells(Grid grid) { return (size_t)grid.rows * grid.cols; }

extern "C" void vcycle_step(int rows, int cols, const float* rhs, float* correction) {
    std::vector<Grid> grid = {{rows, cols}};
    size_t total = 0;
    while (std::min(grid.back().rows, grid.back().cols) >= 3) {
        const Grid fine = grid.back();
        grid.push_back({(fine.rows - 1) / 2, (fine.cols - 1) / 2});
        total += cells(grid.back());
    }
    const int last = (int)grid.size() - 1;
    const dim3 block(kAcross, kDown);
    float* memory = nullptr;
    cudaMalloc(&memory, (2 * total + 2 * cells(grid[0])) * sizeof(float));
    std::vector<float*> guess = {correction};
    std::vector<const float*> f = {rhs};
    float *spare = memory, *left = spare + cells(grid[0]), *next = left + cells(grid[0]);
    for (int l = 1; l <= last; ++l) {
        f.push_back(next);
        guess.push_back(next + cells(grid[l]));
        next += 2 * cells(grid[l]);
    }
    for (int l = 0; l <= last; ++l) {
        first_sweep<<<tiles(grid[l]), block>>>(grid[l], f[l], spare);
        for (int k = 1; k < (l == last ? 8 : 2); ++k) {
            sweep<<<tiles(grid[l]), block>>>(grid[l], f[l], k % 2 ? spare : guess[l], k % 2 ? guess[l] : spare);
        }
        if (l == last) break;
        find_defect<<<tiles(grid[l]), block>>>(grid[l], f[l], guess[l], left);
        restrict_defect<<<tiles(grid[l + 1]), block>>>(grid[l], grid[l + 1], left, const_cast<float*>(f[l + 1]));
    }
    for (int l = last - 1; l >= 0; --l) {
        correct_and_sweep<<<tiles(grid[l]), block>>>(grid[l + 1], grid[l], guess[l + 1], f[l], guess[l], spare);
        sweep<<<tiles(grid[l]), block>>>(grid[l], f[l], spare, guess[l]);
    }
    cudaFree(memory);
}
