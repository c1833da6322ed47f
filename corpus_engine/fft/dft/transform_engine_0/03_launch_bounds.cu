#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// dft: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// shared_memory_tiling(block 16 x 16, step 32): a sequential loop in steps, its data in shared tiles.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void dft_1_scalars(int n, float* step) { step[0] = -6.283185307179586f / n; }

__global__ void __launch_bounds__(256, 2)
    dft_2_grid(int n, const float* in_re, const float* in_im, float* out_re, float* out_im, const float* step) {
    __shared__ float in_im_tile[32];
    __shared__ float in_re_tile[32];
    const int k_first = blockIdx.x * 256;
    float re = 0;
    float im = 0;
    {
        const int k = k_first + threadIdx.x;
        if (k < n) {
            re = 0.0f;
            im = 0.0f;
        }
    }
    for (int j_first = 0; j_first < n; j_first += 32) {
        for (int cell = threadIdx.x; cell < 32; cell += 256) {
            const long long in_im_cell_0 = j_first + cell;
            in_im_tile[cell] = (in_im_cell_0 < n) ? in_im[in_im_cell_0] : 0;
        }
        for (int cell = threadIdx.x; cell < 32; cell += 256) {
            const long long in_re_cell_0 = j_first + cell;
            in_re_tile[cell] = (in_re_cell_0 < n) ? in_re[in_re_cell_0] : 0;
        }
        __syncthreads();
        for (int j = j_first; j < min(j_first + 32, n); ++j) {
            const int k = k_first + threadIdx.x;
            const float angle = step[0] * (int)((long long)j * k % n);
            const float c = cos(angle);
            const float s = sin(angle);
            re += in_re_tile[j - j_first] * c - in_im_tile[j - j_first] * s;
            im += in_re_tile[j - j_first] * s + in_im_tile[j - j_first] * c;
        }
        __syncthreads();
    }
    {
        const int k = k_first + threadIdx.x;
        if (k < n) {
            out_re[k] = re;
            out_im[k] = im;
        }
    }
}

extern "C" void dft(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    float* step = nullptr;
    if (cudaMalloc(&step, sizeof(float)) == cudaSuccess) {
        dft_1_scalars<<<1, 1>>>(n, step);
        if (n >= 1) {
            dft_2_grid<<<(n - 1) / 256 + 1, 256>>>(n, in_re, in_im, out_re, out_im, step);
        }
    }
    cudaFree(step);
}