// Poisson's equation by sine transforms: both transforms and the systems in one launch with barriers of the grid.
#include <cooperative_groups.h>
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

constexpr int kColumns = 8;

struct Equation {
    float lower, upper, right;  // its middle coefficient is 1
};

// Joins equation y with those `step` above and below.
__device__ Equation join(int rows, int y, int step, const Equation* column) {
    const Equation none = {0.0f, 0.0f, 0.0f}, own = column[y * kColumns];
    const Equation above = y >= step ? column[(y - step) * kColumns] : none, below = y + step < rows ? column[(y + step) * kColumns] : none;
    const float scale = 1.0f / (1.0f - own.lower * above.upper - own.upper * below.lower);
    return {-scale * own.lower * above.lower, -scale * own.upper * below.upper,
            scale * (own.right - own.lower * above.right - own.upper * below.right)};
}

// Eight columns side by side, so that loads take whole sectors, solved by cyclic reduction in parallel.
__device__ void solve_eight(int rows, int n, int first, Equation* now, Equation* next, float* mode) {
    for (int i = threadIdx.x; i < rows * kColumns; i += blockDim.x) {
        const int y = i / kColumns, k = first + i % kColumns;
        const float inverse = 1.0f / (4.0f - 2.0f * cospif((k + 1.0f) / (n + 1)));
        const float value = k < n ? mode[(size_t)y * n + k] : 0.0f;
        now[i] = {y > 0 ? -inverse : 0.0f, y + 1 < rows ? -inverse : 0.0f, inverse * value};
    }
    for (int step = 1; step < rows; step *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < rows * kColumns; i += blockDim.x) next[i] = join(rows, i / kColumns, step, now + i % kColumns);
        Equation* swap = now;
        now = next;
        next = swap;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < rows * kColumns; i += blockDim.x) {
        const int k = first + i % kColumns;
        if (k < n) mode[(size_t)(i / kColumns) * n + k] = now[i].right;
    }
}

// The three phases in one launch; the whole grid waits between them. The table of sines is made once a block.
__global__ void __launch_bounds__(kThreads) solve(int rows, int n, const float* source, float* mode, float* potential) {
    extern __shared__ float shared[];
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    float *sine = shared, *work = shared + 2 * n + 2;
    fill_sines(n, sine);
    for (int y = blockIdx.x; y < rows; y += gridDim.x) {
        __syncthreads();
        sum_row(n, sine, work, source + (size_t)y * n, 1.0f, mode + (size_t)y * n);
    }
    grid.sync();
    Equation* now = reinterpret_cast<Equation*>(work);
    for (int k = blockIdx.x * kColumns; k < n; k += gridDim.x * kColumns) {
        __syncthreads();
        solve_eight(rows, n, k, now, now + rows * kColumns, mode);
    }
    grid.sync();
    for (int y = blockIdx.x; y < rows; y += gridDim.x) {
        __syncthreads();
        sum_row(n, sine, work, mode + (size_t)y * n, 2.0f / (n + 1), potential + (size_t)y * n);
    }
}

extern "C" void sine_poisson(int rows, int n, const float* source, float* potential) {
    const size_t cells = (size_t)rows * n;
    float* mode = nullptr;
    cudaMalloc(&mode, cells * sizeof(float));
    const int work = n + 2 > 2 * rows * kColumns * 3 ? n + 2 : 2 * rows * kColumns * 3, bytes = (2 * n + 2 + work) * (int)sizeof(float);
    cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve, kThreads, bytes);
    const int blocks = rows < processors * resident ? rows : processors * resident;
    void* args[] = {&rows, &n, &source, &mode, &potential};
    cudaLaunchCooperativeKernel((void*)solve, dim3(blocks), dim3(kThreads), args, bytes, 0);
    cudaFree(mode);
}
