// Melting: the table of pairs lies in shared memory, both numbers of a pair together; the logarithm is taken once.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void melt(int primers, double dilution, double end_h, double end_s, const int32_t* __restrict__ start, const uint8_t* __restrict__ code,
                     const double* enthalpy, const double* entropy, double* celsius) {
    __shared__ double2 table[16];
    if (threadIdx.x < 16) table[threadIdx.x] = make_double2(enthalpy[threadIdx.x], entropy[threadIdx.x]);
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= primers) return;
    const int from = start[i], to = start[i + 1];
    double result = -273.15;
    if (to - from >= 2) {
        int before = code[from];
        const int ends = (before % 3 == 0) + (code[to - 1] % 3 == 0);
        double h = ends * end_h, s = ends * end_s;
        for (int b = from + 1; b < to; ++b) {
            const int now = code[b];
            const double2 pair = table[4 * before + now];
            h += pair.x;
            s += pair.y;
            before = now;
        }
        result += 1000 * h / (s + dilution);
    }
    celsius[i] = result;
}

extern "C" void primer_melting(int primers, int, double molar, double end_enthalpy, double end_entropy, const int32_t* start, const uint8_t* code,
                               const double* enthalpy, const double* entropy, double* celsius) {
    melt<<<(primers + 127) / 128, 128>>>(primers, 1.987 * log(molar / 4), end_enthalpy, end_entropy, start, code, enthalpy, entropy, celsius);
}
