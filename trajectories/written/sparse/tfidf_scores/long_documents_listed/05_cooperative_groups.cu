// Document scores: half a warp for each short document, resident warps for the pieces of long ones.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kPiece = 1024;  // entries; longer documents are cut

constexpr int kTeam = 16;     // lanes of a short document
constexpr int kBlocks = 1056;  // eight for each of 132 multiprocessors: all that can be resident

struct Piece {
    int document, begin, end;
};

// The sum over a team of lanes, right in its first one.
template <class Team>
__device__ float team_sum(const Team& team, float value) {
    for (int distance = team.size() / 2; distance > 0; distance /= 2) value += team.shfl_down(value, distance);
    return value;
}

// 1 + ln(c) for every possible count.
__device__ void fill_scale(float* scale) {
    for (int c = threadIdx.x; c < 256; c += blockDim.x) scale[c] = c > 0 ? 1.0f + logf((float)c) : 0.0f;
    __syncthreads();
}

// Match and square of entries begin to end - 1, right in the team's first lane.
template <class Team>
__device__ float2 add_up(const Team& team, const float* scale, int begin, int end, const int* term, const uint8_t* count,
                         const float* idf, const float* query) {
    float match = 0.0f, square = 0.0f;
    for (int k = begin + (int)team.thread_rank(); k < end; k += (int)team.size()) {
        float weight = scale[count[k]] * idf[term[k]];
        match += weight * query[term[k]];
        square += weight * weight;
    }
    return make_float2(team_sum(team, match), team_sum(team, square));
}

__device__ float score_of(float2 sum) { return sum.y > 0.0f ? sum.x / sqrtf(sum.y) : 0.0f; }

__global__ void short_documents(int docs, const int* first, const int* term, const uint8_t* count, const float* idf, const float* query,
                                float* score, float2* sums, Piece* pieces, int* waiting) {
    __shared__ float scale[256];
    fill_scale(scale);
    auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
    int lane = team.thread_rank(), teams = gridDim.x * blockDim.x / kTeam;
    for (int d = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; d < docs; d += teams) {
        int begin = first[d], end = first[d + 1];
        if (end - begin <= kPiece) {
            float2 sum = add_up(team, scale, begin, end, term, count, idf, query);
            if (lane == 0) score[d] = score_of(sum);
            continue;
        }
        int parts = (end - begin + kPiece - 1) / kPiece, place = 0;
        if (lane == 0) {
            sums[d] = make_float2(0.0f, 0.0f);
            place = atomicAdd(waiting, parts);
        }
        place = team.shfl(place, 0);
        for (int p = lane; p < parts; p += kTeam) pieces[place + p] = {d, begin + p * kPiece, min(begin + (p + 1) * kPiece, end)};
    }
}

__global__ void long_pieces(const int* term, const uint8_t* count, const float* idf, const float* query, float2* sums, const Piece* pieces,
                            const int* waiting) {
    __shared__ float scale[256];
    fill_scale(scale);
    auto team = cg::tiled_partition<32>(cg::this_thread_block());
    int warps = gridDim.x * blockDim.x / 32;
    for (int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32; p < *waiting; p += warps) {
        Piece piece = pieces[p];
        float2 sum = add_up(team, scale, piece.begin, piece.end, term, count, idf, query);
        if (team.thread_rank() == 0) {
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
    int blocks = (docs + 7) / 8 < kBlocks ? (docs + 7) / 8 : kBlocks;
    short_documents<<<blocks, 256>>>(docs, first, term, count, idf, query, score, sums, pieces, waiting);
    long_pieces<<<kBlocks, 256>>>(term, count, idf, query, sums, pieces, waiting);
    long_scores<<<(docs + 255) / 256, 256>>>(docs, first, sums, score);
    cudaFree(sums);
    cudaFree(pieces);
    cudaFree(waiting);
}
