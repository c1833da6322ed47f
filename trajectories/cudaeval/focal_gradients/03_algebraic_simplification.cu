// Focal loss: one exponential and one logarithm a score, of its sign turned so that the label's case and the others are one; a block goes over 4096 scores.
#include <cuda_runtime.h>

__global__ void differentiate(long long total, int classes, float alpha, const int* __restrict__ label, const float* __restrict__ score,
                              float* __restrict__ gradient, double* loss) {
    __shared__ double part[8];
    double own = 0;
    for (long long i = blockIdx.x * 4096ll + threadIdx.x, end = min(total, (blockIdx.x + 1) * 4096ll); i < end; i += 256) {
        const int a = i / classes, what = label[a];
        const bool shown = what == (int)(i - (long long)a * classes);
        const float z = shown ? score[i] : -score[i], weight = what == -2 ? 0.0f : shown ? alpha : 1 - alpha;
        const float e = expf(-fabsf(z)), small = e / (1 + e), large = 1 / (1 + e);
        const float p = z < 0 ? small : large, q = z < 0 ? large : small, log_p = fminf(z, 0.0f) - log1pf(e);
        const float each = weight * q * q, slope = each * (2 * p * log_p - q);
        own -= each * log_p;
        gradient[i] = shown ? slope : -slope;
    }
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) own += part[w];
    atomicAdd(loss, own);
}

extern "C" void focal_gradients(int anchors, int classes, float alpha, const int* label, const float* score, float* gradient, double* loss) {
    const long long total = (long long)anchors * classes;
    cudaMemsetAsync(loss, 0, sizeof(double));
    differentiate<<<(unsigned)((total + 4095) / 4096), 256>>>(total, classes, alpha, label, score, gradient, loss);
}
