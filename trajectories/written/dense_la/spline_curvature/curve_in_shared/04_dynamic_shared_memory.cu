// Splines: the elimination of the matrix is done once for all curves; 32 whole curves wait in shared memory between the two
// sweeps.
#include <cuda_runtime.h>

constexpr int kCurves = 32;  // of a block: up to 131 KB for 1024 knots
constexpr int kWarps = 4;

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

__global__ void solve(int curves, int n, const Knot* knots, const float* y, float* m) {
    extern __shared__ float rows[];  // [curve][pitch], an odd pitch, so that lanes on one knot meet different banks
    int pitch = n | 1, first = blockIdx.x * kCurves, height = min(kCurves, curves - first);
    for (int r = threadIdx.y; r < height; r += kWarps)
        for (int i = threadIdx.x; i < n; i += 32) rows[r * pitch + i] = y[(size_t)(first + r) * n + i];
    __syncthreads();

    if (threadIdx.y == 0 && threadIdx.x < height) {  // one warp sweeps, the others only move data
        float* v = rows + threadIdx.x * pitch;
        float before = 0.0f, here = v[1], slope = v[1] - v[0];
        v[0] = 0.0f;
        for (int i = 1; i < n - 1; ++i) {
            Knot k = knots[i];
            float next = v[i + 1], rise = next - here;
            before = k.right * rise - k.left * slope - k.below * before;
            v[i] = before;
            slope = rise, here = next;
        }
        float after = 0.0f;
        v[n - 1] = 0.0f;
        for (int i = n - 2; i > 0; --i) {
            after = v[i] - knots[i].upper * after;
            v[i] = after;
        }
    }
    __syncthreads();
    for (int r = threadIdx.y; r < height; r += kWarps)
        for (int i = threadIdx.x; i < n; i += 32) m[(size_t)(first + r) * n + i] = rows[r * pitch + i];
}

extern "C" void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    Knot* knots = nullptr;
    cudaMalloc(&knots, n * sizeof(Knot));
    factorise<<<1, 1>>>(n, gap, knots);
    size_t bytes = (size_t)kCurves * (n | 1) * sizeof(float);
    cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    solve<<<(curves + kCurves - 1) / kCurves, dim3(32, kWarps), bytes>>>(curves, n, knots, y, m);
    cudaFree(knots);
}
