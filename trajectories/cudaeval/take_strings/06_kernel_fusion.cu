// String gather: the block that copies 512 strings also finds their starts, which are not read back.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kEach = 2;  // rows that a thread adds up
constexpr int kPiece = kThreads * kEach;
constexpr int kLanes = 8;  // threads that copy one string
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

// Bytes at .. at + 3 of the heap; `last` is its last word. A heap that is not aligned is read byte by byte.
__device__ unsigned int bytes_at(const uint8_t* heap, int at, int last) {
    const unsigned int* words = (const unsigned int*)heap;
    if ((size_t)heap % 4 == 0) return __funnelshift_r(words[at / 4], words[min(at / 4 + 1, last)], at % 4 * 8);
    unsigned int bytes = 0;
    for (int i = 0; i < 4; ++i) bytes |= (unsigned int)heap[min(at + i, 4 * last + 3)] << (8 * i);
    return bytes;
}

// Puts the `size` bytes of the heap from `source` on to those of the page from `to` on, which are 0; eight lanes work on it.
__device__ void place_string(const uint8_t* heap, int last, int source, int size, int to, unsigned int* page) {
    if (size == 0) return;
    for (int word = to / 4 + threadIdx.x % kLanes; word * 4 < to + size; word += kLanes) {
        const int at = max(word * 4, to), stop = min(word * 4 + 4, to + size);
        const unsigned int part = bytes_at(heap, source + at - to, last) & (~0u >> (32 - 8 * (stop - at)));
        atomicOr(&page[word], part << (8 * (at % 4)));
    }
}

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
    for (int j = threadIdx.x / kLanes; j < here; j += kThreads / kLanes) {
        place_string(heap, last, source[j], to[j + 1] - to[j], shift + to[j], page);
    }
    __syncthreads();
    write_page(page, from, from + sum, out);
}

extern "C" void take_strings(int rows, int picks, const uint8_t* length, const uint8_t* heap, const int* pick, int* start, uint8_t* out,
                             int* used) {
    const int row_blocks = (rows - 1) / kPiece + 1, pick_blocks = (picks - 1) / kPiece + 1;
    int *begin = nullptr, *total = nullptr;
    cudaMalloc(&begin, ((size_t)rows + 1) * sizeof(int));
    cudaMalloc(&total, (size_t)max(row_blocks, pick_blocks) * sizeof(int));
    add_pieces<<<row_blocks, kThreads>>>(rows, {length, nullptr}, total);
    add_totals<<<1, kThreads>>>(row_blocks, total, used);
    write_starts<<<row_blocks, kThreads>>>(rows, {length, nullptr}, total, begin);
    add_pieces<<<pick_blocks, kThreads>>>(picks, {length, pick}, total);
    add_totals<<<1, kThreads>>>(pick_blocks, total, used);
    copy_rows<<<pick_blocks, kThreads>>>(picks, 8 * rows - 1, length, heap, begin, pick, total, start, out);
    cudaFree(begin);
    cudaFree(total);
}
