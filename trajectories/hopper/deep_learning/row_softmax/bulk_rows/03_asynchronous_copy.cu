// Softmax of each row: resident blocks walk over the rows, the next one on its way by cp.async.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cstdint>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kResident = 24 * 1024;  // floats of a row that are kept: 96 KiB, twice in a block

__device__ float warp_max(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
    return v;
}

__device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

// The largest value and the sum over the block, in every thread. `of_warp` has one entry for each warp and is free again afterwards.
__device__ float block_max(float v, float* of_warp) {
    v = warp_max(v);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warp[0];
    for (int w = 1; w < kWarps; ++w) v = fmaxf(v, of_warp[w]);
    __syncthreads();
    return v;
}

__device__ float block_sum(float v, float* of_warp) {
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warp[0];
    for (int w = 1; w < kWarps; ++w) v += of_warp[w];
    __syncthreads();
    return v;
}

// Turns a row in shared memory into its softmax; `quads` float4 of it. Every thread has the same quads in all loops.
__device__ void softmax_in_place(float4* row, int quads, float* of_warp) {
    float largest = -FLT_MAX, sum = 0.0f;
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = row[q];
        largest = fmaxf(largest, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    largest = block_max(largest, of_warp);
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = row[q];
        v = {__expf(v.x - largest), __expf(v.y - largest), __expf(v.z - largest), __expf(v.w - largest)};
        row[q] = v;
        sum += v.x + v.y + v.z + v.w;
    }
    float scale = 1.0f / block_sum(sum, of_warp);
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = row[q];
        row[q] = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
    }
}

// For rows that do not begin on 16 bytes or do not fit: as before, one block for a row, from memory.
__global__ void __launch_bounds__(kThreads) softmax_of_any(int cols, const float* in, float* out) {
    __shared__ float of_warp[kWarps];
    const float* x = in + (size_t)blockIdx.x * cols;
    float* y = out + (size_t)blockIdx.x * cols;
    float largest = -FLT_MAX, sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, x[c]);
    largest = block_max(largest, of_warp);
    for (int c = threadIdx.x; c < cols; c += kThreads) sum += __expf(x[c] - largest);
    float scale = 1.0f / block_sum(sum, of_warp);
    for (int c = threadIdx.x; c < cols; c += kThreads) y[c] = __expf(x[c] - largest) * scale;
}

__global__ void __launch_bounds__(kThreads) softmax(int rows, int quads, const float* in, float* out) {
    extern __shared__ float4 buffers[];  // two rows
    __shared__ float of_warp[kWarps];
    // Every thread copies the quads that it works on, so it waits for its own copies alone. A batch is committed for each row, or for none.
    auto order = [&](int r, int buffer) {
        if (r < rows) {
            const float4* x = reinterpret_cast<const float4*>(in) + (size_t)r * quads;
            for (int q = threadIdx.x; q < quads; q += kThreads) __pipeline_memcpy_async(&buffers[buffer * quads + q], &x[q], 16);
        }
        __pipeline_commit();
    };
    order(blockIdx.x, 0);
    int buffer = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x, buffer ^= 1) {
        order(r + gridDim.x, buffer ^ 1);
        __pipeline_wait_prior(1);
        float4* row = buffers + buffer * quads;
        softmax_in_place(row, quads, of_warp);
        float4* y = reinterpret_cast<float4*>(out) + (size_t)r * quads;
        for (int q = threadIdx.x; q < quads; q += kThreads) y[q] = row[q];
    }
    __pipeline_wait_prior(0);
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    bool aligned = cols % 4 == 0 && (reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    if (!aligned || cols > kResident) {
        softmax_of_any<<<rows, kThreads>>>(cols, in, out);
        return;
    }
    int bytes = 2 * cols * (int)sizeof(float), device = 0, processors = 1, resident = 1;
    cudaFuncSetAttribute(softmax, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, softmax, kThreads, bytes);
    int blocks = rows < processors * resident ? rows : processors * resident;
    softmax<<<blocks, kThreads, bytes>>>(rows, cols / 4, in, out);
}
