// Softmax of each row: rows come and go by bulk copies, the threads only compute.
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

__device__ unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

// Bulk copies: addresses and bytes are multiples of 16. The barrier's phase ends when all announced bytes have arrived.
__device__ void barrier_init(uint64_t* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

__device__ void bulk_load(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

__device__ void barrier_wait(uint64_t* barrier, unsigned parity) {
    unsigned done = 0;
    while (!done) {
        asm volatile(
            "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
    }
}

__device__ void bulk_store(void* to, const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

__global__ void __launch_bounds__(kThreads) softmax(int rows, int quads, const float* in, float* out) {
    extern __shared__ __align__(16) float4 buffers[];  // two rows
    __shared__ float of_warp[kWarps];
    __shared__ uint64_t arrived[2];
    unsigned bytes = 16u * quads;
    if (threadIdx.x == 0) {
        barrier_init(&arrived[0]);
        barrier_init(&arrived[1]);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        bulk_load(buffers, reinterpret_cast<const float4*>(in) + (size_t)blockIdx.x * quads, bytes, &arrived[0]);
    }
    __syncthreads();  // the barriers are ready

    int k = 0;  // rows of this block that are done
    for (int r = blockIdx.x; r < rows; r += gridDim.x, ++k) {
        int buffer = k % 2, next = r + gridDim.x;
        if (threadIdx.x == 0 && next < rows) {
            // The other buffer's row of the turn before must have been read out before a new one comes in.
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            bulk_load(buffers + (buffer ^ 1) * quads, reinterpret_cast<const float4*>(in) + (size_t)next * quads, bytes,
                      &arrived[buffer ^ 1]);
        }
        barrier_wait(&arrived[buffer], k / 2 % 2);
        float4* row = buffers + buffer * quads;
        softmax_in_place(row, quads, of_warp);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // what was written is visible to the bulk copy
        __syncthreads();
        if (threadIdx.x == 0) bulk_store(reinterpret_cast<float4*>(out) + (size_t)r * quads, row, bytes);
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
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
