// Galerkin sweep: the matrix and the block's elements stand in shared memory.
#include <cuda_runtime.h>



// out = (keep * own + share * (from + dt rate(from))) / whole
__global__ void stage(size_t size, int elements, int n, double dt, double lift, const double* d, double keep, double share, double whole,
                      const double* own, const double* from, double* out) {
    __shared__ double matrix[256], tile[256];
    const int per = 256 / n, place = threadIdx.x % n, mine = threadIdx.x / n;
    const size_t e = (size_t)blockIdx.x * per + mine, k = e * n + place;
    const bool live = mine < per && k < size;
    if ((int)threadIdx.x < n * n) matrix[threadIdx.x] = d[threadIdx.x];
    if (live) tile[threadIdx.x] = from[k];
    __syncthreads();
    if (!live) return;
    const double* element = tile + mine * n;
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum -= matrix[place * n + j] * element[j];
    if (place == 0) sum += lift * (from[((e + elements - 1) % elements) * n + n - 1] - element[0]);
    out[k] = (keep * own[k] + share * (element[place] + dt * sum)) / whole;
}

extern "C" void galerkin_sweep(int elements, int n, int steps, double dt, double lift, const double* d, double* u) {
    const size_t size = (size_t)elements * n;
    const unsigned blocks = (unsigned)((elements + 256 / n - 1) / (256 / n));
    double *first = nullptr, *second = nullptr;
    cudaMallocAsync(&first, sizeof(double) * size, 0);
    cudaMallocAsync(&second, sizeof(double) * size, 0);
    for (int s = 0; s < steps; ++s) {
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 0.0, 1.0, 1.0, u, u, first);
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 3.0, 1.0, 4.0, u, first, second);
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 1.0, 2.0, 3.0, u, second, u);
    }
    cudaFreeAsync(first, 0);
    cudaFreeAsync(second, 0);
}
