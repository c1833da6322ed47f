// Shallow water: fluxes to the east, fluxes to the north and the change of the cells, one launch and one thread an element each.
#include <cuda_runtime.h>

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

__global__ void find_east(int rows, int cols, const Cell* water, Cell* east) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)rows * (cols + 1)) return;
    int x = (int)(i % (cols + 1));
    long long row = i / (cols + 1) * cols;
    Cell a = water[row + max(x - 1, 0)], b = water[row + min(x, cols - 1)];
    if (x == 0) a.hu = -a.hu;
    if (x == cols) b.hu = -b.hu;
    east[i] = flux(a, b, false);
}

__global__ void find_north(int rows, int cols, const Cell* water, Cell* north) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)(rows + 1) * cols) return;
    int y = (int)(i / cols), x = (int)(i % cols);
    Cell a = water[(long long)max(y - 1, 0) * cols + x], b = water[(long long)min(y, rows - 1) * cols + x];
    if (y == 0) a.hv = -a.hv;
    if (y == rows) b.hv = -b.hv;
    north[i] = flux(a, b, true);
}

__global__ void change(int rows, int cols, float ratio, const Cell* east, const Cell* north, Cell* water) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)rows * cols) return;
    const Cell *e = east + i + i / cols, *n = north + i;
    water[i].h += ratio * (e[0].h - e[1].h + n[0].h - n[cols].h);
    water[i].hu += ratio * (e[0].hu - e[1].hu + n[0].hu - n[cols].hu);
    water[i].hv += ratio * (e[0].hv - e[1].hv + n[0].hv - n[cols].hv);
}

extern "C" void flood_wave(int rows, int cols, int steps, float ratio, Cell* water) {
    if (rows <= 0 || cols <= 0) return;
    size_t across = (size_t)rows * (cols + 1), along = (size_t)(rows + 1) * cols;
    Cell* east = nullptr;
    cudaMalloc(&east, (across + along) * sizeof(Cell));
    Cell* north = east + across;
    for (int step = 0; step < steps; ++step) {
        find_east<<<(unsigned)((across + 255) / 256), 256>>>(rows, cols, water, east);
        find_north<<<(unsigned)((along + 255) / 256), 256>>>(rows, cols, water, north);
        change<<<(unsigned)((across + 255) / 256), 256>>>(rows, cols, ratio, east, north, water);
    }
    cudaFree(east);
}
