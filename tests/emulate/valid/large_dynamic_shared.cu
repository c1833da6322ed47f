// arrays: x in float32 N; out out float32 N
// N: 20480
// 80 KiB in one block, allowed first; carved into two arrays.
extern __shared__ float pool[];
__global__ void reverse(const float* x, float* out, int n) {
    float* values = pool;
    unsigned char* marks = (unsigned char*)(pool + n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        values[i] = x[i];
        marks[i] = i % 7 == 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = marks[n - 1 - i] ? -values[n - 1 - i] : values[n - 1 - i];
}
extern "C" void run(int n, const float* x, float* out) {
    size_t bytes = n * (sizeof(float) + 1);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    reverse<<<1, 1024, bytes>>>(x, out, n);
}
