// String gather: lanes have the words of four strings under way before they place the first of them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kEach = 2;  // rows that a thread adds up
constexpr int kPiece = kThreads * kEach;
constexpr int kLanes = 8;  // threads that copy one string
constexpr int kGroups = kThreads / kLanes;
constexpr int kAhead = 4;  // strings that a group loads at once
constexpr int kLongest = 32;

static_assert(kPiece % (kAhead * kGroups) == 0, "groups have equal numbers of strings");

// The lengths of the rows of the source, or of the picked ones.
struct Lengths {
    const uint8_t* length;
    const int* pick;
    __device__ int operator()(int i) const { return length[pick ? pick[i] : i]; }
};

// The sum of the values of the threads before this one; *all gets that of the block.
__device__ int scan_block(int value, int* all) {
    __shared__ int warp_sum[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = value;
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, value, step);
        if (lane >= step) value += before;
    }
    if (lane == 31) warp_sum[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) value += warp_sum[w];
        sum += warp_sum[w];
    }
    *all = sum;
    __syncthreads();
    return value - own;
}

__global__ void add_pieces(int n, Lengths length, int* total) {
    int sum = 0, all;
    for (int j = 0; j < kEach; ++j) {
        const int i = blockIdx.x * kPiece + j * kThreads + threadIdx.x;
        if (i < n) sum += length(i);
    }
    scan_block(sum, &all);
    if (threadIdx.x == 0) total[blockIdx.x] = all;
}

__global__ void add_totals(int pieces, int* total, int* used) {
    int sum = 0, all;
    for (int first = 0; first < pieces; first += kThreads) {
        const int p = first + threadIdx.x;
        const int before = scan_block(p < pieces ? total[p] : 0, &all);
        if (p < pieces) total[p] = sum + before;
        sum += all;
    }
    if (threadIdx.x == 0) *used = sum;
}

__global__ void write_starts(int n, Lengths length, const int* total, int* start) {
    int sum = total[blockIdx.x], all;
    for (int j = 0; j < kEach; ++j) {
        const int i = blockIdx.x * kPiece + j * kThreads + threadIdx.x;
        const int own = i < n ? length(i) : 0, before = scan_block(own, &all);
        if (i < n) start[i] = sum + before;
        if (i == n - 1) start[n] = sum + before + own;
        sum += all;
    }
}

// The bytes of the result from `from` up to `end`; the word at page[0] begins at the last multiple of four before them.
__device__ void write_page(const unsigned int* page, int from, int end, uint8_t* out) {
    const bool aligned = (size_t)out % 4 == 0;
    for (int word = from / 4 + threadIdx.x; word * 4 < end; word += kThreads) {
        const unsigned int bytes = page[word - from / 4];
        const int at = max(word * 4, from), stop = min(word * 4 + 4, end);
        if (aligned && stop - at == 4) {
            *(unsigned int*)(out + at) = bytes;
        } else {
            for (int i = at; i < stop; ++i) out[i] = bytes >> (8 * (i % 4));
        }
    }
}

// The two words of the heap around bytes at .. at + 3; `last` is its last word. A heap that is not aligned is read byte by byte.
__device__ uint2 words_around(const uint8_t* heap, unsigned int at, unsigned int last) {
    const unsigned int word = at / 4, next = min(word + 1, last);
    const unsigned int* words = (const unsigned int*)heap;
    if ((size_t)heap % 4 == 0) return {words[word], words[next]};
    uint2 pair = {0, 0};
    for (unsigned int i = 0; i < 4; ++i) {
        pair.x |= (unsigned int)heap[word * 4 + i] << (8 * i);
        pair.y |= (unsigned int)heap[next * 4 + i] << (8 * i);
    }
    return pair;
}

// A string's `size` bytes from `source` on go to those of the page from `to` on.
struct Move {
    unsigned int source, to, size;
    // The bytes of the page's word `word` that are the string's.
    __device__ unsigned int at(unsigned int word) const { return max(word * 4, to); }
    __device__ unsigned int stop(unsigned int word) const { return min(word * 4 + 4, to + size); }
    __device__ uint2 load(const uint8_t* heap, unsigned int last, unsigned int word) const {
        return at(word) < stop(word) ? words_around(heap, source + at(word) - to, last) : uint2{0, 0};
    }
    // The page's words are 0 where no string was placed yet.
    __device__ void place(uint2 pair, unsigned int word, unsigned int* page) const {
        const unsigned int from = at(word), end = stop(word);
        if (from >= end) return;
        const unsigned int part = __funnelshift_r(pair.x, pair.y, (source + from - to) % 4 * 8) & (~0u >> (32 - 8 * (end - from)));
        atomicOr(&page[word], part << (8 * (from % 4)));
    }
};

__global__ void copy_rows(int picks, int last, const uint8_t* length, const uint8_t* heap, const int* begin, const int* pick,
                          const int* total, int* start, uint8_t* out) {
    __shared__ unsigned int page[kPiece * kLongest / 4 + 2];
    __shared__ int source[kPiece], to[kPiece + 1];
    const int from = total[blockIdx.x], shift = from % 4, here = min(kPiece, picks - (int)blockIdx.x * kPiece);
    int sum = 0, all;
    for (int j = threadIdx.x; j < kPiece; j += kThreads) {
        const int k = blockIdx.x * kPiece + j, row = pick[min(k, picks - 1)], own = j < here ? length[row] : 0;
        const int before = scan_block(own, &all);
        source[j] = begin[row];
        to[j] = sum + before;
        if (j < here) start[k] = from + sum + before;
        sum += all;
    }
    if (threadIdx.x == 0) {
        to[kPiece] = sum;
        if (here + (int)blockIdx.x * kPiece == picks) start[picks] = from + sum;
    }
    for (int i = threadIdx.x; i < (shift + sum + 3) / 4; i += kThreads) page[i] = 0;
    __syncthreads();
    const int lane = threadIdx.x % kLanes;
    for (int first = threadIdx.x / kLanes; first < here; first += kAhead * kGroups) {  // strings past the last one are empty
        Move move[kAhead];
        uint2 pair[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            const int k = first + j * kGroups;
            move[j] = {(unsigned int)source[k], (unsigned int)(shift + to[k]), (unsigned int)(to[k + 1] - to[k])};
            pair[j] = move[j].load(heap, last, move[j].to / 4 + lane);
        }
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            unsigned int word = move[j].to / 4 + lane;
            move[j].place(pair[j], word, page);
            for (word += kLanes; word * 4 < move[j].to + move[j].size; word += kLanes)
                move[j].place(move[j].load(heap, last, word), word, page);
        }
    }
    __syncthreads();
    write_page(page, from, from + sum, out);
}

extern "C" void take_strings(int rows, int picks, const uint8_t* length, const uint8_t* heap, const int* pick, int* start, uint8_t* out,
                             int* used) {
    const int row_blocks = (rows - 1) / kPiece + 1, pick_blocks = (picks - 1) / kPiece + 1;
    int *begin = nullptr, *total = nullptr;
    cudaMallocAsync(&begin, ((size_t)rows + 1) * sizeof(int), 0);
    cudaMallocAsync(&total, (size_t)max(row_blocks, pick_blocks) * sizeof(int), 0);
    add_pieces<<<row_blocks, kThreads>>>(rows, {length, nullptr}, total);
    add_totals<<<1, kThreads>>>(row_blocks, total, used);
    write_starts<<<row_blocks, kThreads>>>(rows, {length, nullptr}, total, begin);
    add_pieces<<<pick_blocks, kThreads>>>(picks, {length, pick}, total);
    add_totals<<<1, kThreads>>>(pick_blocks, total, used);
    copy_rows<<<pick_blocks, kThreads>>>(picks, 8 * rows - 1, length, heap, begin, pick, total, start, out);
    cudaFreeAsync(begin, 0);
    cudaFreeAsync(total, 0);
}
