// Cholesky factor of the 10 x 10 matrix, then two triangular solves.
static __device__ void solve(double* a, double* b, float* beta) {
    for (int j = 0; j < 10; j++) {
        for (int k = 0; k < j; k++) a[j * 10 + j] -= a[j * 10 + k] * a[j * 10 + k];
        a[j * 10 + j] = sqrt(a[j * 10 + j]);
        for (int i = j + 1; i < 10; i++) {
            for (int k = 0; k < j; k++) a[i * 10 + j] -= a[i * 10 + k] * a[j * 10 + k];
            a[i * 10 + j] /= a[j * 10 + j];
        }
    }
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[i * 10 + k] * b[k];
        b[i] /= a[i * 10 + i];
    }
    for (int i = 9; i >= 0; i--) {
        for (int k = i + 1; k < 10; k++) b[i] -= a[k * 10 + i] * b[k];
        b[i] /= a[i * 10 + i];
        beta[i] = b[i];
    }
}

// A block an entry of X'X, or of X'y.
__global__ void add_up(int n, const float* __restrict__ x, const float* __restrict__ y, double* sums) {
    __shared__ double part[256];
    const int i = blockIdx.x / 11, j = blockIdx.x % 11;
    double sum = 0.0;
    for (int row = threadIdx.x; row < n; row += 256) sum += (double)x[row * 10 + i] * (j < 10 ? x[row * 10 + j] : y[row]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[j < 10 ? i * 10 + j : 100 + i] = part[0];
}

__global__ void finish(double* sums, float* beta) { solve(sums, sums + 100, beta); }

extern "C" void least_squares(int n, const float* x, const float* y, float* beta) {
    double* sums = nullptr;
    cudaMalloc(&sums, 110 * sizeof(double));
    add_up<<<110, 256>>>(n, x, y, sums);
    finish<<<1, 1>>>(sums, beta);
    cudaFree(sums);
}
