__global__ void transpose_kernel(int n, const float* __restrict__ in, float* __restrict__ out) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) out[(long)j * n + i] = in[(long)i * n + j];
}

extern "C" void transpose(int n, const float* in, float* out) {
    transpose_kernel<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(n, in, out);
}
