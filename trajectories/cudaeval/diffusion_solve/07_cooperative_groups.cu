// Diffusion: all rounds are one launch, with barriers of the whole grid; each block goes over its share of the cells.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;

struct Grid {
    int height, width;
    const float *east, *south, *sigma;
};

__device__ float east_of(const Grid& g, int y, int x) { return x >= 0 && x + 1 < g.width ? g.east[y * g.width + x] : 0.0f; }

__device__ float south_of(const Grid& g, int y, int x) { return y >= 0 && y + 1 < g.height ? g.south[y * g.width + x] : 0.0f; }

__device__ float diagonal(const Grid& g, int y, int x) {
    return g.sigma[y * g.width + x] + east_of(g, y, x) + east_of(g, y, x - 1) + south_of(g, y, x) + south_of(g, y - 1, x);
}

// Whether a round still has something to do; sums holds r.z and p.q of each round.
__device__ bool is_live(const double* sums, int round) { return sums[2 * round] > 1e-13 * sums[0]; }

__device__ float step_of(const double* sums, int round) {
    return is_live(sums, round) ? (float)(sums[2 * round] / sums[2 * round + 1]) : 0.0f;
}

__device__ float keep_of(const double* sums, int round) {
    return round > 0 && is_live(sums, round) ? (float)(sums[2 * round] / sums[2 * round - 2]) : 0.0f;
}

constexpr int kWide = 32, kHigh = 4;  // cells of a block

// Adds the sum of a block's values to `to`.
__device__ void add_block(double mine, double* to) {
    __shared__ double part[kThreads / 32];
    __syncthreads();
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(to, part[0] + part[1] + part[2] + part[3]);
}

// The arrays that a solution works on.
struct State {
    float *diag, *r, *z, *p, *next, *q, *u;
    double* sums;
};

__device__ void start(const Grid& g, const State& s, const float* source) {
    double sum = 0.0;
    for (int c = blockIdx.x * kThreads + threadIdx.x; c < g.height * g.width; c += gridDim.x * kThreads) {
        const float value = source[c], diag = diagonal(g, c / g.width, c % g.width);
        s.diag[c] = diag;
        s.r[c] = value;
        s.z[c] = value / diag;
        s.p[c] = s.u[c] = 0.0f;
        sum += (double)value * (value / diag);
    }
    add_block(sum, s.sums);
}

__device__ void apply(const Grid& g, int round, const State& s) {
    __shared__ float tile[kHigh + 2][kWide + 2];
    const int across = (g.width - 1) / kWide + 1, tiles = across * ((g.height - 1) / kHigh + 1);
    const int h = threadIdx.x % kWide + 1, v = threadIdx.x / kWide + 1;
    const float keep = keep_of(s.sums, round);
    const float *diag = s.diag, *z = s.z, *p = s.p;
    float *next = s.next, *q = s.q;
    double sum = 0.0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int left = t % across * kWide, top = t / across * kHigh, x = left + h - 1, y = top + v - 1;
        __syncthreads();
        for (int i = threadIdx.x; i < (kHigh + 2) * (kWide + 2); i += kThreads) {
            const int ty = top + i / (kWide + 2) - 1, tx = left + i % (kWide + 2) - 1, c = ty * g.width + tx;
            const bool inside = ty >= 0 && ty < g.height && tx >= 0 && tx < g.width;
            tile[i / (kWide + 2)][i % (kWide + 2)] = inside ? z[c] + keep * p[c] : 0.0f;
        }
        __syncthreads();
        if (x < g.width && y < g.height) {
            float value = 0.0f, own = 0.0f;
            const int c = y * g.width + x;
            own = tile[v][h];
            value = diag[c] * own;
            if (x + 1 < g.width) value -= g.east[c] * tile[v][h + 1];
            if (x > 0) value -= g.east[c - 1] * tile[v][h - 1];
            if (y + 1 < g.height) value -= g.south[c] * tile[v + 1][h];
            if (y > 0) value -= g.south[c - g.width] * tile[v - 1][h];
            q[c] = value;
            next[c] = own;
            sum += (double)own * value;
        }
    }
    add_block(sum, s.sums + 2 * round + 1);
}

__device__ void move(int cells, int round, const State& s) {
    const float step = step_of(s.sums, round);
    double sum = 0.0;
    for (int c = blockIdx.x * kThreads + threadIdx.x; c < cells; c += gridDim.x * kThreads) {
        const float value = s.r[c] - step * s.q[c], scaled = value / s.diag[c];
        s.u[c] += step * s.next[c];
        s.r[c] = value;
        s.z[c] = scaled;
        sum += (double)value * scaled;
    }
    add_block(sum, s.sums + 2 * round + 2);
}

__global__ void __launch_bounds__(kThreads) solve(Grid g, int rounds, const float* source, State s) {
    const cg::grid_group grid = cg::this_grid();
    start(g, s, source);
    grid.sync();
    for (int round = 0; round < rounds; ++round) {
        apply(g, round, s);
        grid.sync();
        move(g.height * g.width, round, s);
        grid.sync();
        float* old = s.p;
        s.p = s.next;
        s.next = old;
    }
}

extern "C" void diffusion_solve(int height, int width, int rounds, const float* east, const float* south, const float* sigma,
                                const float* source, float* u) {
    const int cells = height * width, tiles = ((width - 1) / kWide + 1) * ((height - 1) / kHigh + 1);
    Grid g = {height, width, east, south, sigma};
    int resident = 0, processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve, kThreads, 0);
    float* arrays = nullptr;
    State s = {};
    cudaMallocAsync(&arrays, sizeof(float) * 6 * cells, 0);
    cudaMallocAsync(&s.sums, sizeof(double) * 2 * (rounds + 1), 0);
    cudaMemsetAsync(s.sums, 0, sizeof(double) * 2 * (rounds + 1));
    s.diag = arrays, s.r = arrays + cells, s.z = s.r + cells, s.p = s.z + cells, s.next = s.p + cells, s.q = s.next + cells, s.u = u;
    void* given[] = {&g, &rounds, &source, &s};
    cudaLaunchCooperativeKernel((const void*)solve, dim3(std::min(tiles, resident * processors)), dim3(kThreads), given, 0, nullptr);
    cudaFreeAsync(arrays, 0);
    cudaFreeAsync(s.sums, 0);
}
