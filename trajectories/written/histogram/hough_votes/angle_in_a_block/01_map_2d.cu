// Hough votes: a thread for each point and angle, global atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void vote(int n, int bins, const int* x, const int* y, const unsigned char* weight, const int* cosine,
                     const int* sine, unsigned* votes) {
    int point = blockIdx.x * kThreads + threadIdx.x, a = blockIdx.y;
    if (point >= n) return;
    int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
    if (r >= 0 && r < bins) atomicAdd(&votes[(size_t)a * bins + r], (unsigned)weight[point]);
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned* votes) {
    cudaMemsetAsync(votes, 0, (size_t)angles * bins * sizeof(unsigned));
    dim3 grid((n - 1) / kThreads + 1, angles);
    vote<<<grid, kThreads>>>(n, bins, x, y, weight, cosine, sine, votes);
}
