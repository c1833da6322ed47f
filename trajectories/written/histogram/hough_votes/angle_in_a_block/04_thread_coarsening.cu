// Hough votes: a block votes for three angles in shared memory and adds its rows once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kAngles = 3;     // of a block
constexpr int kStretches = 8;  // blocks that share the points of an angle

__global__ void vote(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                     const int* cosine, const int* sine, unsigned* votes) {
    extern __shared__ unsigned rows[];
    int first = blockIdx.y * kAngles, count = min(kAngles, angles - first);
    for (int r = threadIdx.x; r < count * bins; r += kThreads) rows[r] = 0;
    int c[kAngles], s[kAngles], offset = bins / 2 << 11;
#pragma unroll
    for (int k = 0; k < kAngles; ++k) {
        c[k] = k < count ? cosine[first + k] : 0;
        s[k] = k < count ? sine[first + k] : 0;
    }
    __syncthreads();
    for (int point = blockIdx.x * kThreads + threadIdx.x; point < n; point += kStretches * kThreads) {
        int px = x[point], py = y[point];
        unsigned strength = weight[point];
#pragma unroll
        for (int k = 0; k < kAngles; ++k) {
            int r = (px * c[k] + py * s[k] + offset) >> 11;
            if (k < count && (unsigned)r < (unsigned)bins) atomicAdd(&rows[k * bins + r], strength);
        }
    }
    __syncthreads();
    for (int r = threadIdx.x; r < count * bins; r += kThreads)
        if (rows[r] > 0) atomicAdd(&votes[(size_t)first * bins + r], rows[r]);
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned* votes) {
    cudaMemsetAsync(votes, 0, (size_t)angles * bins * sizeof(unsigned));
    vote<<<dim3(kStretches, (angles - 1) / kAngles + 1), kThreads, kAngles * bins * sizeof(unsigned)>>>(
        n, angles, bins, x, y, weight, cosine, sine, votes);
}
