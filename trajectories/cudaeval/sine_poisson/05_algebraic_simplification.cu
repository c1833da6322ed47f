// Poisson's equation by sine transforms: rows are folded in the middle, with half as many terms for each mode.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// Sums of one row by the threads of a block. The sine of mode k is even about the middle where k is even, odd where k is odd: the row is
// folded into sums and differences of its ends, and half as many terms are left.
__device__ void sum_row(int n, const float* sine_here, float* row, const float* in, float scale, float* out) {
    const int half = n / 2;
    for (int j = threadIdx.x; j < half; j += kThreads) {
        const float a = in[j], b = in[n - 1 - j];
        row[j] = a + b;
        row[half + 1 + j] = a - b;
    }
    if (threadIdx.x == 0) row[half] = n % 2 ? in[half] : 0.0f;  // the middle one, if there is one
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += kThreads) {
        const float* part = row + (k % 2) * (half + 1);
        float sum = 0.0f;
        int angle = k + 1;
        for (int j = 0; j < half; ++j) {
            sum += part[j] * sine_here[angle];
            angle += k + 1;
            if (angle >= 2 * n + 2) angle -= 2 * n + 2;
        }
        if (k % 2 == 0) sum += row[half] * sine_here[angle];
        out[k] = scale * sum;
    }
}

__device__ void fill_sines(int n, float* sine_here) {
    for (int i = threadIdx.x; i < 2 * n + 2; i += kThreads) sine_here[i] = sinpif((float)i / (n + 1));
}

__global__ void sum_sines(int n, const float* in, float scale, float* out) {
    extern __shared__ float shared[];
    fill_sines(n, shared);
    sum_row(n, shared, shared + 2 * n + 2, in + (size_t)blockIdx.x * n, scale, out + (size_t)blockIdx.x * n);
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
    const size_t cells = (size_t)rows * n;
    const size_t shared = (3 * n + 4) * sizeof(float);
    float* mode = nullptr;
    cudaMalloc(&mode, cells * sizeof(float));
    sum_sines<<<rows, kThreads, shared>>>(n, source, 1.0f, mode);
    solve_columns<<<n, (rows + 31) / 32 * 32>>>(rows, n, mode);
    sum_sines<<<rows, kThreads, shared>>>(n, mode, 2.0f / (n + 1), potential);
    cudaFree(mode);
}
