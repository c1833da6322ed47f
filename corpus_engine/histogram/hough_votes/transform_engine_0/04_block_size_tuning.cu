#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// hough_votes: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// shared_memory_histogram(blocks 528) [nest 2]: updates collected in shared memory.
// thread_coarsening(points 2) [nest 1]: several points a thread.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void hough_votes_1_map(int angles, int bins, unsigned int* votes) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const long long cell = (long long)blockIdx.x * 256 + threadIdx.x + part * 128;
        if (cell < ((long long)angles * bins)) {
            votes[cell] = 0;
        }
    }
}

__global__ void hough_votes_2_update(int n, int angles, int bins, const int* x, const int* y,
                                     const unsigned char* weight, const int* cosine, const int* sine,
                                     unsigned int* votes) {
    for (long long point_ = (long long)blockIdx.x * 128 + threadIdx.x; point_ < (long long)n * angles;
         point_ += (long long)gridDim.x * 128) {
        const int a = point_ % angles;
        const int point = point_ / angles;
        const int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
        if (r >= 0 && r < bins) {
            atomicAdd(&votes[(unsigned long long)a * bins + r], (unsigned int)(weight[point]));
        }
    }
}

__global__ void hough_votes_3_update(int n, int angles, int bins, const int* x, const int* y,
                                     const unsigned char* weight, const int* cosine, const int* sine,
                                     unsigned int* votes) {
    extern __shared__ unsigned int votes_block[];
    for (int bin = threadIdx.x; bin < angles * bins; bin += 128) {
        votes_block[bin] = 0;
    }
    __syncthreads();
    for (long long point_ = (long long)blockIdx.x * 128 + threadIdx.x; point_ < (long long)n * angles;
         point_ += (long long)gridDim.x * 128) {
        const int a = point_ % angles;
        const int point = point_ / angles;
        const int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
        if (r >= 0 && r < bins) {
            atomicAdd(&votes_block[(unsigned long long)a * bins + r], (unsigned int)(weight[point]));
        }
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < angles * bins; bin += 128) {
        if (votes_block[bin] != 0) {
            atomicAdd(&votes[bin], votes_block[bin]);
        }
    }
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned int* votes) {
    if (((long long)angles * bins) >= 1) {
        hough_votes_1_map<<<(((long long)angles * bins) - 1) / 256 + 1, 128>>>(angles, bins, votes);
    }
    if ((angles * bins) * sizeof(unsigned int) <= 49152) {
        if (angles >= 1 && n >= 1) {
            hough_votes_3_update<<<min(((long long)n * angles - 1) / 128 + 1, (long long)528), 128,
                                   (angles * bins) * sizeof(unsigned int)>>>(n, angles, bins, x, y, weight, cosine,
                                                                             sine, votes);
        }
    } else {
        if (angles >= 1 && n >= 1) {
            hough_votes_2_update<<<min(((long long)n * angles - 1) / 128 + 1, (long long)528), 128>>>(
                n, angles, bins, x, y, weight, cosine, sine, votes);
        }
    }
}