#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// hough_votes: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void hough_votes_1_map(int angles, int bins, unsigned int* votes) {
    const long long cell = (long long)blockIdx.x * 256 + threadIdx.x;
    if (cell < ((long long)angles * bins)) {
        votes[cell] = 0;
    }
}

__global__ void hough_votes_2_update(int n, int angles, int bins, const int* x, const int* y,
                                     const unsigned char* weight, const int* cosine, const int* sine,
                                     unsigned int* votes) {
    const long long point_ = (long long)blockIdx.x * 256 + threadIdx.x;
    const int a = point_ % angles;
    const int point = point_ / angles;
    if (point < n) {
        const int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
        if (r >= 0 && r < bins) {
            atomicAdd(&votes[(unsigned long long)a * bins + r], (unsigned int)(weight[point]));
        }
    }
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned int* votes) {
    if (((long long)angles * bins) >= 1) {
        hough_votes_1_map<<<(((long long)angles * bins) - 1) / 256 + 1, 256>>>(angles, bins, votes);
    }
    if (angles >= 1 && n >= 1) {
        hough_votes_2_update<<<((long long)n * angles - 1) / 256 + 1, 256>>>(n, angles, bins, x, y, weight, cosine,
                                                                             sine, votes);
    }
}