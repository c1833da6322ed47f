#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// ising_checkerboard: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// vectorised_access(width 4) [nest 2]: neighbouring elements loaded and stored together.
// streaming_stores [nest 2]: what is touched once goes past the caches.
// block_reduction(threads 256) [nest 2]: a block's partial results combined by a tree in shared memory.
//
// The nest at line 15 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__device__ inline unsigned int random_bits(unsigned int seed, unsigned int site, unsigned int sweep) {
    unsigned int v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

// Every thread of the block gets the sum of all their values, by a tree in shared memory.
__device__ inline int block_sum_int(int value) {
    __shared__ int values[256];
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + half];
        }
        __syncthreads();
    }
    const int total = values[0];
    __syncthreads();
    return total;
}

__global__ void ising_checkerboard_1_serial(int height, int width, int sweeps, long long seed,
                                            const unsigned int* accept, signed char* spins, int sweep) {
    if (sweep >= 0 && sweep < sweeps) {
        for (int colour = 0; colour <= 1; ++colour) {
            for (int y = 0; y < height; ++y) {
                for (int x = (colour + y) % 2; x < width; x += 2) {
                    const int left = x == 0 ? width - 1 : x - 1;
                    const int right = x == width - 1 ? 0 : x + 1;
                    const int alignment =
                        spins[(unsigned long long)y * width + x] *
                        (spins[(unsigned long long)((y + height - 1) % height) * width + x] +
                         spins[(unsigned long long)((y + 1) % height) * width + x] +
                         spins[(unsigned long long)y * width + left] + spins[(unsigned long long)y * width + right]);
                    if (random_bits((unsigned int)seed, (unsigned int)(y * width + x), (unsigned int)sweep) <
                        accept[(alignment + 4) / 2]) {
                        spins[(unsigned long long)y * width + x] =
                            (signed char)-spins[(unsigned long long)y * width + x];
                    }
                }
            }
        }
    }
}

__global__ void ising_checkerboard_2_scalars(int* total) { total[0] = 0; }

__global__ void ising_checkerboard_3_partial(int height, int width, const signed char* spins, int* total_parts_2) {
    int total_part = 0;
    const bool whole_groups = (size_t)spins % 4 == 0;
    for (long long point = (long long)blockIdx.x * 256 + threadIdx.x; point < (((long long)height * width) - 1) / 4 + 1;
         point += (long long)gridDim.x * 256) {
        const long long i_first = point * 4;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && ((long long)height * width) >= i_first + 4) {
            alignas(4) signed char spins_lanes[4];
            *reinterpret_cast<char4*>(spins_lanes) = __ldcs(reinterpret_cast<const char4*>(&spins[i_first]));
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                total_part += spins_lanes[lane];
            }
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const long long i = i_first + lane;
                if (i < ((long long)height * width)) {
                    total_part += __ldcs(&spins[i]);
                }
            }
        }
    }
    total_part = block_sum_int(total_part);
    if (threadIdx.x == 0) {
        total_parts_2[blockIdx.x] = total_part;
    }
}

__global__ void ising_checkerboard_4_finish(int* total, int* total_parts_2, int parts_left) {
    int total_part = 0;
    for (int number = 0; number < parts_left; ++number) {
        total_part += total_parts_2[number];
    }
    total[0] += total_part;
}

__global__ void ising_checkerboard_5_scalars(int* magnetisation, int* total, int sweep) {
    magnetisation[sweep] = total[0];
}

extern "C" void ising_checkerboard(int height, int width, int sweeps, unsigned int seed_given,
                                   const unsigned int* accept, signed char* spins, int* magnetisation) {
    const long long seed = seed_given;
    int* total = nullptr;
    int* total_parts_2 = nullptr;
    if (cudaMalloc(&total, sizeof(int)) == cudaSuccess &&
        cudaMalloc(&total_parts_2, 264 * sizeof(int)) == cudaSuccess) {
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            ising_checkerboard_1_serial<<<1, 1>>>(height, width, sweeps, seed, accept, spins, sweep);
            ising_checkerboard_2_scalars<<<1, 1>>>(total);
            if (((long long)height * width) >= 1 && sweep >= 0 && sweep < sweeps) {
                const int blocks = min(((((long long)height * width) - 1) / 4) / 256 + 1, (long long)264);
                ising_checkerboard_3_partial<<<blocks, 256>>>(height, width, spins, total_parts_2);
                const int parts_left = blocks;
                ising_checkerboard_4_finish<<<1, 1>>>(total, total_parts_2, parts_left);
            }
            ising_checkerboard_5_scalars<<<1, 1>>>(magnetisation, total, sweep);
        }
    }
    cudaFree(total);
    cudaFree(total_parts_2);
}