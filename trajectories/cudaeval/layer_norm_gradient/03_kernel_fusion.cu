// Layer norm's gradient: a block of eight warps goes through 128 rows and keeps its columns' sums in shared memory.
#include <cuda_runtime.h>

constexpr int kRows = 128, kWarps = 8;

__global__ void backward(int rows, int width, const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ dy,
                         const float* __restrict__ mean, const float* __restrict__ inv, float* __restrict__ dx, float* dgain, float* dbias) {
    extern __shared__ float sums[];
    float *first = sums, *second = sums + width;
    for (int c = threadIdx.x; c < 2 * width; c += 32 * kWarps) sums[c] = 0.0f;
    const int lane = threadIdx.x % 32, begin = blockIdx.x * kRows, end = min(rows, begin + kRows);
    for (int from = begin; from < end; from += kWarps) {
        const int r = from + threadIdx.x / 32;
        float along = 0.0f, across = 0.0f;
        const float center = r < end ? mean[r] : 0.0f, scale = r < end ? inv[r] : 0.0f;
        const size_t at = (size_t)r * width;
        for (int c = lane; r < end && c < width; c += 32) {
            const float g = dy[at + c] * gain[c];
            along += g;
            across += g * (x[at + c] - center) * scale;
        }
        for (int apart = 16; apart > 0; apart /= 2) {
            along += __shfl_xor_sync(0xffffffffu, along, apart);
            across += __shfl_xor_sync(0xffffffffu, across, apart);
        }
        for (int c = lane; r < end && c < width; c += 32) {
            const float normal = (x[at + c] - center) * scale;
            dx[at + c] = scale * (dy[at + c] * gain[c] - along / width - normal * across / width);
        }
        __syncthreads();
        for (int c = threadIdx.x; c < width; c += 32 * kWarps) {
            float one = first[c], two = second[c];
            for (int k = from; k < min(end, from + kWarps); ++k) {
                const float d = dy[(size_t)k * width + c];
                one += d * (x[(size_t)k * width + c] - mean[k]) * inv[k];
                two += d;
            }
            first[c] = one;
            second[c] = two;
        }
        __syncthreads();
    }
    for (int c = threadIdx.x; c < width; c += 32 * kWarps) {
        atomicAdd(&dgain[c], first[c]);
        atomicAdd(&dbias[c], second[c]);
    }
}

extern "C" void layer_norm_gradient(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv,
                                    float* dx, float* dgain, float* dbias) {
    cudaMemsetAsync(dgain, 0, sizeof(float) * width);
    cudaMemsetAsync(dbias, 0, sizeof(float) * width);
    backward<<<(rows + kRows - 1) / kRows, 32 * kWarps, 2 * sizeof(float) * width>>>(rows, width, x, gain, dy, mean, inv, dx, dgain, dbias);
}
