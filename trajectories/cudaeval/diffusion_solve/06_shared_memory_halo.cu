// Diffusion: a block computes the new directions of its cells and those around them once, in shared memory.
#include <cuda_runtime.h>

#include <cstddef>

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

// Adds the sum of a block's values to `to`.
__device__ void add_block(double mine, double* to) {
    __shared__ double part[kThreads / 32];
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(to, part[0] + part[1] + part[2] + part[3]);
}

__global__ void start(Grid g, const float* source, float* diag, float* r, float* z, float* p, float* u, double* sums) {
    const int c = blockIdx.x * kThreads + threadIdx.x;
    float value = 0.0f, scaled = 0.0f;
    if (c < g.height * g.width) {
        diag[c] = diagonal(g, c / g.width, c % g.width);
        r[c] = value = source[c];
        z[c] = scaled = value / diag[c];
        p[c] = u[c] = 0.0f;
    }
    add_block((double)value * scaled, sums);
}

constexpr int kWide = 32, kHigh = 4;  // cells of a block

__global__ void apply(Grid g, int round, double* sums, const float* diag, const float* z, const float* p, float* next, float* q) {
    __shared__ float tile[kHigh + 2][kWide + 2];
    const int left = blockIdx.x * kWide, top = blockIdx.y * kHigh;
    const float keep = keep_of(sums, round);
    for (int i = threadIdx.x; i < (kHigh + 2) * (kWide + 2); i += kThreads) {
        const int ty = top + i / (kWide + 2) - 1, tx = left + i % (kWide + 2) - 1, c = ty * g.width + tx;
        const bool inside = ty >= 0 && ty < g.height && tx >= 0 && tx < g.width;
        tile[i / (kWide + 2)][i % (kWide + 2)] = inside ? z[c] + keep * p[c] : 0.0f;
    }
    __syncthreads();
    const int h = threadIdx.x % kWide + 1, v = threadIdx.x / kWide + 1, x = left + h - 1, y = top + v - 1;
    float value = 0.0f, own = 0.0f;
    if (x < g.width && y < g.height) {
        const int c = y * g.width + x;
        own = tile[v][h];
        value = diag[c] * own;
        if (x + 1 < g.width) value -= g.east[c] * tile[v][h + 1];
        if (x > 0) value -= g.east[c - 1] * tile[v][h - 1];
        if (y + 1 < g.height) value -= g.south[c] * tile[v + 1][h];
        if (y > 0) value -= g.south[c - g.width] * tile[v - 1][h];
        q[c] = value;
        next[c] = own;
    }
    add_block((double)own * value, sums + 2 * round + 1);
}

__global__ void move(int cells, int round, double* sums, const float* diag, const float* p, const float* q, float* u, float* r, float* z) {
    const int c = blockIdx.x * kThreads + threadIdx.x;
    float value = 0.0f, scaled = 0.0f;
    if (c < cells) {
        const float step = step_of(sums, round);
        u[c] += step * p[c];
        r[c] = value = r[c] - step * q[c];
        z[c] = scaled = value / diag[c];
    }
    add_block((double)value * scaled, sums + 2 * round + 2);
}

extern "C" void diffusion_solve(int height, int width, int rounds, const float* east, const float* south, const float* sigma,
                                const float* source, float* u) {
    const int cells = height * width, blocks = (cells - 1) / kThreads + 1;
    const Grid g = {height, width, east, south, sigma};
    float *diag = nullptr, *r = nullptr, *z = nullptr, *p = nullptr, *next = nullptr, *q = nullptr;
    double* sums = nullptr;
    cudaMallocAsync(&diag, sizeof(float) * cells, 0);
    cudaMallocAsync(&r, sizeof(float) * cells, 0);
    cudaMallocAsync(&z, sizeof(float) * cells, 0);
    cudaMallocAsync(&p, sizeof(float) * cells, 0);
    cudaMallocAsync(&next, sizeof(float) * cells, 0);
    cudaMallocAsync(&q, sizeof(float) * cells, 0);
    cudaMallocAsync(&sums, sizeof(double) * 2 * (rounds + 1), 0);
    cudaMemsetAsync(sums, 0, sizeof(double) * 2 * (rounds + 1));
    start<<<blocks, kThreads>>>(g, source, diag, r, z, p, u, sums);
    for (int round = 0; round < rounds; ++round) {
        apply<<<dim3((width - 1) / kWide + 1, (height - 1) / kHigh + 1), kThreads>>>(g, round, sums, diag, z, p, next, q);
        move<<<blocks, kThreads>>>(cells, round, sums, diag, next, q, u, r, z);
        float* old = p;
        p = next;
        next = old;
    }
    cudaFreeAsync(diag, 0);
    cudaFreeAsync(r, 0);
    cudaFreeAsync(z, 0);
    cudaFreeAsync(p, 0);
    cudaFreeAsync(next, 0);
    cudaFreeAsync(q, 0);
    cudaFreeAsync(sums, 0);
}
