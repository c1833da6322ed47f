// Pairwise distances, one thread per pair.
#include <cuda_runtime.h>

__global__ void distances(int n, int m, int dim, const float* a, const float* b, float* distance) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= m) return;
    float sum = 0.0f;
    for (int d = 0; d < dim; ++d) {
        float difference = a[(size_t)i * dim + d] - b[(size_t)j * dim + d];
        sum += difference * difference;
    }
    distance[(size_t)i * m + j] = sqrtf(sum);
}

extern "C" void pairwise_distance(int n, int m, int dim, const float* a, const float* b, float* distance) {
    dim3 block(16, 16);
    dim3 grid((m + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    distances<<<grid, block>>>(n, m, dim, a, b, distance);
}
