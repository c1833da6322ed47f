// task: total
// row: 29
// expect: UNINITIALISED_READ
// level: screen
// gpu: UNINITIALISED_READ WRONG_VALUE NON_FINITE
// Threads beyond n leave their slot of shared memory as it was, and it is read.
__global__ void total_kernel(int n, const float* x, float* result) {
    __shared__ float part[256];
    if (threadIdx.x < n) {
        float sum = 0.0f;
        for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
        part[threadIdx.x] = sum;
    }
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = part[0];
}

extern "C" void total(int n, const float* x, float* result) { total_kernel<<<1, 256>>>(n, x, result); }
