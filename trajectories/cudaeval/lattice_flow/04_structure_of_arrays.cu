// Lattice Boltzmann: between the first step and the last one there is a plane for each direction, so that neighbouring threads touch
// neighbouring numbers.
#include <cuda_runtime.h>

__constant__ int kEast[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int kNorth[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int kOpposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float kWeight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__device__ void collide(float omega, float* f) {
    float density = 0.0f, east = 0.0f, north = 0.0f;
    for (int k = 0; k < 9; ++k) {
        density += f[k];
        east += kEast[k] * f[k];
        north += kNorth[k] * f[k];
    }
    east /= density;
    north /= density;
    for (int k = 0; k < 9; ++k) {
        float along = kEast[k] * east + kNorth[k] * north;
        float rest = kWeight[k] * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * (east * east + north * north));
        f[k] += omega * (rest - f[k]);
    }
}

// Where population k of cell c is: at k * plane + c * cell.
struct Layout {
    long long plane, cell;
};

// A cell's populations collide in registers and go straight to where they move.
__global__ void advance(int height, int width, float omega, const unsigned char* solid, const float* population,
                        Layout from, float* next, Layout to) {
    long long here = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (here >= (long long)height * width) return;
    int y = (int)(here / width), x = (int)(here % width);
    float f[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) f[k] = population[k * from.plane + here * from.cell];
    bool wall = solid[here];
    if (!wall) collide(omega, f);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        long long there = (long long)((y + kNorth[k] + height) % height) * width + (x + kEast[k] + width) % width;
        if (wall) next[k * to.plane + here * to.cell] = f[k];
        else if (solid[there]) next[kOpposite[k] * to.plane + here * to.cell] = f[k];
        else next[k * to.plane + there * to.cell] = f[k];
    }
}

extern "C" void lattice_flow(int height, int width, int steps, float omega, const unsigned char* solid, float* population) {
    long long cells = (long long)height * width;
    if (cells <= 0 || steps <= 0) return;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 18 * cells * sizeof(float));
    const Layout interleaved = {1, 9}, planes = {cells, 1};
    float* buffer[2] = {scratch, scratch + 9 * cells};
    for (int step = 0; step < steps; ++step) {  // the first step reads and the last one writes nine numbers a cell
        bool first = step == 0, last = step + 1 == steps;
        const float* now = first ? population : buffer[(step + 1) % 2];
        float* next = last && !first ? population : buffer[step % 2];
        Layout from = first ? interleaved : planes, to = last ? interleaved : planes;
        advance<<<(unsigned)((cells + 255) / 256), 256>>>(height, width, omega, solid, now, from, next, to);
    }
    if (steps == 1) cudaMemcpyAsync(population, buffer[0], 9 * cells * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
