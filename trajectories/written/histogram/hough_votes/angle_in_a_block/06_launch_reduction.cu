// Hough votes: a block votes for three angles in shared memory and writes their rows.
#include <cuda_runtime.h>

constexpr int kThreads = 1024;
constexpr int kAngles = 3;     // of a block

__global__ void vote(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                     const int* cosine, const int* sine, unsigned* votes) {
    extern __shared__ unsigned rows[];
    int first = blockIdx.x * kAngles, count = min(kAngles, angles - first);
    for (int r = threadIdx.x; r < count * bins; r += kThreads) rows[r] = 0;
    int c[kAngles], s[kAngles], offset = bins / 2 << 11;
#pragma unroll
    for (int k = 0; k < kAngles; ++k) {
        c[k] = k < count ? cosine[first + k] : 0;
        s[k] = k < count ? sine[first + k] : 0;
    }
    __syncthreads();
    auto add = [&](int px, int py, unsigned strength) {
#pragma unroll
        for (int k = 0; k < kAngles; ++k) {
            int r = (px * c[k] + py * s[k] + offset) >> 11;
            if (k < count && (unsigned)r < (unsigned)bins) atomicAdd(&rows[k * bins + r], strength);
        }
    };
    bool aligned = ((size_t)x | (size_t)y) % 16 == 0 && (size_t)weight % 4 == 0;
    int fours = aligned ? n / 4 : 0;
    for (int i = threadIdx.x; i < fours; i += kThreads) {
        int4 px = ((const int4*)x)[i], py = ((const int4*)y)[i];
        uchar4 strength = ((const uchar4*)weight)[i];
        add(px.x, py.x, strength.x);
        add(px.y, py.y, strength.y);
        add(px.z, py.z, strength.z);
        add(px.w, py.w, strength.w);
    }
    for (int point = 4 * fours + threadIdx.x; point < n; point += kThreads) add(x[point], y[point], weight[point]);
    __syncthreads();
    for (int r = threadIdx.x; r < count * bins; r += kThreads) votes[(size_t)first * bins + r] = rows[r];
}

extern "C" void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                            const int* cosine, const int* sine, unsigned* votes) {
    vote<<<(angles - 1) / kAngles + 1, kThreads, kAngles * bins * sizeof(unsigned)>>>(n, angles, bins, x, y, weight,
                                                                                      cosine, sine, votes);
}
