// Shallow water: a thread finds the four fluxes of its cell itself, each of them twice in all, in place of two arrays of fluxes that are
// written and read in every step. Two arrays of cells take turns.
#include <cuda_runtime.h>

#include <utility>

struct Cell {
    float h, hu, hv;
};

__device__ Cell flux(Cell a, Cell b, bool north) {
    float ca = (north ? a.hv : a.hu) / a.h, cb = (north ? b.hv : b.hu) / b.h;
    float speed = fmaxf(fabsf(ca) + sqrtf(9.81f * a.h), fabsf(cb) + sqrtf(9.81f * b.h));
    float push = 4.905f * (a.h * a.h + b.h * b.h);
    Cell f;
    f.h = 0.5f * (ca * a.h + cb * b.h - speed * (b.h - a.h));
    f.hu = 0.5f * (ca * a.hu + cb * b.hu + (north ? 0.0f : push) - speed * (b.hu - a.hu));
    f.hv = 0.5f * (ca * a.hv + cb * b.hv + (north ? push : 0.0f) - speed * (b.hv - a.hv));
    return f;
}

__global__ void advance(int rows, int cols, float ratio, const Cell* water, Cell* next) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    long long i = (long long)y * cols + x;
    Cell own = water[i], turned_u = own, turned_v = own;
    turned_u.hu = -own.hu;
    turned_v.hv = -own.hv;
    Cell from_west = flux(x > 0 ? water[i - 1] : turned_u, own, false), to_east = flux(own, x + 1 < cols ? water[i + 1] : turned_u, false);
    Cell from_south = flux(y > 0 ? water[i - cols] : turned_v, own, true);
    Cell to_north = flux(own, y + 1 < rows ? water[i + cols] : turned_v, true);
    own.h += ratio * (from_west.h - to_east.h + from_south.h - to_north.h);
    own.hu += ratio * (from_west.hu - to_east.hu + from_south.hu - to_north.hu);
    own.hv += ratio * (from_west.hv - to_east.hv + from_south.hv - to_north.hv);
    next[i] = own;
}

extern "C" void flood_wave(int rows, int cols, int steps, float ratio, Cell* water) {
    if (rows <= 0 || cols <= 0) return;
    size_t cells = (size_t)rows * cols;
    Cell* scratch = nullptr;
    cudaMalloc(&scratch, cells * sizeof(Cell));
    Cell *now = water, *next = scratch;
    dim3 block(32, 8), grid((cols + 31) / 32, (rows + 7) / 8);
    for (int step = 0; step < steps; ++step) {
        advance<<<grid, block>>>(rows, cols, ratio, now, next);
        std::swap(now, next);
    }
    if (now != water) cudaMemcpyAsync(water, now, cells * sizeof(Cell), cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
