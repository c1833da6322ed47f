#include <cuda_runtime.h>

__global__ void residuals(int users, int rank, const long long* first, const int* item, const float* observed, const float* user_factor,
                          const float* item_factor, float* residual) {
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= users) return;
    const float* p = user_factor + (long long)u * rank;
    for (long long e = first[u]; e < first[u + 1]; ++e) {
        const float* q = item_factor + (long long)item[e] * rank;
        float sum = 0.0f;
        for (int k = 0; k < rank; ++k) sum += p[k] * q[k];
        residual[e] = observed[e] - sum;
    }
}

extern "C" void sampled_products(int users, int items, long long ratings, int rank, const long long* first, const int* item,
                                 const float* observed, const float* user_factor, const float* item_factor, float* residual) {
    if (users > 0)
        residuals<<<(users + 127) / 128, 128>>>(users, rank, first, item, observed, user_factor, item_factor, residual);
}
