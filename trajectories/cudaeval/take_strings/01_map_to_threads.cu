// String gather: starts by a thread for each 64 rows, between them one thread that adds up; then a thread copies one string.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kPiece = 64;  // rows that a thread adds up

// The lengths of the rows of the source, or of the picked ones.
struct Lengths {
    const uint8_t* length;
    const int* pick;
    __device__ int operator()(int i) const { return length[pick ? pick[i] : i]; }
};

__global__ void add_pieces(int n, Lengths length, int* total) {
    const int piece = blockIdx.x * kThreads + threadIdx.x;
    if (piece >= (n - 1) / kPiece + 1) return;
    int sum = 0;
    for (int i = piece * kPiece; i < min((piece + 1) * kPiece, n); ++i) sum += length(i);
    total[piece] = sum;
}

__global__ void add_totals(int pieces, int* total, int* used) {
    int sum = 0;
    for (int p = 0; p < pieces; ++p) {
        const int own = total[p];
        total[p] = sum;
        sum += own;
    }
    *used = sum;
}

__global__ void write_starts(int n, Lengths length, const int* total, int* start) {
    const int piece = blockIdx.x * kThreads + threadIdx.x;
    if (piece >= (n - 1) / kPiece + 1) return;
    int sum = total[piece];
    for (int i = piece * kPiece; i < min((piece + 1) * kPiece, n); ++i) {
        start[i] = sum;
        sum += length(i);
    }
    if ((piece + 1) * kPiece >= n) start[n] = sum;
}

__global__ void copy_rows(int picks, const uint8_t* length, const uint8_t* heap, const int* begin, const int* pick, const int* start,
                          uint8_t* out) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= picks) return;
    const int row = pick[k];
    for (int i = 0; i < length[row]; ++i) out[start[k] + i] = heap[begin[row] + i];
}

static void find_starts(int n, Lengths length, int* total, int* start, int* used) {
    const int pieces = (n - 1) / kPiece + 1, blocks = (pieces - 1) / kThreads + 1;
    add_pieces<<<blocks, kThreads>>>(n, length, total);
    add_totals<<<1, 1>>>(pieces, total, used);
    write_starts<<<blocks, kThreads>>>(n, length, total, start);
}

extern "C" void take_strings(int rows, int picks, const uint8_t* length, const uint8_t* heap, const int* pick, int* start, uint8_t* out,
                             int* used) {
    int *begin = nullptr, *total = nullptr;
    cudaMalloc(&begin, ((size_t)rows + 1) * sizeof(int));
    cudaMalloc(&total, ((size_t)max(rows, picks) / kPiece + 1) * sizeof(int));
    find_starts(rows, {length, nullptr}, total, begin, used);
    find_starts(picks, {length, pick}, total, start, used);
    copy_rows<<<(picks - 1) / kThreads + 1, kThreads>>>(picks, length, heap, begin, pick, start, out);
    cudaFree(begin);
    cudaFree(total);
}
