// Shared alleles: both sums as products of bytes on tensor cores.
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>

using namespace nvcuda;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kTile = 64;   // people of a group: 4 x 4 products of 16 x 16, two for each warp
constexpr int kSites = 64;  // bytes of a row in shared memory at a time
// In shared memory 16 sites of all people of the group lie together: (s / 16, person, s % 16), as the fragments want them.

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

// Writes a warp's two tiles by way of 16 x 16 numbers of its own in shared memory.
__device__ void write(const Sums (&sums)[2], int* scratch, int people, int first_i, int first_j, int32_t* out) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int c = 0; c < 2; ++c) {
        wmma::store_matrix_sync(scratch, sums[c], 16, wmma::mem_row_major);
        __syncwarp();
        for (int e = lane; e < 256; e += 32) {
            int i = first_i + warp / 2 * 16 + e / 16, j = first_j + (warp % 2 * 2 + c) * 16 + e % 16;
            if (i < people && j < people) out[(size_t)i * people + j] = scratch[e];
        }
        __syncwarp();
    }
}

// Dosages of kTile people from `first` on with 0 for what is not known, and 1 or 0 for known or not.
__device__ void stage(unsigned* clean, unsigned* known, int first, int site, int people, int sites, const unsigned* dosage) {
    for (int i = threadIdx.x; i < kTile * kSites / 4; i += kThreads) {
        int row = i / (kSites / 4), word = i % (kSites / 4);
        bool there = first + row < people && site + 4 * word < sites;
        unsigned value = there ? dosage[((size_t)(first + row) * sites + site) / 4 + word] : 0xffffffffu;
        unsigned seen = __vcmpges4(value, 0);
        int place = word / 4 * kTile * 4 + row * 4 + word % 4;
        clean[place] = value & seen;
        known[place] = seen & 0x01010101u;
    }
}

__global__ void __launch_bounds__(kThreads) compare(int people, int sites, const unsigned* dosage, int32_t* product, int32_t* both) {
    __shared__ __align__(128) unsigned left[2][kTile * kSites / 4], right[2][kTile * kSites / 4];  // clean dosages, and what is known
    __shared__ __align__(128) int scratch[kWarps][256];
    int first_i = blockIdx.y * kTile, first_j = blockIdx.x * kTile;
    Sums products[2], counts[2];
    for (int c = 0; c < 2; ++c) {
        wmma::fill_fragment(products[c], 0);
        wmma::fill_fragment(counts[c], 0);
    }
    for (int site = 0; site < sites; site += kSites) {
        stage(left[0], left[1], first_i, site, people, sites, dosage);
        stage(right[0], right[1], first_j, site, people, sites, dosage);
        __syncthreads();
        multiply(reinterpret_cast<const signed char*>(left[0]), reinterpret_cast<const signed char*>(right[0]), products);
        multiply(reinterpret_cast<const signed char*>(left[1]), reinterpret_cast<const signed char*>(right[1]), counts);
        __syncthreads();
    }
    write(products, scratch[threadIdx.x / 32], people, first_i, first_j, product);
    write(counts, scratch[threadIdx.x / 32], people, first_i, first_j, both);
}

extern "C" void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    int tiles = (people + kTile - 1) / kTile;
    compare<<<dim3(tiles, tiles), kThreads>>>(people, sites, reinterpret_cast<const unsigned*>(dosage), product, both);
}
