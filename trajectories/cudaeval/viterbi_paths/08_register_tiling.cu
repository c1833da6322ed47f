// Viterbi paths: four lanes a string with four states each, so that a score which is handed round serves four states.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

constexpr int kStates = 16, kSymbols = 8;

constexpr int kLanes = 4;  // of a string
constexpr int kOwn = kStates / kLanes;  // states of a lane
constexpr int kTeams = 32 / kLanes;  // strings of a warp, where their pointers back have room
constexpr int kRoom = 192 * 1024;  // bytes
constexpr int kPacked = 8;  // pointers back in a word, of four bits each
constexpr unsigned kAll = 0xffffffffu;

__host__ __device__ inline int words_of(int length) { return (length + kPacked - 1) / kPacked; }

// Decodes the strings of a warp side by side, up to the end of the longest. Scores are kept times 16.
__global__ void decode(int strings, int length, int teams, const uint8_t* text, const int32_t* used, const int16_t* emit,
                       const int16_t* step, uint8_t* path, int32_t* total) {
    extern __shared__ uint4 held[];  // the pointers back
    __shared__ int4 gain[kSymbols * kLanes];  // of a symbol and a lane's states
    for (int i = threadIdx.x; i < kSymbols * kStates; i += 32) {
        int* of_state = reinterpret_cast<int*>(gain);
        of_state[i] = emit[i % kStates * kSymbols + i / kStates] * 16;
    }
    __syncwarp();
    const int lane = threadIdx.x % kLanes, team = threadIdx.x / kLanes, r = blockIdx.x * teams + team;
    const bool is_string = team < teams && r < strings;
    const uint8_t* symbol = text + (long long)r * length;
    uint8_t* state = path + (long long)r * length;
    uint4* back = held + team * words_of(length) * kLanes;
    const int end = is_string ? used[r] : 0;
    for (int t = end + lane; is_string && t < length; t += kLanes) state[t] = 255;
    int into[kStates][kOwn];  // the steps into this lane's states, times 16, above what prefers a small p
#pragma unroll
    for (int p = 0; p < kStates; ++p)
#pragma unroll
        for (int m = 0; m < kOwn; ++m) into[p][m] = step[p * kStates + lane * kOwn + m] * 16 + (kStates - 1 - p);
    const int4 start = end > 0 ? gain[symbol[0] * kLanes + lane] : make_int4(0, 0, 0, 0);
    int score[kOwn] = {start.x, start.y, start.z, start.w};
    unsigned word[kOwn] = {};
    const int longest = __reduce_max_sync(kAll, end);
    for (int t = 1; t < longest; ++t) {
        int most[kOwn];
#pragma unroll
        for (int p = 0; p < kStates; ++p) {
            const int from = __shfl_sync(kAll, score[p % kOwn], p / kOwn, kLanes);
#pragma unroll
            for (int m = 0; m < kOwn; ++m) most[m] = p == 0 ? from + into[p][m] : max(most[m], from + into[p][m]);
        }
        if (t >= end) continue;
        const int4 now = gain[symbol[t] * kLanes + lane];
        const int gained[kOwn] = {now.x, now.y, now.z, now.w};
#pragma unroll
        for (int m = 0; m < kOwn; ++m) {
            score[m] = (most[m] & ~15) + gained[m];
            word[m] |= (unsigned)(~most[m] & 15) << 4 * (t % kPacked);
        }
        if (t % kPacked == kPacked - 1 || t == end - 1) {
            back[t / kPacked * kLanes + lane] = make_uint4(word[0], word[1], word[2], word[3]);
#pragma unroll
            for (int m = 0; m < kOwn; ++m) word[m] = 0;
        }
    }
    int most = score[0] + (kStates - 1 - lane * kOwn);
#pragma unroll
    for (int m = 1; m < kOwn; ++m) most = max(most, score[m] + (kStates - 1 - lane * kOwn - m));
    for (int apart = kLanes / 2; apart > 0; apart /= 2) most = max(most, __shfl_xor_sync(kAll, most, apart, kLanes));
    if (is_string && lane == 0) total[r] = (most & ~15) / 16;
    const unsigned* pointers = reinterpret_cast<const unsigned*>(back);
    int last = kStates - 1 - (most & 15);
    __syncwarp();
    for (int first = (end - 1) / kPacked * kPacked; first >= 0 && end > 0; first -= kPacked) {
        uint8_t mine[kPacked / kLanes] = {};  // states from symbol first + 2 * lane on
#pragma unroll
        for (int k = kPacked - 1; k >= 0; --k) {
            if (first + k >= end) continue;
            if (k / (kPacked / kLanes) == lane) mine[k % (kPacked / kLanes)] = (uint8_t)last;
            if (first + k > 0) last = pointers[first / kPacked * kStates + last] >> 4 * k & 15;
        }
#pragma unroll
        for (int k = 0; k < kPacked / kLanes; ++k) {
            const int t = first + lane * (kPacked / kLanes) + k;
            if (t < end) state[t] = mine[k];
        }
    }
}

extern "C" void viterbi_paths(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                              uint8_t* path, int32_t* total) {
    const int bytes = sizeof(unsigned) * words_of(length) * kStates;  // of a string, at most 32 KiB
    const int teams = std::min(kTeams, kRoom / bytes);
    if (teams * bytes > 48 * 1024 - 1024) cudaFuncSetAttribute(decode, cudaFuncAttributeMaxDynamicSharedMemorySize, teams * bytes);
    decode<<<(strings - 1) / teams + 1, 32, teams * bytes>>>(strings, length, teams, text, used, emit, step, path, total);
}
