// Late-interaction scores: tensor cores on one tile while cp.async brings in the next, of the next document where one ends.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cfloat>
#include <cstdint>

using namespace nvcuda;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMostQueries = 64;
constexpr int kTile = 64;  // tokens of the document
constexpr int kPad = 8;    // halves between rows: 16 bytes, so that eight rows start in different banks
constexpr int kStages = 2;
constexpr int kPitch = 20; // floats of a row of a 16 x 16 product that is looked through

// Products of all tokens of the query with the tokens of one tile; best[c][q] is the largest so far in column tiles c of the tiles.
// A warp always has the same entries of best.
__device__ void match_tile(int size, int query_tiles, int depth, int pitch, const __half* queries, const __half* tile,
                           float (*product)[16 * kPitch], float (*best)[kMostQueries]) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int job = warp; job < query_tiles * (kTile / 16); job += kWarps) {
        int column = job % (kTile / 16), row = job / (kTile / 16);
        if (column * 16 >= size) continue;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
        wmma::fill_fragment(sums, 0.0f);
        for (int k = 0; k < depth; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
            wmma::load_matrix_sync(a, queries + row * 16 * pitch + k, pitch);
            wmma::load_matrix_sync(b, tile + column * 16 * pitch + k, pitch);
            wmma::mma_sync(sums, a, b, sums);
        }
        wmma::store_matrix_sync(product[warp], sums, kPitch, wmma::mem_row_major);
        __syncwarp();
        // Lanes 0 to 15 look through the first eight columns of their row, lanes 16 to 31 through the others.
        int q = lane % 16, begin = lane / 16 * 8, end = min(begin + 8, size - column * 16);
        float largest = -FLT_MAX;
        for (int c = begin; c < end; ++c) largest = fmaxf(largest, product[warp][q * kPitch + c]);
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 16));
        if (lane < 16) best[column][row * 16 + q] = fmaxf(best[column][row * 16 + q], largest);
        __syncwarp();
    }
}

__device__ float sum_of_best(int query_tokens, float (*best)[kMostQueries]) {
    float sum = 0.0f;
    for (int q = 0; q < query_tokens; ++q) sum += fmaxf(fmaxf(best[0][q], best[1][q]), fmaxf(best[2][q], best[3][q]));
    return sum;
}

// Orders the copy of `rows` rows of `dim` halves to rows of `depth` halves, `pitch` apart, in pieces of 16 bytes; what is missing up to
// `all` rows and `depth` becomes 0. The arrays begin on 16 bytes, and rows have whole pieces.
__device__ void order(__half* to, const __half* from, int rows, int all, int dim, int depth, int pitch) {
    int pieces = depth / 8;
    for (int i = threadIdx.x; i < all * pieces; i += kThreads) {
        int row = i / pieces, k = i % pieces * 8;
        bool there = row < rows && k < dim;
        __pipeline_memcpy_async(to + row * pitch + k, there ? from + (size_t)row * dim + k : from, 16, there ? 0 : 16);
    }
}

__global__ void __launch_bounds__(kThreads)
    rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    extern __shared__ __align__(128) __half staged[];
    __shared__ __align__(128) float product[kWarps][16 * kPitch];
    __shared__ float best[kTile / 16][kMostQueries];
    int query_tiles = (query_tokens + 15) / 16, depth = (dim + 15) / 16 * 16, pitch = depth + kPad;
    __half *queries = staged, *ring = staged + query_tiles * 16 * pitch;
    int tiles = (doc_tokens + kTile - 1) / kTile, own = (docs - (int)blockIdx.x - 1) / (int)gridDim.x + 1;  // documents of this block

    // Job j is tile j % tiles of the block's document j / tiles. A batch is committed for each job, also for those past the end.
    auto order_job = [&](int j) {
        if (j < own * tiles) {
            size_t first = ((size_t)blockIdx.x + (size_t)(j / tiles) * gridDim.x) * doc_tokens + j % tiles * kTile;
            int size = min(kTile, doc_tokens - j % tiles * kTile);
            order(ring + j % kStages * kTile * pitch, doc + first * dim, size, kTile, dim, depth, pitch);
        }
        __pipeline_commit();
    };
    order(queries, query, query_tokens, query_tiles * 16, dim, depth, pitch);
    for (int j = 0; j < kStages - 1; ++j) order_job(j);  // the query belongs to the first batch
    for (int i = threadIdx.x; i < kTile / 16 * kMostQueries; i += kThreads) best[i / kMostQueries][i % kMostQueries] = -FLT_MAX;

    for (int j = 0; j < own * tiles; ++j) {
        order_job(j + kStages - 1);
        __pipeline_wait_prior(kStages - 1);  // batch j has arrived
        __syncthreads();
        int size = min(kTile, doc_tokens - j % tiles * kTile);
        match_tile(size, query_tiles, depth, pitch, queries, ring + j % kStages * kTile * pitch, product, best);
        __syncthreads();  // the tile may be overwritten, and best is complete
        if (j % tiles < tiles - 1) continue;
        if (threadIdx.x == 0) score[blockIdx.x + j / tiles * gridDim.x] = sum_of_best(query_tokens, best);
        __syncthreads();
        for (int i = threadIdx.x; i < kTile / 16 * kMostQueries; i += kThreads) best[i / kMostQueries][i % kMostQueries] = -FLT_MAX;
    }
    __pipeline_wait_prior(0);
}

extern "C" void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    int rows = (query_tokens + 15) / 16 * 16 + kStages * kTile, pitch = (dim + 15) / 16 * 16 + kPad;
    int bytes = rows * pitch * (int)sizeof(__half);
    cudaFuncSetAttribute(rerank, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    int device = 0, processors = 1, resident = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, rerank, kThreads, bytes);
    int blocks = docs < processors * resident ? docs : processors * resident;
    rerank<<<blocks, kThreads, bytes>>>(docs, doc_tokens, query_tokens, dim, query, doc, score);
}
