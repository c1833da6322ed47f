// Splines: the elimination of the matrix is done once for all curves; tiles of 32 curves and 32 knots go through shared memory.
#include <cuda_runtime.h>

constexpr int kTile = 32;

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
    __shared__ float tile[kTile][kTile + 1];  // [curve][knot]
    int lane = threadIdx.x, first = blockIdx.x * kTile, height = min(kTile, curves - first);
    const float* v = y + (size_t)first * n;
    float* out = m + (size_t)first * n;

    float before = 0.0f, here = 0.0f, slope = 0.0f;  // the slope's numerator, y[i] - y[i - 1]
    for (int i0 = 0; i0 < n; i0 += kTile) {
        int width = min(kTile, n - i0);
        for (int r = 0; r < height; ++r)
            if (lane < width) tile[r][lane] = v[(size_t)r * n + i0 + lane];
        __syncwarp();
        // Knot i is finished when y[i + 1] arrives, so what leaves the tile lags one behind and the first knot gives nothing.
        for (int j = 0; j < width; ++j) {
            int i = i0 + j - 1;
            float next = lane < height ? tile[lane][j] : 0.0f, rise = next - here;
            if (i > 0) {
                Knot k = knots[i];
                before = k.right * rise - k.left * slope - k.below * before;
            }
            if (lane < height) tile[lane][j] = before;
            slope = rise, here = next;
        }
        __syncwarp();
        for (int r = 0; r < height; ++r)
            if (lane < width && i0 + lane > 0) out[(size_t)r * n + i0 + lane - 1] = tile[r][lane];
        __syncwarp();
    }

    float after = 0.0f;
    for (int i0 = (n - 1) / kTile * kTile; i0 >= 0; i0 -= kTile) {
        int width = min(kTile, n - i0);
        for (int r = 0; r < height; ++r)
            if (lane < width) tile[r][lane] = i0 + lane < n - 1 ? out[(size_t)r * n + i0 + lane] : 0.0f;
        __syncwarp();
        for (int j = width - 1; j >= 0; --j) {
            int i = i0 + j;
            bool inside = i > 0 && i < n - 1;
            if (lane < height) after = inside ? tile[lane][j] - knots[i].upper * after : 0.0f;
            if (lane < height) tile[lane][j] = after;
        }
        __syncwarp();
        for (int r = 0; r < height; ++r)
            if (lane < width) out[(size_t)r * n + i0 + lane] = tile[r][lane];
        __syncwarp();
    }
}

extern "C" void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    Knot* knots = nullptr;
    cudaMalloc(&knots, n * sizeof(Knot));
    factorise<<<1, 1>>>(n, gap, knots);
    solve<<<(curves + kTile - 1) / kTile, kTile>>>(curves, n, knots, y, m);
    cudaFree(knots);
}
