// Upwind tracer step: a thread walks up a stretch of a column and gets its west flux from the lane beside it.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kRows = 16;  // cells of a column per thread

struct Cell {
    float q;
    int wet;
};

// What flows from cell a to cell b at the given speed; nothing beside land (wet is 0 or 1).
__device__ float flux(Cell a, Cell b, float speed) {
    float upwind = speed > 0.0f ? a.q : b.q;
    return (a.wet & b.wet) != 0 ? speed * upwind : 0.0f;
}

__global__ void advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                       const unsigned char* wet, float* q_new) {
    int column = blockIdx.x * kThreads + threadIdx.x;
    int i = min(column, nx - 1);  // lanes past the end stay for the shuffles
    bool first_lane = threadIdx.x % 32 == 0;
    int to_east = (i + 1 < nx ? i + 1 : 0) - i, to_west = (i > 0 ? i - 1 : nx - 1) - i;
    int j = blockIdx.y * kRows;
    int j_end = min(j + kRows, ny);
    size_t c = (size_t)j * nx + i;
    Cell here = {q[c], wet[c]};
    float south = 0.0f;
    if (j > 0) south = flux(Cell{q[c - nx], wet[c - nx]}, here, v[c - nx]);
    for (; j < j_end; ++j, c += nx) {
        Cell above = {0.0f, 0};  // beyond the last row lies land
        if (j + 1 < ny) above = Cell{q[c + nx], wet[c + nx]};
        Cell right = {q[c + to_east], wet[c + to_east]};
        float east = flux(here, right, u[c]);
        float west = __shfl_up_sync(0xffffffffu, east, 1);
        if (first_lane) west = flux(Cell{q[c + to_west], wet[c + to_west]}, here, u[c + to_west]);
        float north = flux(here, above, v[c]);
        if (column < nx) q_new[c] = here.wet ? here.q - ratio * ((east - west) + (north - south)) : here.q;
        here = above;
        south = north;
    }
}

extern "C" void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                              const unsigned char* wet, float* q_new) {
    dim3 grid((nx - 1) / kThreads + 1, (ny - 1) / kRows + 1);
    advect<<<grid, kThreads>>>(nx, ny, ratio, q, u, v, wet, q_new);
}
