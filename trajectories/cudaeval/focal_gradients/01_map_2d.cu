// Focal loss: one score a thread, an atomic each for the sum.
#include <cuda_runtime.h>

__device__ float log_sigmoid(float x) { return x < 0 ? x - log1pf(expf(x)) : -log1pf(expf(-x)); }

__global__ void differentiate(int anchors, int classes, float alpha, const int* label, const float* score, float* gradient, double* loss) {
    const int c = blockIdx.x * 32 + threadIdx.x, a = blockIdx.y * 8 + threadIdx.y;
    if (c >= classes || a >= anchors) return;
    const float x = score[a * classes + c], p = 1 / (1 + expf(-x)), q = 1 / (1 + expf(x));
    float out = 0;
    if (label[a] == c) {
        atomicAdd(loss, (double)(-alpha * q * q * log_sigmoid(x)));
        out = alpha * q * q * (2 * p * log_sigmoid(x) - q);
    } else if (label[a] != -2) {
        atomicAdd(loss, (double)((alpha - 1) * p * p * log_sigmoid(-x)));
        out = (1 - alpha) * p * p * (p - 2 * q * log_sigmoid(-x));
    }
    gradient[a * classes + c] = out;
}

extern "C" void focal_gradients(int anchors, int classes, float alpha, const int* label, const float* score, float* gradient, double* loss) {
    cudaMemsetAsync(loss, 0, sizeof(double));
    differentiate<<<dim3((classes + 31) / 32, (anchors + 7) / 8), dim3(32, 8)>>>(anchors, classes, alpha, label, score, gradient, loss);
}
