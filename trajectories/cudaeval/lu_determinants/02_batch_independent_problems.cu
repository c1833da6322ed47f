// Determinants: a warp takes a matrix in shared memory, one row a lane; the pivot's row is found by shuffles and exchanged.
#include <cuda_runtime.h>

__global__ void eliminate(int n, double shift, const double* __restrict__ matrices, int* sign, double* log_size) {
    __shared__ double a[32][33];
    const int lane = threadIdx.x;
    const double* from = matrices + (size_t)blockIdx.x * n * n;
    for (int e = lane; e < n * n; e += 32) a[e / n][e % n] = from[e] + (e / n == e % n ? shift : 0.0);
    __syncwarp();
    int turned = 1;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        double size = lane >= k && lane < n ? fabs(a[lane][k]) : -1.0;
        int best = lane;
        for (int apart = 16; apart > 0; apart /= 2) {
            const double other = __shfl_xor_sync(0xffffffffu, size, apart);
            const int where = __shfl_xor_sync(0xffffffffu, best, apart);
            if (other > size || (other == size && where < best)) size = other, best = where;
        }
        if (best != k) {
            turned = -turned;
            __syncwarp();
            if (lane >= k && lane < n) {
                const double other = a[best][lane];
                a[best][lane] = a[k][lane];
                a[k][lane] = other;
            }
            __syncwarp();
        }
        const double pivot = a[k][k];
        if (pivot < 0) turned = -turned;
        sum += log(fabs(pivot));
        if (lane > k && lane < n) {
            const double by = a[lane][k] / pivot;
            for (int c = k + 1; c < n; ++c) a[lane][c] -= by * a[k][c];
        }
        __syncwarp();
    }
    if (lane == 0) {
        sign[blockIdx.x] = turned;
        log_size[blockIdx.x] = sum;
    }
}

extern "C" void lu_determinants(int count, int n, double shift, const double* matrices, int* sign, double* log_size) {
    eliminate<<<count, 32>>>(n, shift, matrices, sign, log_size);
}
