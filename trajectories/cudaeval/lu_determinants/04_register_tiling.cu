// Determinants: a lane keeps its row in registers, for which the loops are unrolled at four sizes; only the pivot's row goes through shared memory.
#include <cuda_runtime.h>

// A lane has row `lane` of a matrix of at most N rows in registers; the pivot's row is read by all from shared memory.
template <int N>
__global__ void eliminate(int n, double shift, const double* __restrict__ matrices, int* sign, double* log_size) {
    __shared__ double a[N][N + 1], pivots[N];
    const int lane = threadIdx.x;
    const double* from = matrices + (size_t)blockIdx.x * n * n;
    for (int e = lane; e < n * n; e += 32) a[e / n][e % n] = from[e] + (e / n == e % n ? shift : 0.0);
    __syncwarp();
    double own[N];
#pragma unroll
    for (int c = 0; c < N; ++c) own[c] = lane < n && c < n ? a[lane][c] : 0.0;
    unsigned left = n == 32 ? 0xffffffffu : (1u << n) - 1;
    int turned = 1;
    double product = 1.0, sum = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        if (k >= n) break;
        double size = left >> lane & 1 ? fabs(own[k]) : -1.0;
        int best = lane;
        for (int apart = 16; apart > 0; apart /= 2) {
            const double other = __shfl_xor_sync(0xffffffffu, size, apart);
            const int where = __shfl_xor_sync(0xffffffffu, best, apart);
            if (other > size || (other == size && where < best)) size = other, best = where;
        }
        left &= ~(1u << best);
        if (__popc(left & ((1u << best) - 1)) % 2) turned = -turned;
        __syncwarp();
        if (lane == best) {
#pragma unroll
            for (int c = k; c < N; ++c) pivots[c] = own[c];
        }
        __syncwarp();
        const double pivot = pivots[k];
        if (pivot < 0) turned = -turned;
        product *= fabs(pivot);
        if (k % 8 == 7 || k == n - 1) {
            sum += log(product);
            product = 1.0;
        }
        const double by = left >> lane & 1 ? own[k] / pivot : 0.0;
#pragma unroll
        for (int c = k + 1; c < N; ++c) own[c] -= by * pivots[c];
    }
    if (lane == 0) {
        sign[blockIdx.x] = turned;
        log_size[blockIdx.x] = sum;
    }
}

extern "C" void lu_determinants(int count, int n, double shift, const double* matrices, int* sign, double* log_size) {
    if (n <= 8)
        eliminate<8><<<count, 32>>>(n, shift, matrices, sign, log_size);
    else if (n <= 16)
        eliminate<16><<<count, 32>>>(n, shift, matrices, sign, log_size);
    else if (n <= 24)
        eliminate<24><<<count, 32>>>(n, shift, matrices, sign, log_size);
    else
        eliminate<32><<<count, 32>>>(n, shift, matrices, sign, log_size);
}
