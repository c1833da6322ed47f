// Lattice Boltzmann: one thread a cell; a launch for collisions, one for movement, one for the way back.
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

__global__ void relax(long long cells, float omega, const unsigned char* solid, float* population) {
    long long c = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (c < cells && !solid[c]) collide(omega, population + 9 * c);
}

__global__ void move(int height, int width, const unsigned char* solid, const float* population, float* next) {
    long long here = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (here >= (long long)height * width) return;
    int y = (int)(here / width), x = (int)(here % width);
    for (int k = 0; k < 9; ++k) {
        long long there = (long long)((y + kNorth[k] + height) % height) * width + (x + kEast[k] + width) % width;
        float value = population[9 * here + k];
        if (solid[here]) next[9 * here + k] = value;
        else if (solid[there]) next[9 * here + kOpposite[k]] = value;
        else next[9 * there + k] = value;
    }
}

__global__ void copy_back(long long count, const float* next, float* population) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) population[i] = next[i];
}

extern "C" void lattice_flow(int height, int width, int steps, float omega, const unsigned char* solid, float* population) {
    long long cells = (long long)height * width;
    if (cells <= 0) return;
    float* next = nullptr;
    cudaMalloc(&next, 9 * cells * sizeof(float));
    unsigned blocks = (unsigned)((cells + 255) / 256), more = (unsigned)((9 * cells + 255) / 256);
    for (int step = 0; step < steps; ++step) {
        relax<<<blocks, 256>>>(cells, omega, solid, population);
        move<<<blocks, 256>>>(height, width, solid, population, next);
        copy_back<<<more, 256>>>(9 * cells, next, population);
    }
    cudaFree(next);
}
