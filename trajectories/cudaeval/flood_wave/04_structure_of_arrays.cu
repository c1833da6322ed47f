// Shallow water: between the first step and the last one depths and momenta have a plane each, which neighbouring threads read and write
// in one piece; the first step reads the cells as they come, the last one writes them so.
#include <cuda_runtime.h>

constexpr int kX = 32, kY = 8;

struct Cell {
    float h, hu, hv;
};

struct Tile {
    float h[kY + 2][kX + 2], hu[kY + 2][kX + 2], hv[kY + 2][kX + 2], u[kY + 2][kX + 2], v[kY + 2][kX + 2], wave[kY + 2][kX + 2];
};

// Where a number of cell i is: depths at i * step, momenta at that plus one or two times `plane`.
struct Layout {
    size_t step, plane;
};

// What leaves the cell (y, x) of the tile through its face to the east (dx = 1) or the north (dy = 1).
template <int dx, int dy>
__device__ Cell flux(const Tile& t, int y, int x) {
    int p = y + dy, q = x + dx;
    float a = dx ? t.u[y][x] : t.v[y][x], b = dx ? t.u[p][q] : t.v[p][q];
    float speed = fmaxf(fabsf(a) + t.wave[y][x], fabsf(b) + t.wave[p][q]);
    float push = 4.905f * (t.h[y][x] * t.h[y][x] + t.h[p][q] * t.h[p][q]);
    return {0.5f * (a * t.h[y][x] + b * t.h[p][q] - speed * (t.h[p][q] - t.h[y][x])),
            0.5f * (a * t.hu[y][x] + b * t.hu[p][q] + dx * push - speed * (t.hu[p][q] - t.hu[y][x])),
            0.5f * (a * t.hv[y][x] + b * t.hv[p][q] + dy * push - speed * (t.hv[p][q] - t.hv[y][x]))};
}

__global__ void __launch_bounds__(kX * kY)
    advance(int rows, int cols, float ratio, const float* __restrict__ water, Layout from, float* __restrict__ next, Layout to) {
    __shared__ Tile t;
    int left = blockIdx.x * kX - 1, top = blockIdx.y * kY - 1;
    for (int k = threadIdx.y * kX + threadIdx.x; k < (kX + 2) * (kY + 2); k += kX * kY) {
        int ty = k / (kX + 2), tx = k % (kX + 2), y = top + ty, x = left + tx;
        const float* at = water + ((size_t)min(max(y, 0), rows - 1) * cols + min(max(x, 0), cols - 1)) * from.step;
        Cell c = {at[0], at[from.plane], at[2 * from.plane]};
        if (x < 0 || x >= cols) c.hu = -c.hu;
        if (y < 0 || y >= rows) c.hv = -c.hv;
        t.h[ty][tx] = c.h;
        t.hu[ty][tx] = c.hu;
        t.hv[ty][tx] = c.hv;
        t.u[ty][tx] = c.hu / c.h;
        t.v[ty][tx] = c.hv / c.h;
        t.wave[ty][tx] = sqrtf(9.81f * c.h);
    }
    __syncthreads();
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = left + tx, y = top + ty;
    if (x >= cols || y >= rows) return;
    Cell west = flux<1, 0>(t, ty, tx - 1), east = flux<1, 0>(t, ty, tx), south = flux<0, 1>(t, ty - 1, tx), north = flux<0, 1>(t, ty, tx);
    float* at = next + ((size_t)y * cols + x) * to.step;
    at[0] = t.h[ty][tx] + ratio * (west.h - east.h + south.h - north.h);
    at[to.plane] = t.hu[ty][tx] + ratio * (west.hu - east.hu + south.hu - north.hu);
    at[2 * to.plane] = t.hv[ty][tx] + ratio * (west.hv - east.hv + south.hv - north.hv);
}

extern "C" void flood_wave(int rows, int cols, int steps, float ratio, Cell* water) {
    if (rows <= 0 || cols <= 0 || steps <= 0) return;
    size_t cells = (size_t)rows * cols;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 2 * cells * sizeof(Cell));
    const Layout interleaved = {3, 1}, planes = {1, cells};
    float *buffer[2] = {scratch, scratch + 3 * cells}, *all = reinterpret_cast<float*>(water);
    dim3 block(kX, kY), grid((cols + kX - 1) / kX, (rows + kY - 1) / kY);
    for (int step = 0; step < steps; ++step) {
        bool first = step == 0, last = step + 1 == steps;
        const float* now = first ? all : buffer[(step + 1) % 2];
        float* next = last && !first ? all : buffer[step % 2];
        advance<<<grid, block>>>(rows, cols, ratio, now, first ? interleaved : planes, next, last ? interleaved : planes);
    }
    if (steps == 1) cudaMemcpyAsync(water, buffer[0], cells * sizeof(Cell), cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
