// Diffusion: the diagonal is computed once.
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

__global__ void turn(int cells, int round, const double* sums, const float* z, float* p) {
    const int c = blockIdx.x * kThreads + threadIdx.x;
    if (c < cells) p[c] = z[c] + keep_of(sums, round) * p[c];
}

__device__ float applied(const Grid& g, int c, const float* diag, const float* p) {
    const int y = c / g.width, x = c % g.width;
    float value = diag[c] * p[c];
    if (x + 1 < g.width) value -= east_of(g, y, x) * p[c + 1];
    if (x > 0) value -= east_of(g, y, x - 1) * p[c - 1];
    if (y + 1 < g.height) value -= south_of(g, y, x) * p[c + g.width];
    if (y > 0) value -= south_of(g, y - 1, x) * p[c - g.width];
    return value;
}

__global__ void apply(Grid g, const float* diag, const float* p, float* q, double* sum) {
    const int c = blockIdx.x * kThreads + threadIdx.x;
    float value = 0.0f, own = 0.0f;
    if (c < g.height * g.width) {
        own = p[c];
        q[c] = value = applied(g, c, diag, p);
    }
    add_block((double)own * value, sum);
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
    float *diag = nullptr, *r = nullptr, *z = nullptr, *p = nullptr, *q = nullptr;
    double* sums = nullptr;
    cudaMallocAsync(&diag, sizeof(float) * cells, 0);
    cudaMallocAsync(&r, sizeof(float) * cells, 0);
    cudaMallocAsync(&z, sizeof(float) * cells, 0);
    cudaMallocAsync(&p, sizeof(float) * cells, 0);
    cudaMallocAsync(&q, sizeof(float) * cells, 0);
    cudaMallocAsync(&sums, sizeof(double) * 2 * (rounds + 1), 0);
    cudaMemsetAsync(sums, 0, sizeof(double) * 2 * (rounds + 1));
    start<<<blocks, kThreads>>>(g, source, diag, r, z, p, u, sums);
    for (int round = 0; round < rounds; ++round) {
        turn<<<blocks, kThreads>>>(cells, round, sums, z, p);
        apply<<<blocks, kThreads>>>(g, diag, p, q, sums + 2 * round + 1);
        move<<<blocks, kThreads>>>(cells, round, sums, diag, p, q, u, r, z);
    }
    cudaFreeAsync(diag, 0);
    cudaFreeAsync(r, 0);
    cudaFreeAsync(z, 0);
    cudaFreeAsync(p, 0);
    cudaFreeAsync(q, 0);
    cudaFreeAsync(sums, 0);
}
