// Shared alleles: cleaned bytes are prepared once and brought in by cp.async, three steps deep.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>

using namespace nvcuda;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kTile = 64;   // people of a group: 4 x 4 products of 16 x 16, two for each warp
constexpr int kSites = 64;  // bytes of a row in shared memory at a time
constexpr int kStages = 3;
// In shared memory 16 sites of all people of the group lie together: (s / 16, person, s % 16), as the fragments want them.
constexpr int kGroup = kTile * kSites;  // bytes of one group of people

using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, int>;

// Adds the products of one step to a warp's two tiles: row tile warp / 2, column tiles warp % 2 * 2 and the next.
__device__ void multiply(const signed char* left, const signed char* right, Sums (&sums)[2]) {
    int warp = threadIdx.x / 32;
    for (int s = 0; s < kSites; s += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
        wmma::load_matrix_sync(a, left + s * kTile + warp / 2 * 256, 16);
#pragma unroll
        for (int c = 0; c < 2; ++c) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
            wmma::load_matrix_sync(b, right + s * kTile + (warp % 2 * 2 + c) * 256, 16);
            wmma::mma_sync(sums[c], a, b, sums[c]);
        }
    }
}

// Writes a warp's two tiles by way of 16 x 16 numbers of its own in shared memory, to (i, j) and, off the diagonal, to (j, i).
__device__ void write(const Sums (&sums)[2], int* scratch, int people, int first_i, int first_j, int32_t* out) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int c = 0; c < 2; ++c) {
        wmma::store_matrix_sync(scratch, sums[c], 16, wmma::mem_row_major);
        __syncwarp();
        for (int e = lane; e < 256; e += 32) {
            int i = first_i + warp / 2 * 16 + e / 16, j = first_j + (warp % 2 * 2 + c) * 16 + e % 16;
            if (i < people && j < people) out[(size_t)i * people + j] = scratch[e];
        }
        for (int e = lane; first_i != first_j && e < 256; e += 32) {
            int i = first_i + warp / 2 * 16 + e % 16, j = first_j + (warp % 2 * 2 + c) * 16 + e / 16;
            if (i < people && j < people) out[(size_t)j * people + i] = scratch[e % 16 * 16 + e / 16];
        }
        __syncwarp();
    }
}

__global__ void prepare(size_t words, const unsigned* dosage, unsigned* clean, unsigned* known) {
    size_t w = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (w >= words) return;
    unsigned value = dosage[w], seen = __vcmpges4(value, 0);
    clean[w] = value & seen;
    known[w] = seen & 0x01010101u;
}

// Orders the copy of kTile rows of kSites bytes in pieces of 16; rows and sites that are not there become 0. sites is a multiple of 16.
__device__ void order(signed char* to, const signed char* from, int first, int site, int people, int sites) {
    for (int i = threadIdx.x; i < kTile * kSites / 16; i += kThreads) {
        int row = i / (kSites / 16), s = i % (kSites / 16) * 16;
        bool there = first + row < people && site + s < sites;
        const signed char* source = there ? from + (size_t)(first + row) * sites + site + s : from;
        __pipeline_memcpy_async(to + s * kTile + row * 16, source, 16, there ? 0 : 16);
    }
}

__global__ void __launch_bounds__(kThreads)
    compare(int people, int sites, const signed char* clean, const signed char* known, int32_t* product, int32_t* both) {
    extern __shared__ __align__(128) signed char ring[];  // kStages times: clean left, clean right, known left, known right
    __shared__ __align__(128) int scratch[kWarps][256];
    // Block b of the triangle is row t, column b - t * (t + 1) / 2 of the tiles.
    int b = blockIdx.x, t = (int)((sqrtf(8.0f * b + 1.0f) - 1.0f) / 2.0f);
    while ((t + 1) * (t + 2) / 2 <= b) ++t;  // whatever the root was rounded to
    while (t * (t + 1) / 2 > b) --t;
    int first_i = t * kTile, first_j = (b - t * (t + 1) / 2) * kTile, steps = (sites + kSites - 1) / kSites;

    // A batch is committed for each step, also for those past the end.
    auto order_step = [&](int step) {
        if (step < steps) {
            signed char* place = ring + step % kStages * 4 * kGroup;
            order(place, clean, first_i, step * kSites, people, sites);
            order(place + kGroup, clean, first_j, step * kSites, people, sites);
            order(place + 2 * kGroup, known, first_i, step * kSites, people, sites);
            order(place + 3 * kGroup, known, first_j, step * kSites, people, sites);
        }
        __pipeline_commit();
    };
    Sums products[2], counts[2];
    for (int c = 0; c < 2; ++c) {
        wmma::fill_fragment(products[c], 0);
        wmma::fill_fragment(counts[c], 0);
    }
    for (int step = 0; step < kStages - 1; ++step) order_step(step);
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(kStages - 2);  // this step's batch has arrived
        __syncthreads();                     // for all threads, and the place of the step before has been read
        order_step(step + kStages - 1);
        const signed char* place = ring + step % kStages * 4 * kGroup;
        multiply(place, place + kGroup, products);
        multiply(place + 2 * kGroup, place + 3 * kGroup, counts);
    }
    __pipeline_wait_prior(0);
    write(products, scratch[threadIdx.x / 32], people, first_i, first_j, product);
    write(counts, scratch[threadIdx.x / 32], people, first_i, first_j, both);
}

extern "C" void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    size_t bytes = (size_t)people * sites;  // a multiple of 16
    signed char* prepared = nullptr;
    cudaMalloc(&prepared, 2 * bytes);
    prepare<<<(unsigned)((bytes / 4 + kThreads - 1) / kThreads), kThreads>>>(
        bytes / 4, reinterpret_cast<const unsigned*>(dosage), reinterpret_cast<unsigned*>(prepared),
        reinterpret_cast<unsigned*>(prepared + bytes));
    int tiles = (people + kTile - 1) / kTile, ring_bytes = kStages * 4 * kGroup;
    cudaFuncSetAttribute(compare, cudaFuncAttributeMaxDynamicSharedMemorySize, ring_bytes);
    compare<<<tiles * (tiles + 1) / 2, kThreads, ring_bytes>>>(people, sites, prepared, prepared + bytes, product, both);
    cudaFree(prepared);
}
