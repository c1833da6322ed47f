// Splines: a warp for each curve; both sweeps are first-order recurrences, scanned 32 knots at a time.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // curves of a block

// What the elimination of one knot needs; the same for every curve, because the knots are.
struct Knot {
    float left, right;  // the right-hand side over the pivot is right * (y[i+1] - y[i]) - left * (y[i] - y[i-1])
    float below;        // factor of the value before, going forward
    float upper;        // factor of the value after, going back
};

__global__ void factorise(int n, const float* gap, Knot* knots) {
    float factor = 0.0f;
    for (int i = 1; i < n - 1; ++i) {
        float inverse = 1.0f / (2.0f * (gap[i - 1] + gap[i]) - gap[i - 1] * factor);
        factor = gap[i] * inverse;
        knots[i] = {6.0f * inverse / gap[i - 1], 6.0f * inverse / gap[i], gap[i - 1] * inverse, factor};
    }
}

// Inclusive scan of the maps z -> a z + b in lane order; afterwards lane l holds the composition of lanes 0 to l.
__device__ void scan_maps(float& a, float& b, int lane) {
    for (int distance = 1; distance < 32; distance *= 2) {
        float a0 = __shfl_up_sync(0xffffffffu, a, distance), b0 = __shfl_up_sync(0xffffffffu, b, distance);
        if (lane >= distance) b += a * b0, a *= a0;
    }
}

__global__ void solve(int curves, int n, const Knot* knots, const float* y, float* m) {
    int c = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (c >= curves) return;  // a whole warp
    const float* v = y + (size_t)c * n;
    float* out = m + (size_t)c * n;
    float carry = 0.0f;
    for (int i0 = 0; i0 < n; i0 += 32) {
        int i = i0 + lane;
        float a = 0.0f, b = 0.0f;  // the value at both ends is zero whatever came before
        if (i > 0 && i < n - 1) {
            Knot k = knots[i];
            a = -k.below, b = k.right * (v[i + 1] - v[i]) - k.left * (v[i] - v[i - 1]);
        }
        scan_maps(a, b, lane);
        float value = a * carry + b;
        if (i < n) out[i] = value;
        carry = __shfl_sync(0xffffffffu, value, 31);
    }
    __syncwarp();  // the lanes read each other's values on the way back
    carry = 0.0f;
    for (int i0 = (n - 1) / 32 * 32; i0 >= 0; i0 -= 32) {  // downwards: lane 0 takes the last knot of the stretch
        int i = i0 + 31 - lane;
        float a = 0.0f, b = 0.0f;
        if (i > 0 && i < n - 1) a = -knots[i].upper, b = out[i];
        scan_maps(a, b, lane);
        float value = a * carry + b;
        if (i < n) out[i] = value;
        carry = __shfl_sync(0xffffffffu, value, 31);
    }
}

extern "C" void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    Knot* knots = nullptr;
    cudaMalloc(&knots, n * sizeof(Knot));
    factorise<<<1, 1>>>(n, gap, knots);
    solve<<<(curves + kWarps - 1) / kWarps, kWarps * 32>>>(curves, n, knots, y, m);
    cudaFree(knots);
}
