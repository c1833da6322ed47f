// Layer-wise optimiser step: even chunks, one step size per piece, pieces processed as 128-bit vectors.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kChunk = 8192;  // elements per block

struct Options {
    float rate, decay, trust;
};

// The tensor of element i: the last one that starts at or before it.
__device__ int tensor_of(int i, int tensors, const int* start) {
    int low = 0, high = tensors;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (start[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// A piece of a tensor: elements [begin, body) and [tail, end) singly, [body, tail) as vectors of four.
struct Piece {
    int begin, body, tail, end;

    __device__ Piece(int from, int to, bool aligned) : begin(from), end(to) {
        body = aligned ? min((from + 3) / 4 * 4, to) : to;
        tail = aligned ? max(to / 4 * 4, body) : to;
    }

    // Number of single elements, and the s-th of them.
    __device__ int singles() const { return body - begin + end - tail; }
    __device__ int single(int s) const { return begin + s < body ? begin + s : tail + s - (body - begin); }
};

__device__ double warp_sum(double value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

__device__ double squares(float4 v) {
    return ((double)v.x * v.x + (double)v.y * v.y) + ((double)v.z * v.z + (double)v.w * v.w);
}

// sums[2 k] and sums[2 k + 1]: squares of the weights and of the gradients of tensor k.
__global__ void add_squares(int tensors, int n, bool aligned, const int* start, const float* gradient,
                            const float* weight, double* sums) {
    __shared__ double parts[2][kThreads / 32];
    const int t = threadIdx.x, chunk = blockIdx.x * kChunk, chunk_end = min(chunk + kChunk, n);
    int k = tensor_of(chunk, tensors, start);
    for (int begin = chunk; begin < chunk_end; ++k) {
        const int end = min(start[k + 1], chunk_end);
        if (end == begin) continue;  // empty
        const Piece piece(begin, end, aligned);
        double w = 0.0, g = 0.0;
        for (int s = t; s < piece.singles(); s += kThreads) {
            int i = piece.single(s);
            w += (double)weight[i] * weight[i];
            g += (double)gradient[i] * gradient[i];
        }
        for (int i = piece.body + 4 * t; i < piece.tail; i += 4 * kThreads) {
            w += squares(*reinterpret_cast<const float4*>(weight + i));
            g += squares(*reinterpret_cast<const float4*>(gradient + i));
        }
        w = warp_sum(w);
        g = warp_sum(g);
        if (t % 32 == 0) {
            parts[0][t / 32] = w;
            parts[1][t / 32] = g;
        }
        __syncthreads();
        if (t < 2) {
            double sum = 0.0;
            for (int part = 0; part < kThreads / 32; ++part) sum += parts[t][part];
            atomicAdd(&sums[2 * k + t], sum);
        }
        __syncthreads();
        begin = end;
    }
}

__device__ float ratio_of(const double* sums, int k, const Options& options) {
    double w = sqrt(sums[2 * k]), g = sqrt(sums[2 * k + 1]);
    return w > 0.0 && g > 0.0 ? (float)(options.trust * w / (g + options.decay * w)) : 1.0f;
}

__device__ void move(float step, float decay, float gradient, float& weight, float& momentum) {
    momentum = 0.9f * momentum + step * (gradient + decay * weight);
    weight -= momentum;
}

__global__ void update(int tensors, int n, bool aligned, Options options, const int* start, const double* sums,
                       const float* gradient, float* weight, float* momentum, float* ratio) {
    const int t = threadIdx.x, chunk = blockIdx.x * kChunk, chunk_end = min(chunk + kChunk, n);
    for (int k = blockIdx.x * kThreads + t; k < tensors; k += gridDim.x * kThreads)
        ratio[k] = ratio_of(sums, k, options);
    int k = tensor_of(chunk, tensors, start);
    for (int begin = chunk; begin < chunk_end; ++k) {
        const int end = min(start[k + 1], chunk_end);
        if (end == begin) continue;  // empty
        const Piece piece(begin, end, aligned);
        const float step = options.rate * ratio_of(sums, k, options);
        for (int s = t; s < piece.singles(); s += kThreads) {
            int i = piece.single(s);
            move(step, options.decay, gradient[i], weight[i], momentum[i]);
        }
        for (int i = piece.body + 4 * t; i < piece.tail; i += 4 * kThreads) {
            const float4 g = *reinterpret_cast<const float4*>(gradient + i);
            float4 w = *reinterpret_cast<float4*>(weight + i), m = *reinterpret_cast<float4*>(momentum + i);
            move(step, options.decay, g.x, w.x, m.x);
            move(step, options.decay, g.y, w.y, m.y);
            move(step, options.decay, g.z, w.z, m.z);
            move(step, options.decay, g.w, w.w, m.w);
            *reinterpret_cast<float4*>(weight + i) = w;
            *reinterpret_cast<float4*>(momentum + i) = m;
        }
        begin = end;
    }
}

extern "C" void lars_update(int tensors, int n, float rate, float decay, float trust, const int* start,
                            const float* gradient, float* weight, float* momentum, float* ratio) {
    double* sums = nullptr;
    cudaMalloc(&sums, 2 * tensors * sizeof(double));
    cudaMemsetAsync(sums, 0, 2 * tensors * sizeof(double));
    uintptr_t all = reinterpret_cast<uintptr_t>(gradient) | reinterpret_cast<uintptr_t>(weight) |
                    reinterpret_cast<uintptr_t>(momentum);
    bool aligned = all % 16 == 0;
    int blocks = (n - 1) / kChunk + 1;
    add_squares<<<blocks, kThreads>>>(tensors, n, aligned, start, gradient, weight, sums);
    update<<<blocks, kThreads>>>(tensors, n, aligned, Options{rate, decay, trust}, start, sums, gradient, weight,
                                 momentum, ratio);
    cudaFree(sums);
}
