// Late-interaction scores: products of 16 x 16 tokens by tensor cores.
#include <cuda_fp16.h>
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

// Copies `rows` rows of `dim` halves to rows of `depth` halves, `pitch` apart; what is missing up to `all` rows and `depth` becomes 0.
__device__ void stage(__half* to, const __half* from, int rows, int all, int dim, int depth, int pitch) {
    for (int i = threadIdx.x; i < all * depth; i += kThreads) {
        int row = i / depth, k = i % depth;
        to[row * pitch + k] = row < rows && k < dim ? from[(size_t)row * dim + k] : __float2half(0.0f);
    }
}

__global__ void __launch_bounds__(kThreads)
    rerank(int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    extern __shared__ __align__(128) __half staged[];
    __shared__ __align__(128) float product[kWarps][16 * kPitch];
    __shared__ float best[kTile / 16][kMostQueries];
    int query_tiles = (query_tokens + 15) / 16, depth = (dim + 15) / 16 * 16, pitch = depth + kPad;
    __half *queries = staged, *tile = staged + query_tiles * 16 * pitch;
    const __half* tokens = doc + (size_t)blockIdx.x * doc_tokens * dim;
    stage(queries, query, query_tokens, query_tiles * 16, dim, depth, pitch);
    for (int i = threadIdx.x; i < kTile / 16 * kMostQueries; i += kThreads) best[i / kMostQueries][i % kMostQueries] = -FLT_MAX;

    for (int first = 0; first < doc_tokens; first += kTile) {
        int size = min(kTile, doc_tokens - first);
        __syncthreads();  // the tile before has been used
        stage(tile, tokens + (size_t)first * dim, size, kTile, dim, depth, pitch);
        __syncthreads();
        match_tile(size, query_tiles, depth, pitch, queries, tile, product, best);
    }
    __syncthreads();
    if (threadIdx.x == 0) score[blockIdx.x] = sum_of_best(query_tokens, best);
}

extern "C" void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    int rows = (query_tokens + 15) / 16 * 16 + kTile, pitch = (dim + 15) / 16 * 16 + kPad;
    int bytes = rows * pitch * (int)sizeof(__half);
    cudaFuncSetAttribute(rerank, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    rerank<<<docs, kThreads, bytes>>>(doc_tokens, query_tokens, dim, query, doc, score);
}
