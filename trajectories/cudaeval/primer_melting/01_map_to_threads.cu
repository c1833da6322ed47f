// Melting: one primer a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void melt(int primers, double molar, double end_h, double end_s, const int32_t* start, const uint8_t* code, const double* enthalpy,
                     const double* entropy, double* celsius) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= primers) return;
    const int from = start[i], to = start[i + 1];
    double result = -273.15;
    if (to - from >= 2) {
        const int ends = (code[from] % 3 == 0) + (code[to - 1] % 3 == 0);
        double h = ends * end_h, s = ends * end_s;
        for (int b = from + 1; b < to; ++b) {
            h += enthalpy[4 * code[b - 1] + code[b]];
            s += entropy[4 * code[b - 1] + code[b]];
        }
        result += 1000 * h / (s + 1.987 * log(molar / 4));
    }
    celsius[i] = result;
}

extern "C" void primer_melting(int primers, int, double molar, double end_enthalpy, double end_entropy, const int32_t* start, const uint8_t* code,
                               const double* enthalpy, const double* entropy, double* celsius) {
    melt<<<(primers + 127) / 128, 128>>>(primers, molar, end_enthalpy, end_entropy, start, code, enthalpy, entropy, celsius);
}
