// arrays: x in float32 64*N; out out float32 64*N
// N: 20
// Pitched, pinned and managed memory, copies of rectangles.
__global__ void turn(const float* from, size_t pitch, float* to, int rows) {
    int column = threadIdx.x, row = blockIdx.x;
    const float* line = (const float*)((const char*)from + row * pitch);
    to[row * 64 + column] = line[63 - column] + (row == rows - 1 ? 1.0f : 0.0f);
}
__global__ void add_counts(float* out, const int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += counts[0] + counts[1];
}
extern "C" void run(int n, const float* x, float* out) {
    float* pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 64 * sizeof(float), n);
    cudaMemset2D(pitched, pitch, 0, 64 * sizeof(float), n);
    cudaMemcpy2D(pitched, pitch, x, 64 * sizeof(float), 64 * sizeof(float), n, cudaMemcpyDeviceToDevice);
    turn<<<n, 64>>>(pitched, pitch, out, n);
    int *pinned, *managed, *device;
    cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault);
    cudaMallocManaged(&managed, 2 * sizeof(int));
    cudaMalloc(&device, 2 * sizeof(int));
    pinned[0] = 5;
    managed[0] = 1;
    managed[1] = 2;
    cudaMemcpy(device, managed, 2 * sizeof(int), cudaMemcpyDefault);
    cudaMemcpyAsync(device + 1, pinned, sizeof(int), cudaMemcpyHostToDevice);
    add_counts<<<(64 * n + 255) / 256, 256>>>(out, device, 64 * n);
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFree(device);
    cudaFree(pitched);
}
