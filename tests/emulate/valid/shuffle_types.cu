// arrays: x in int32 N; out out float64 5*N
// N: 64
#include <cuda_fp16.h>
__global__ void shuffle(const int* x, double* out) {
    int i = threadIdx.x, v = x[i];
    unsigned all = 0xffffffffu;
    out[5 * i] = __shfl_sync(all, v * 1e10, 5, 8);
    out[5 * i + 1] = (double)__shfl_up_sync(all, (long long)v << 33, 3, 16);
    out[5 * i + 2] = __shfl_down_sync(all, (float)v / 4, 7);
    out[5 * i + 3] = __shfl_xor_sync(all, (unsigned)v, 9, 16);
    __half2 pair = __shfl_sync(all, __floats2half2_rn((float)v, (float)i), (i + 1) % 32);
    out[5 * i + 4] = __low2float(pair) + 100 * __high2float(pair);
}
extern "C" void run(int n, const int* x, double* out) { shuffle<<<1, 64>>>(x, out); }
