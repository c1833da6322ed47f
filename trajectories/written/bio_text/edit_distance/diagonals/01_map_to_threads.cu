// Edit distances, one thread per pair, its row of the table in scratch memory.
#include <cuda_runtime.h>

__global__ void distances(int pairs, int la, int lb, const unsigned char* a, const unsigned char* b, int* rows,
                          int* distance) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    const unsigned char* s = a + (size_t)p * la;
    const unsigned char* t = b + (size_t)p * lb;
    int* row = rows + (size_t)p * (lb + 1);
    for (int j = 0; j <= lb; ++j) row[j] = j;
    for (int i = 1; i <= la; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= lb; ++j) {
            int substituted = diagonal + (s[i - 1] != t[j - 1] ? 1 : 0);
            diagonal = row[j];
            row[j] = min(substituted, min(row[j], row[j - 1]) + 1);
        }
    }
    distance[p] = row[lb];
}

extern "C" void edit_distance(int pairs, int la, int lb, const unsigned char* a, const unsigned char* b,
                              int* distance) {
    const int threads = 64;
    int* rows = nullptr;
    cudaMalloc(&rows, (size_t)pairs * (lb + 1) * sizeof(int));
    distances<<<(pairs - 1) / threads + 1, threads>>>(pairs, la, lb, a, b, rows, distance);
    cudaFree(rows);
}
