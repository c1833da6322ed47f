// Cluster: 64 stars at a time wait in shared memory, by coordinates; stars of no mass fill the last tile up.
#include <cuda_runtime.h>

constexpr int kTile = 64;

struct Tile { double x[kTile], y[kTile], z[kTile], m[kTile]; };

__device__ void bring(Tile& tile, int from, int stars, const double* mass, const double* place) {
    const int j = from + threadIdx.x;
    __syncthreads();
    tile.m[threadIdx.x] = j < stars ? mass[j] : 0;
    for (int k = threadIdx.x; k < 3 * kTile; k += kTile) {
        const double value = 3 * from + k < 3 * stars ? place[3 * from + k] : 0;
        (k % 3 == 0 ? tile.x : k % 3 == 1 ? tile.y : tile.z)[k / 3] = value;
    }
    __syncthreads();
}

__global__ void drift(int stars, double dt, const double* velocity, double* place) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * stars) place[i] += dt * velocity[i];
}

__device__ void add_up(double own, double* total) {
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(total, own);
}

__global__ void kick(int stars, double dt, double soft, const double* __restrict__ mass, const double* __restrict__ place, double* __restrict__ velocity) {
    __shared__ Tile tile;
    const int i = blockIdx.x * kTile + threadIdx.x, own = min(i, stars - 1);
    const double px = place[3 * own], py = place[3 * own + 1], pz = place[3 * own + 2], soft2 = soft * soft;
    double ax = 0, ay = 0, az = 0;
    for (int from = 0; from < stars; from += kTile) {
        bring(tile, from, stars, mass, place);
        for (int j = 0; j < kTile; ++j) {
            const double x = tile.x[j] - px, y = tile.y[j] - py, z = tile.z[j] - pz;
            const double r2 = x * x + y * y + z * z + soft2, f = tile.m[j] / (r2 * sqrt(r2));
            ax += f * x, ay += f * y, az += f * z;
        }
    }
    if (i < stars) velocity[3 * i] += dt * ax, velocity[3 * i + 1] += dt * ay, velocity[3 * i + 2] += dt * az;
}

__global__ void measure(int stars, double soft, const double* __restrict__ mass, const double* __restrict__ place, double* potential) {
    __shared__ Tile tile;
    const int i = blockIdx.x * kTile + threadIdx.x, own = min(i, stars - 1);
    const double px = place[3 * own], py = place[3 * own + 1], pz = place[3 * own + 2], soft2 = soft * soft;
    double sum = 0;
    for (int from = blockIdx.x * kTile; from < stars; from += kTile) {
        bring(tile, from, stars, mass, place);
        for (int j = 0; j < kTile; ++j) {
            const double x = tile.x[j] - px, y = tile.y[j] - py, z = tile.z[j] - pz;
            if (from + j > i) sum -= tile.m[j] / sqrt(x * x + y * y + z * z + soft2);
        }
    }
    add_up(i < stars ? sum * mass[own] : 0, potential);
}

struct Vec { double x, y, z; };

extern "C" void cluster_kicks(int stars, int steps, double dt, double soft, const double* mass, Vec* place, Vec* velocity, double* potential) {
    double *p = &place->x, *v = &velocity->x;
    const int blocks = (stars + kTile - 1) / kTile;
    for (int s = 0; s < steps; ++s) {
        kick<<<blocks, kTile>>>(stars, dt, soft, mass, p, v);
        drift<<<(3 * stars + 255) / 256, 256>>>(stars, dt, v, p);
    }
    cudaMemsetAsync(potential, 0, sizeof(double));
    measure<<<blocks, kTile>>>(stars, soft, mass, p, potential);
}
