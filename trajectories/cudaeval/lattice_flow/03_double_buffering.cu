// Lattice Boltzmann: two arrays of populations take turns; nothing is copied back but, after an odd number of steps, the result.
#include <cuda_runtime.h>

#include <utility>

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

// A cell's populations collide in registers and go straight to where they move.
__global__ void advance(int height, int width, float omega, const unsigned char* solid, const float* population, float* next) {
    long long here = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (here >= (long long)height * width) return;
    int y = (int)(here / width), x = (int)(here % width);
    float f[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) f[k] = population[9 * here + k];
    bool wall = solid[here];
    if (!wall) collide(omega, f);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        long long there = (long long)((y + kNorth[k] + height) % height) * width + (x + kEast[k] + width) % width;
        if (wall) next[9 * here + k] = f[k];
        else if (solid[there]) next[9 * here + kOpposite[k]] = f[k];
        else next[9 * there + k] = f[k];
    }
}

extern "C" void lattice_flow(int height, int width, int steps, float omega, const unsigned char* solid, float* population) {
    long long cells = (long long)height * width;
    if (cells <= 0) return;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 9 * cells * sizeof(float));
    float *now = population, *next = scratch;
    for (int step = 0; step < steps; ++step) {
        advance<<<(unsigned)((cells + 255) / 256), 256>>>(height, width, omega, solid, now, next);
        std::swap(now, next);
    }
    if (now != population) cudaMemcpyAsync(population, now, 9 * cells * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
