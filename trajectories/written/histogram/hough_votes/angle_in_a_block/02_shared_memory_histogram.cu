// Hough votes: a block votes for one angle in shared memory and adds its row once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kStretches = 8;  // blocks that share the points of an angle

__global__ void vote(int n, int bins, const int* x, const int* y, const unsigned char* weight, const int* cosine,
                     const int* sine, unsigned* votes) {
    extern __shared__ unsigned row[];
    int a = blockIdx.y;
    for (int r = threadIdx.x; r < bins; r += kThreads) row[r] = 0;
    __syncthreads();
    for (int point = blockIdx.x * kThreads + threadIdx.x; point < n; point += kStretches * kThreads) {
        int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
        if (r >= 0 && r < bins) atomicAdd(&row[r], (unsigned)weight[point]);
    }
    __syncthreads();
    for (int r = threadIdx.x; r < bins; r += kThreads)
        if (row[r] > 0) atomicAdd(&votes[(size_t)a * bins + r], row[r]);
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned* votes) {
    cudaMemsetAsync(votes, 0, (size_t)angles * bins * sizeof(unsigned));
    vote<<<dim3(kStretches, angles), kThreads, bins * sizeof(unsigned)>>>(n, bins, x, y, weight, cosine, sine, votes);
}
