// Poisson's equation by sine transforms: modes lie where the potential will, so that nothing is allocated. A block has read its rows before it writes.
#include <cuda_runtime.h>

constexpr int kThreads = 512, kRows = 4;  // of a block that sums rows

// Sums of four rows, from `first` on, by the threads of a block. The sine of mode k is even about the middle where k is even, odd where k
// is odd: rows are folded into sums and differences of their ends, and half as many terms are left.
__device__ void sum_rows(int rows, int n, int first, const float* sine_here, float4* folded, const float* in, float scale, float* out) {
    const int half = n / 2;
    for (int j = threadIdx.x; j <= half; j += kThreads) {
        float sum[kRows] = {}, difference[kRows] = {};
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            if (first + r >= rows || 2 * j == n) continue;
            const float* row = in + (size_t)(first + r) * n;
            const float a = row[j], b = j < half ? row[n - 1 - j] : 0.0f;  // the middle one, if there is one, has no partner
            sum[r] = a + b;
            difference[r] = a - b;
        }
        folded[j] = {sum[0], sum[1], sum[2], sum[3]};
        folded[half + 1 + j] = {difference[0], difference[1], difference[2], difference[3]};
    }
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += kThreads) {
        const float4* part = folded + (k % 2) * (half + 1);
        float sum[kRows] = {};
        int angle = k + 1;
        for (int j = 0; j < half + (k + 1) % 2; ++j) {  // the middle one counts for even modes only
            const float4 four = part[j];
            const float sine = sine_here[angle];
            sum[0] += four.x * sine;
            sum[1] += four.y * sine;
            sum[2] += four.z * sine;
            sum[3] += four.w * sine;
            angle += k + 1;
            if (angle >= 2 * n + 2) angle -= 2 * n + 2;
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            if (first + r < rows) out[(size_t)(first + r) * n + k] = scale * sum[r];
    }
}

__device__ void fill_sines(int n, float* sine_here) {
    for (int i = threadIdx.x; i < 2 * n + 2; i += kThreads) sine_here[i] = sinpif((float)i / (n + 1));
}

__global__ void sum_sines(int rows, int n, const float* in, float scale, float* out) {
    extern __shared__ float4 folded[];  // two halves of n / 2 + 1, then the table of sines
    float* sine_here = reinterpret_cast<float*>(folded + 2 * (n / 2 + 1));
    fill_sines(n, sine_here);
    sum_rows(rows, n, blockIdx.x * kRows, sine_here, folded, in, scale, out);
}

constexpr int kMostRows = 512;

// A block solves a column by cyclic reduction in parallel: each round joins an equation with those a distance away, which doubles.
__global__ void __launch_bounds__(kMostRows) solve_columns(int rows, int n, float* mode) {
    __shared__ float lower[kMostRows], upper[kMostRows], right[kMostRows];  // of an equation whose middle coefficient is 1
    const int k = blockIdx.x, y = threadIdx.x;
    const float inverse = 1.0 / (4.0 - 2.0 * cospi((k + 1.0) / (n + 1)));
    if (y < rows) {
        lower[y] = y > 0 ? -inverse : 0.0f;
        upper[y] = y + 1 < rows ? -inverse : 0.0f;
        right[y] = inverse * mode[(size_t)y * n + k];
    }
    for (int step = 1; step < rows; step *= 2) {
        __syncthreads();
        float a = 0.0f, c = 0.0f, d = 0.0f;
        if (y < rows) {
            const bool up = y >= step, down = y + step < rows;
            const float l = lower[y], u = upper[y];
            const float middle = 1.0f - (up ? l * upper[y - step] : 0.0f) - (down ? u * lower[y + step] : 0.0f), scale = 1.0f / middle;
            a = up ? -scale * l * lower[y - step] : 0.0f;
            c = down ? -scale * u * upper[y + step] : 0.0f;
            d = scale * (right[y] - (up ? l * right[y - step] : 0.0f) - (down ? u * right[y + step] : 0.0f));
        }
        __syncthreads();
        if (y < rows) {
            lower[y] = a;
            upper[y] = c;
            right[y] = d;
        }
    }
    if (y < rows) mode[(size_t)y * n + k] = right[y];
}

extern "C" void sine_poisson(int rows, int n, const float* source, float* potential) {
    const size_t shared = 2 * (n / 2 + 1) * sizeof(float4) + (2 * n + 2) * sizeof(float);
    const int blocks = (rows - 1) / kRows + 1;
    sum_sines<<<blocks, kThreads, shared>>>(rows, n, source, 1.0f, potential);
    solve_columns<<<n, (rows + 31) / 32 * 32>>>(rows, n, potential);
    sum_sines<<<blocks, kThreads, shared>>>(rows, n, potential, 2.0f / (n + 1), potential);
}
