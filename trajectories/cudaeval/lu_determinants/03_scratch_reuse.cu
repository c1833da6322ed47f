// Determinants: rows stay where they are; the lane that holds the pivot is struck off, and the parity of the order is counted from the lanes that are left.
#include <cuda_runtime.h>

__global__ void eliminate(int n, double shift, const double* __restrict__ matrices, int* sign, double* log_size) {
    __shared__ double a[32][33];
    const int lane = threadIdx.x;
    const double* from = matrices + (size_t)blockIdx.x * n * n;
    for (int e = lane; e < n * n; e += 32) a[e / n][e % n] = from[e] + (e / n == e % n ? shift : 0.0);
    __syncwarp();
    unsigned left = n == 32 ? 0xffffffffu : (1u << n) - 1;
    int turned = 1;
    double product = 1.0, sum = 0;
    for (int k = 0; k < n; ++k) {
        double size = left >> lane & 1 ? fabs(a[lane][k]) : -1.0;
        int best = lane;
        for (int apart = 16; apart > 0; apart /= 2) {
            const double other = __shfl_xor_sync(0xffffffffu, size, apart);
            const int where = __shfl_xor_sync(0xffffffffu, best, apart);
            if (other > size || (other == size && where < best)) size = other, best = where;
        }
        left &= ~(1u << best);
        if (__popc(left & ((1u << best) - 1)) % 2) turned = -turned;
        const double pivot = a[best][k];
        if (pivot < 0) turned = -turned;
        product *= size;
        if (k % 8 == 7 || k == n - 1) {
            sum += log(product);
            product = 1.0;
        }
        if (left >> lane & 1) {
            const double by = a[lane][k] / pivot;
#pragma unroll 4
            for (int c = k + 1; c < n; ++c) a[lane][c] -= by * a[best][c];
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
