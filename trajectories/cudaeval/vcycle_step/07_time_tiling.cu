// Multigrid V-cycle: on the way up a tile is corrected and swept twice in one kernel.
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

__device__ float prolonged(Grid coarse, const float* field, int y, int x) {
    const int above = (y + 1) / 2 - 1, below = y / 2, left = (x + 1) / 2 - 1, right = x / 2;
    const float upper = peek(coarse, field, above, left) + peek(coarse, field, above, right);
    const float lower = peek(coarse, field, below, left) + peek(coarse, field, below, right);
    return 0.25f * (upper + lower);
}

// Two sweeps that begin with zero: the first one is 0.2 rhs.
__global__ void first_sweeps(Grid grid, const float* rhs, float* guess) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= grid.cols || y >= grid.rows) return;
    const float own = peek(grid, rhs, y, x);
    const float around = peek(grid, rhs, y - 1, x) + peek(grid, rhs, y + 1, x) + peek(grid, rhs, y, x - 1) + peek(grid, rhs, y, x + 1);
    guess[(size_t)y * grid.cols + x] = 0.2f * own + 0.2f * (0.2f * own + 0.2f * around);
}

constexpr int kSmall = 31, kFew = 256;  // a block does what has at most so many rows and columns

__device__ void sweep_small(Grid grid, const float* rhs, const float* guess, float* next) {
    for (int i = threadIdx.x; i < grid.rows * grid.cols; i += kFew) {
        next[i] = guess[i] + 0.2f * defect(grid, rhs, guess, i / grid.cols, i % grid.cols);
    }
    __syncthreads();
}

// The lower part of the cycle, from a grid of at most 31 x 31 to the coarsest and back, in the shared memory of one block.
__global__ void __launch_bounds__(kFew) cycle_below(Grid top, const float* top_rhs, float* top_guess) {
    __shared__ float rhs[2 * kSmall * kSmall], guess[2 * kSmall * kSmall], spare[kSmall * kSmall];
    Grid grid[6];
    int start[6], last = 0;
    grid[0] = top;
    start[0] = 0;
    while (min(grid[last].rows, grid[last].cols) >= 3) {
        grid[last + 1] = {(grid[last].rows - 1) / 2, (grid[last].cols - 1) / 2};
        start[last + 1] = start[last] + grid[last].rows * grid[last].cols;
        ++last;
    }
    for (int i = threadIdx.x; i < top.rows * top.cols; i += kFew) rhs[i] = top_rhs[i];
    __syncthreads();
    for (int l = 0; l <= last; ++l) {
        const float* f = rhs + start[l];
        float* now = guess + start[l];
        const Grid fine = grid[l];
        for (int i = threadIdx.x; i < fine.rows * fine.cols; i += kFew) now[i] = 0.2f * f[i];
        __syncthreads();
        float *from = now, *to = spare;
        for (int k = 1; k < (l == last ? 8 : 2); ++k) {
            sweep_small(fine, f, from, to);
            float* swap = from;
            from = to;
            to = swap;
        }
        for (int i = threadIdx.x; i < fine.rows * fine.cols; i += kFew) now[i] = spare[i];  // an odd number of sweeps went there
        __syncthreads();
        if (l == last) break;
        const Grid coarse = grid[l + 1];
        for (int i = threadIdx.x; i < coarse.rows * coarse.cols; i += kFew) {
            const int y = 2 * (i / coarse.cols) + 1, x = 2 * (i % coarse.cols) + 1;
            float sum = 0.0f;
            for (int v = -1; v <= 1; ++v) {
                for (int u = -1; u <= 1; ++u) sum += (v ? 0.5f : 1.0f) * (u ? 0.5f : 1.0f) * defect(fine, f, now, y + v, x + u);
            }
            rhs[start[l + 1] + i] = sum;
        }
        __syncthreads();
    }
    for (int l = last - 1; l >= 0; --l) {
        const float* f = rhs + start[l];
        float* now = guess + start[l];
        const Grid fine = grid[l];
        for (int i = threadIdx.x; i < fine.rows * fine.cols; i += kFew) {
            now[i] += prolonged(grid[l + 1], guess + start[l + 1], i / fine.cols, i % fine.cols);
        }
        __syncthreads();
        sweep_small(fine, f, now, spare);
        sweep_small(fine, f, spare, now);
    }
    for (int i = threadIdx.x; i < top.rows * top.cols; i += kFew) top_guess[i] = guess[i];
}

constexpr int kFineX = 32, kFineY = 16;  // of a block; half as many coarse cells in each direction
constexpr int kPitch = kFineX + 5;

// The way down in one kernel: a tile of the right side with a rim, two sweeps from zero, the defect and its restriction in shared memory.
__global__ void __launch_bounds__(256) descend(Grid fine, Grid coarse, const float* rhs, float* guess, float* coarse_rhs) {
    __shared__ float f[kFineY + 5][kPitch], now[kFineY + 5][kPitch], left[kFineY + 1][kFineX + 1];
    const int x0 = blockIdx.x * kFineX - 2, y0 = blockIdx.y * kFineY - 2;
    for (int i = threadIdx.x; i < (kFineY + 5) * kPitch; i += 256) {
        f[i / kPitch][i % kPitch] = peek(fine, rhs, y0 + i / kPitch, x0 + i % kPitch);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < (kFineY + 3) * (kFineX + 3); i += 256) {
        const int v = 1 + i / (kFineX + 3), u = 1 + i % (kFineX + 3), y = y0 + v, x = x0 + u;
        const float value = 0.2f * f[v][u] + 0.2f * (0.2f * f[v][u] + 0.2f * (f[v - 1][u] + f[v + 1][u] + f[v][u - 1] + f[v][u + 1]));
        const bool inside = y >= 0 && x >= 0 && y < fine.rows && x < fine.cols;
        now[v][u] = inside ? value : 0.0f;
        if (inside && v >= 2 && u >= 2 && v < kFineY + 2 && u < kFineX + 2) guess[(size_t)y * fine.cols + x] = value;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < (kFineY + 1) * (kFineX + 1); i += 256) {
        const int v = 2 + i / (kFineX + 1), u = 2 + i % (kFineX + 1);
        left[v - 2][u - 2] = f[v][u] - (4.0f * now[v][u] - (now[v - 1][u] + now[v + 1][u] + now[v][u - 1] + now[v][u + 1]));
    }
    __syncthreads();
    const int cv = threadIdx.x / (kFineX / 2), cu = threadIdx.x % (kFineX / 2);
    const int y = blockIdx.y * (kFineY / 2) + cv, x = blockIdx.x * (kFineX / 2) + cu;
    if (cv >= kFineY / 2 || y >= coarse.rows || x >= coarse.cols) return;
    float sum = 0.0f;
    for (int v = 0; v < 3; ++v) {
        const float* row = left[2 * cv + v] + 2 * cu;
        sum += (v == 1 ? 1.0f : 0.5f) * (0.5f * row[0] + row[1] + 0.5f * row[2]);
    }
    coarse_rhs[(size_t)y * coarse.cols + x] = sum;
}

// The way up in one kernel: the corrected guess of a tile with a rim of two, then both sweeps in shared memory.
__global__ void __launch_bounds__(256)
    ascend(Grid coarse, Grid fine, const float* coarse_guess, const float* rhs, const float* guess, float* out) {
    constexpr int kX = kAcross + 4, kY = 16 + 4;
    __shared__ float f[kY][kX], now[kY][kX], next[kY][kX];
    const int x0 = blockIdx.x * kAcross - 2, y0 = blockIdx.y * 16 - 2;
    for (int i = threadIdx.x; i < kY * kX; i += 256) {
        const int y = y0 + i / kX, x = x0 + i % kX;
        const bool inside = y >= 0 && x >= 0 && y < fine.rows && x < fine.cols;
        now[i / kX][i % kX] = inside ? guess[(size_t)y * fine.cols + x] + prolonged(coarse, coarse_guess, y, x) : 0.0f;
        f[i / kX][i % kX] = inside ? rhs[(size_t)y * fine.cols + x] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < (kY - 2) * (kX - 2); i += 256) {
        const int v = 1 + i / (kX - 2), u = 1 + i % (kX - 2), y = y0 + v, x = x0 + u;
        const float around = now[v - 1][u] + now[v + 1][u] + now[v][u - 1] + now[v][u + 1];
        const bool inside = y >= 0 && x >= 0 && y < fine.rows && x < fine.cols;
        next[v][u] = inside ? now[v][u] + 0.2f * (f[v][u] - (4.0f * now[v][u] - around)) : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 16 * kAcross; i += 256) {
        const int v = 2 + i / kAcross, u = 2 + i % kAcross, y = y0 + v, x = x0 + u;
        if (y >= fine.rows || x >= fine.cols) continue;
        const float around = next[v - 1][u] + next[v + 1][u] + next[v][u - 1] + next[v][u + 1];
        out[(size_t)y * fine.cols + x] = next[v][u] + 0.2f * (f[v][u] - (4.0f * next[v][u] - around));
    }
}

static dim3 tiles(Grid grid) { return dim3((grid.cols - 1) / kAcross + 1, (grid.rows - 1) / kDown + 1); }

static size_t cells(Grid grid) { return (size_t)grid.rows * grid.cols; }

// A grid too thin to be coarsened further, but long.
static void sweep_strip(Grid grid, const float* rhs, float* guess, float* spare) {
    const dim3 block(kAcross, kDown);
    first_sweeps<<<tiles(grid), block>>>(grid, rhs, guess);
    for (int k = 2; k < 8; ++k) sweep<<<tiles(grid), block>>>(grid, rhs, k % 2 ? spare : guess, k % 2 ? guess : spare);
}

extern "C" void vcycle_step(int rows, int cols, const float* rhs, float* correction) {
    std::vector<Grid> grid = {{rows, cols}};
    size_t total = 0;
    while (std::min(grid.back().rows, grid.back().cols) >= 3 && std::max(grid.back().rows, grid.back().cols) > kSmall) {
        const Grid fine = grid.back();
        grid.push_back({(fine.rows - 1) / 2, (fine.cols - 1) / 2});
        total += cells(grid.back());
    }
    const int last = (int)grid.size() - 1;
    float* memory = nullptr;
    cudaMalloc(&memory, (3 * total + 2 * cells(grid[0])) * sizeof(float));
    std::vector<float*> guess = {correction};
    std::vector<const float*> f = {rhs};
    float *spare = memory, *next = spare + cells(grid[0]);
    std::vector<float*> smoothed = {next};  // what the way down leaves of a level
    next += cells(grid[0]);
    for (int l = 1; l <= last; ++l) {
        f.push_back(next);
        guess.push_back(next + cells(grid[l]));
        smoothed.push_back(next + 2 * cells(grid[l]));
        next += 3 * cells(grid[l]);
    }
    for (int l = 0; l < last; ++l) {
        const dim3 blocks((grid[l].cols - 1) / kFineX + 1, (grid[l].rows - 1) / kFineY + 1);
        descend<<<blocks, 256>>>(grid[l], grid[l + 1], f[l], smoothed[l], const_cast<float*>(f[l + 1]));
    }
    if (std::max(grid[last].rows, grid[last].cols) <= kSmall)
        cycle_below<<<1, kFew>>>(grid[last], f[last], guess[last]);
    else  // long and thin
        sweep_strip(grid[last], f[last], guess[last], spare);
    for (int l = last - 1; l >= 0; --l) {
        const dim3 blocks((grid[l].cols - 1) / kAcross + 1, (grid[l].rows - 1) / 16 + 1);
        ascend<<<blocks, 256>>>(grid[l + 1], grid[l], guess[l + 1], f[l], smoothed[l], guess[l]);
    }
    cudaFree(memory);
}
