__global__ void matmul_kernel(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    float sum = 0.0f;
    for (int l = 0; l < k; l++) sum += a[(long)i * k + l] * b[(long)l * n + j];
    c[(long)i * n + j] = sum;
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    matmul_kernel<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, a, b, c);
}
