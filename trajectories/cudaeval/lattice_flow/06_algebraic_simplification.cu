// Lattice Boltzmann: opposite directions share most of their equilibrium; one division a cell.
#include <cuda_runtime.h>

// Directions as arithmetic that the compiler evaluates once loops are unrolled; no table is left.
__device__ constexpr int east(int k) { return k == 1 || k == 5 || k == 8 ? 1 : k == 3 || k == 6 || k == 7 ? -1 : 0; }
__device__ constexpr int north(int k) { return k == 2 || k == 5 || k == 6 ? 1 : k == 4 || k == 7 || k == 8 ? -1 : 0; }
__device__ constexpr int opposite(int k) { return k == 0 ? 0 : k < 5 ? (k + 1) % 4 + 1 : (k - 3) % 4 + 5; }
__device__ constexpr float weight(int k) { return k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36; }

// Two opposite directions have the same even part of the equilibrium and opposite odd parts.
template <int k>
__device__ void relax_pair(float omega, float density, float even, float u, float v, float* f) {
    constexpr int back = opposite(k);
    float scale = omega * weight(k) * density, along = 3.0f * (east(k) * u + north(k) * v);
    float shared = scale * (even + 0.5f * along * along), keep = 1.0f - omega;
    f[k] = keep * f[k] + shared + scale * along;
    f[back] = keep * f[back] + shared - scale * along;
}

__device__ void collide(float omega, float* f) {
    float density = f[0] + (f[1] + f[3]) + (f[2] + f[4]) + (f[5] + f[7]) + (f[6] + f[8]), inverse = 1.0f / density;
    float rising = f[5] - f[7], falling = f[6] - f[8];
    float u = (f[1] - f[3] + rising - falling) * inverse, v = (f[2] - f[4] + rising + falling) * inverse;
    float even = 1.0f - 1.5f * (u * u + v * v);
    f[0] = (1.0f - omega) * f[0] + omega * weight(0) * density * even;
    relax_pair<1>(omega, density, even, u, v, f);
    relax_pair<2>(omega, density, even, u, v, f);
    relax_pair<5>(omega, density, even, u, v, f);
    relax_pair<6>(omega, density, even, u, v, f);
}

// Where population k of cell c is: at k * plane + c * cell.
struct Layout {
    long long plane, cell;
};

__global__ void __launch_bounds__(256)
    advance(int height, int width, float omega, const unsigned char* __restrict__ solid, const float* __restrict__ population, Layout from,
            float* __restrict__ next, Layout to) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int south = y > 0 ? y - 1 : height - 1, above = y + 1 < height ? y + 1 : 0;
    long long row[3] = {(long long)south * width, (long long)y * width, (long long)above * width};
    int column[3] = {x > 0 ? x - 1 : width - 1, x, x + 1 < width ? x + 1 : 0};
    long long here = row[1] + x;
    bool wall = solid[here];
    float f[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) f[k] = population[k * from.plane + here * from.cell];
    if (!wall) collide(omega, f);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        long long there = row[1 + north(k)] + column[1 + east(k)];
        bool stays = wall || solid[there];
        next[(stays && !wall ? opposite(k) : k) * to.plane + (stays ? here : there) * to.cell] = f[k];
    }
}

extern "C" void lattice_flow(int height, int width, int steps, float omega, const unsigned char* solid, float* population) {
    long long cells = (long long)height * width;
    if (cells <= 0 || steps <= 0) return;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 18 * cells * sizeof(float));
    const Layout interleaved = {1, 9}, planes = {cells, 1};
    float* buffer[2] = {scratch, scratch + 9 * cells};
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    for (int step = 0; step < steps; ++step) {  // the first step reads and the last one writes nine numbers a cell
        bool first = step == 0, last = step + 1 == steps;
        const float* now = first ? population : buffer[(step + 1) % 2];
        float* next = last && !first ? population : buffer[step % 2];
        Layout from = first ? interleaved : planes, to = last ? interleaved : planes;
        advance<<<grid, block>>>(height, width, omega, solid, now, from, next, to);
    }
    if (steps == 1) cudaMemcpyAsync(population, buffer[0], 9 * cells * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
