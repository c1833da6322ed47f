// Document scores: warps take short documents at once and put long ones, in pieces, on a list for a second kernel.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPiece = 1024;  // entries; longer documents are cut

struct Piece {
    int document, begin, end;
};

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// Match and square of entries begin to end - 1, right in lane 0.
__device__ float2 add_up(int begin, int end, const int* term, const uint8_t* count, const float* idf, const float* query) {
    float match = 0.0f, square = 0.0f;
    for (int k = begin + (int)threadIdx.x % 32; k < end; k += 32) {
        float weight = (1.0f + logf((float)count[k])) * idf[term[k]];
        match += weight * query[term[k]];
        square += weight * weight;
    }
    return make_float2(warp_sum(match), warp_sum(square));
}

__device__ float score_of(float2 sum) { return sum.y > 0.0f ? sum.x / sqrtf(sum.y) : 0.0f; }

__global__ void short_documents(int docs, const int* first, const int* term, const uint8_t* count, const float* idf, const float* query,
                                float* score, float2* sums, Piece* pieces, int* waiting) {
    int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= docs) return;  // a whole warp
    int begin = first[d], end = first[d + 1];
    if (end - begin <= kPiece) {
        float2 sum = add_up(begin, end, term, count, idf, query);
        if (lane == 0) score[d] = score_of(sum);
        return;
    }
    int parts = (end - begin + kPiece - 1) / kPiece, place = 0;
    if (lane == 0) {
        sums[d] = make_float2(0.0f, 0.0f);
        place = atomicAdd(waiting, parts);
    }
    place = __shfl_sync(0xffffffffu, place, 0);
    for (int p = lane; p < parts; p += 32) pieces[place + p] = {d, begin + p * kPiece, min(begin + (p + 1) * kPiece, end)};
}

__global__ void long_pieces(const int* term, const uint8_t* count, const float* idf, const float* query, float2* sums, const Piece* pieces,
                            const int* waiting) {
    int warps = gridDim.x * blockDim.x / 32;
    for (int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32; p < *waiting; p += warps) {
        Piece piece = pieces[p];
        float2 sum = add_up(piece.begin, piece.end, term, count, idf, query);
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&sums[piece.document].x, sum.x);
            atomicAdd(&sums[piece.document].y, sum.y);
        }
    }
}

__global__ void long_scores(int docs, const int* first, const float2* sums, float* score) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d < docs && first[d + 1] - first[d] > kPiece) score[d] = score_of(sums[d]);
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term, const uint8_t* count, const float* idf,
                             const float* query, float* score) {
    int most = entries / kPiece * 2 + 1;  // a document over kPiece entries has at most twice its length over kPiece pieces
    float2* sums = nullptr;
    Piece* pieces = nullptr;
    int* waiting = nullptr;
    cudaMalloc(&sums, docs * sizeof(float2));
    cudaMalloc(&pieces, most * sizeof(Piece));
    cudaMalloc(&waiting, sizeof(int));
    cudaMemsetAsync(waiting, 0, sizeof(int));
    short_documents<<<(docs + 7) / 8, 256>>>(docs, first, term, count, idf, query, score, sums, pieces, waiting);
    long_pieces<<<264, 256>>>(term, count, idf, query, sums, pieces, waiting);
    long_scores<<<(docs + 255) / 256, 256>>>(docs, first, sums, score);
    cudaFree(sums);
    cudaFree(pieces);
    cudaFree(waiting);
}
