// Coulomb potential on a plane: tiles of atoms come by bulk copies, two ahead.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kX = 32, kY = 4;  // threads that compute
constexpr int kEach = 4;        // points of a thread, kY rows apart
constexpr int kTile = 256;      // atoms in shared memory at a time
constexpr int kStages = 3;

// Adds what `count` atoms give at kEach points with the coordinate px and those in py.
__device__ void add(const float4* tile, int count, float px, const float (&py)[kEach], float (&sum)[kEach]) {
    for (int a = 0; a < count; ++a) {
        float4 one = tile[a];
        float dx = px - one.x, flat = dx * dx + one.z * one.z;
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            float dy = py[j] - one.y;
            sum[j] += one.w * rsqrtf(dy * dy + flat);
        }
    }
}

__device__ unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

__device__ void barrier_init(uint64_t* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

// A bulk copy: addresses and bytes are multiples of 16. The barrier's phase ends when all announced bytes have arrived.
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

__global__ void __launch_bounds__(kX * kY)
    sum_atoms(int height, int width, int atoms, float spacing, const float4* atom, float* potential) {
    __shared__ __align__(16) float4 ring[kStages][kTile];
    __shared__ uint64_t arrived[kStages];
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY * kEach + threadIdx.y;
    int tiles = (atoms + kTile - 1) / kTile;
    bool orders = threadIdx.x == 0 && threadIdx.y == 0;
    auto order = [&](int k) {
        bulk_load(ring[k % kStages], atom + (size_t)k * kTile, 16u * min(kTile, atoms - k * kTile), &arrived[k % kStages]);
    };
    if (orders) {
        for (int s = 0; s < kStages; ++s) barrier_init(&arrived[s]);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int k = 0; k < min(kStages - 1, tiles); ++k) order(k);
    }
    float px = x * spacing, py[kEach], sum[kEach] = {};
#pragma unroll
    for (int j = 0; j < kEach; ++j) py[j] = (y + j * kY) * spacing;
    for (int k = 0; k < tiles; ++k) {
        __syncthreads();  // the barriers are ready, and the tile before has been used by all
        if (orders && k + kStages - 1 < tiles) order(k + kStages - 1);
        barrier_wait(&arrived[k % kStages], k / kStages % 2);
        add(ring[k % kStages], min(kTile, atoms - k * kTile), px, py, sum);
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
        if (x < width && y + j * kY < height) potential[(size_t)(y + j * kY) * width + x] = sum[j];
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 blocks((width + kX - 1) / kX, (height + kY * kEach - 1) / (kY * kEach));
    sum_atoms<<<blocks, dim3(kX, kY)>>>(height, width, atoms, spacing, reinterpret_cast<const float4*>(atom), potential);
}
