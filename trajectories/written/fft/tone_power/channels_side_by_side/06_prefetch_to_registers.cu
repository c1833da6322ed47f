// Goertzel: a thread for each channel and eight tones; samples are staged in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 64;   // threads and channels of a block
constexpr int kTones = 8;      // of a thread
constexpr int kStretch = 32;   // samples of a tile
constexpr int kPitch = kStretch + 2;
constexpr int kCarried = kStretch;  // samples of the next tile in each thread: kThreads x kStretch for kThreads threads
constexpr int kSegment = 256;  // samples that a thread takes

// The recurrence of eight tones side by side.
struct Bank {
    float c[kTones], s1[kTones], s2[kTones];

    __device__ Bank(const float* coefficient, int first, int tones) {
#pragma unroll
        for (int k = 0; k < kTones; ++k) {
            c[k] = first + k < tones ? coefficient[first + k] : 0.0f;
            s1[k] = s2[k] = 0.0f;
        }
    }
    __device__ void feed(float x) {
#pragma unroll
        for (int k = 0; k < kTones; ++k) {
            float s = x + c[k] * s1[k] - s2[k];
            s2[k] = s1[k];
            s1[k] = s;
        }
    }
    __device__ void store(float2* state, int first, int tones) const {
#pragma unroll
        for (int k = 0; k < kTones; ++k)
            if (first + k < tones) state[first + k] = make_float2(s1[k], s2[k]);
    }
};

// This thread's samples of the tile that starts at i0; 0 where there is none.
__device__ void load_tile(short (&incoming)[kCarried], const short* samples, int base, int rows, int n, int i0,
                          int end) {
    int warp = threadIdx.x / 32, i = i0 + threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < kCarried; ++k) {
        int r = warp + k * (kThreads / 32);
        incoming[k] = r < rows && i < end ? samples[(size_t)(base + r) * n + i] : (short)0;
    }
}

__global__ void recur(int channels, int n, int tones, const float* coefficient, const short* samples, float2* states) {
    __shared__ short tile[kThreads][kPitch];
    int base = blockIdx.x * kThreads, channel = base + threadIdx.x, first = blockIdx.y * kTones;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int rows = min(kThreads, channels - base);
    Bank bank(coefficient, first, tones);
    int begin = blockIdx.z * kSegment, end = min(begin + kSegment, n);
    short incoming[kCarried];
    load_tile(incoming, samples, base, rows, n, begin, end);
    for (int i0 = begin; i0 < end; i0 += kStretch) {
        int count = min(kStretch, end - i0);
#pragma unroll
        for (int k = 0; k < kCarried; ++k) tile[warp + k * (kThreads / 32)][lane] = incoming[k];
        __syncthreads();
        load_tile(incoming, samples, base, rows, n, i0 + kStretch, end);
        if (threadIdx.x < rows)
            for (int i = 0; i < count; ++i) bank.feed(tile[threadIdx.x][i]);
        __syncthreads();
    }
    if (channel < channels) bank.store(states + ((size_t)blockIdx.z * channels + channel) * tones, first, tones);
}

struct Matrix {
    double a, b, c, d;
};

__device__ Matrix product(Matrix x, Matrix y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

// What `length` steps of the recurrence do to the state.
__device__ Matrix power_of(double c, int length) {
    Matrix jump = {1.0, 0.0, 0.0, 1.0}, step = {c, -1.0, 1.0, 0.0};
    for (; length > 0; length /= 2) {
        if (length % 2 == 1) jump = product(jump, step);
        step = product(step, step);
    }
    return jump;
}

// Joins the segments of a channel and tone. Samples were taken as integers; the power is for full scale 1.
__global__ void combine(long long pairs, int n, int tones, const float* coefficient, const float2* states,
                        float* power) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= pairs) return;
    float c = coefficient[t % tones];
    float s1 = 0.0f, s2 = 0.0f;
    Matrix whole = power_of(c, kSegment);
    for (int begin = 0; begin < n; begin += kSegment) {
        Matrix jump = n - begin >= kSegment ? whole : power_of(c, n - begin);
        float2 own = states[begin / kSegment * pairs + t];
        float next = (float)(jump.a * s1 + jump.b * s2) + own.x;
        s2 = (float)(jump.c * s1 + jump.d * s2) + own.y;
        s1 = next;
    }
    power[t] = (s1 * s1 + s2 * s2 - c * s1 * s2) * 0x1p-30f;
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    int segments = (n - 1) / kSegment + 1;
    long long pairs = (long long)channels * tones;
    float2* states = nullptr;
    cudaMalloc(&states, segments * pairs * sizeof(float2));
    dim3 grid((channels - 1) / kThreads + 1, (tones - 1) / kTones + 1, segments);
    recur<<<grid, kThreads>>>(channels, n, tones, coefficient, samples, states);
    combine<<<(int)((pairs - 1) / kThreads + 1), kThreads>>>(pairs, n, tones, coefficient, states, power);
    cudaFree(states);
}
