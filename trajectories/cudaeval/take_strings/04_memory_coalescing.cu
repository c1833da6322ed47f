// String gather: a block puts its part of the result together in shared memory and writes it out in whole words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kEach = 4;  // rows that a thread adds up
constexpr int kPiece = kThreads * kEach;
constexpr int kLanes = 8;  // threads that copy one string
constexpr int kStrings = 256;  // strings of a block
constexpr int kLongest = 32;

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

__global__ void copy_rows(int picks, const uint8_t* length, const uint8_t* heap, const int* begin, const int* pick, const int* start,
                          uint8_t* out) {
    __shared__ unsigned int page[kStrings * kLongest / 4 + 2];
    const int base = blockIdx.x * kStrings, past = min(base + kStrings, picks);
    const int from = start[base], end = start[past];
    for (int k = base + threadIdx.x / kLanes; k < past; k += kThreads / kLanes) {
        const int row = pick[k], size = length[row];
        const uint8_t* source = heap + begin[row];
        uint8_t* to = (uint8_t*)page + (start[k] - from / 4 * 4);
        for (int i = threadIdx.x % kLanes; i < size; i += kLanes) to[i] = source[i];
    }
    if (threadIdx.x < 4) {  // what no string fills of the first and the last word
        if ((int)threadIdx.x < from % 4) ((uint8_t*)page)[threadIdx.x] = 0;
        ((uint8_t*)page)[end - from / 4 * 4 + threadIdx.x] = 0;
    }
    __syncthreads();
    write_page(page, from, end, out);
}

static void find_starts(int n, Lengths length, int* total, int* start, int* used) {
    const int pieces = (n - 1) / kPiece + 1;
    add_pieces<<<pieces, kThreads>>>(n, length, total);
    add_totals<<<1, kThreads>>>(pieces, total, used);
    write_starts<<<pieces, kThreads>>>(n, length, total, start);
}

extern "C" void take_strings(int rows, int picks, const uint8_t* length, const uint8_t* heap, const int* pick, int* start, uint8_t* out,
                             int* used) {
    int *begin = nullptr, *total = nullptr;
    cudaMalloc(&begin, ((size_t)rows + 1) * sizeof(int));
    cudaMalloc(&total, ((size_t)max(rows, picks) / kPiece + 1) * sizeof(int));
    find_starts(rows, {length, nullptr}, total, begin, used);
    find_starts(picks, {length, pick}, total, start, used);
    copy_rows<<<(picks - 1) / kStrings + 1, kThreads>>>(picks, length, heap, begin, pick, start, out);
    cudaFree(begin);
    cudaFree(total);
}
