// task: total
// row: 29
// expect: OUT_OF_BOUNDS
// level: screen
// gpu: OUT_OF_BOUNDS
// Writes past the end of its shared memory.
__global__ void total_kernel(int n, const float* x, float* result) {
    extern __shared__ float part[];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = part[0];
}

extern "C" void total(int n, const float* x, float* result) { total_kernel<<<1, 256, 192 * sizeof(float)>>>(n, x, result); }
