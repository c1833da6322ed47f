// Determinants: one matrix a thread, in a copy in device memory.
#include <cuda_runtime.h>

__global__ void eliminate(int count, int n, double shift, const double* matrices, double* copies, int* sign, double* log_size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const double* from = matrices + (size_t)i * n * n;
    double* a = copies + (size_t)i * n * n;
    for (int e = 0; e < n * n; ++e) a[e] = from[e] + (e / n == e % n ? shift : 0.0);
    int turned = 1;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int r = k + 1; r < n; ++r)
            if (fabs(a[r * n + k]) > fabs(a[best * n + k])) best = r;
        if (best != k) {
            turned = -turned;
            for (int c = k; c < n; ++c) {
                const double other = a[best * n + c];
                a[best * n + c] = a[k * n + c];
                a[k * n + c] = other;
            }
        }
        const double pivot = a[k * n + k];
        if (pivot < 0) turned = -turned;
        sum += log(fabs(pivot));
        for (int r = k + 1; r < n; ++r) {
            const double by = a[r * n + k] / pivot;
            for (int c = k + 1; c < n; ++c) a[r * n + c] -= by * a[k * n + c];
        }
    }
    sign[i] = turned;
    log_size[i] = sum;
}

extern "C" void lu_determinants(int count, int n, double shift, const double* matrices, int* sign, double* log_size) {
    double* copies = nullptr;
    cudaMallocAsync(&copies, sizeof(double) * count * n * n, 0);
    eliminate<<<(count + 63) / 64, 64>>>(count, n, shift, matrices, copies, sign, log_size);
    cudaFreeAsync(copies, 0);
}
