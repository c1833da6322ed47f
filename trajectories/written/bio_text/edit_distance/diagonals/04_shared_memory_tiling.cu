// Edit distances, one block per pair, anti-diagonal by anti-diagonal; strings and cells are all in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void distances(int la, int lb, const unsigned char* a, const unsigned char* b, int* distance) {
    extern __shared__ int diagonals[];  // three anti-diagonals of lb + 1 cells, indexed by column
    unsigned char* s = reinterpret_cast<unsigned char*>(diagonals + 3 * (lb + 1));  // then the two strings
    unsigned char* t = s + la;
    for (int i = threadIdx.x; i < la; i += kThreads) s[i] = a[(size_t)blockIdx.x * la + i];
    for (int j = threadIdx.x; j < lb; j += kThreads) t[j] = b[(size_t)blockIdx.x * lb + j];
    __syncthreads();

    for (int d = 0; d <= la + lb; ++d) {
        int* now = diagonals + d % 3 * (lb + 1);  // last read for diagonal d - 1, before the previous barrier
        const int* last = diagonals + (d + 2) % 3 * (lb + 1);
        const int* before_last = diagonals + (d + 1) % 3 * (lb + 1);
        for (int j = max(0, d - la) + threadIdx.x; j <= min(d, lb); j += kThreads) {
            int i = d - j;
            int cell = d;  // on the table's rim: i == 0 or j == 0
            if (i > 0 && j > 0) {
                int substituted = before_last[j - 1] + (s[i - 1] != t[j - 1] ? 1 : 0);
                cell = min(substituted, min(last[j], last[j - 1]) + 1);
            }
            now[j] = cell;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) distance[blockIdx.x] = diagonals[(la + lb) % 3 * (lb + 1) + lb];
}

extern "C" void edit_distance(int pairs, int la, int lb, const unsigned char* a, const unsigned char* b,
                              int* distance) {
    size_t shared_bytes = 3 * (lb + 1) * sizeof(int) + la + lb;
    distances<<<pairs, kThreads, shared_bytes>>>(la, lb, a, b, distance);
}
