// Echelon forms over the field of two elements: a row is one word of 64 bits, and two rows are added by one operation.
#include <cuda_runtime.h>

__global__ void eliminate(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    unsigned char* own = matrix + (long long)b * rows * cols;
    unsigned long long row[64];
    for (int r = 0; r < rows; ++r) {
        row[r] = 0;
        for (int k = 0; k < cols; ++k) row[r] |= (unsigned long long)(own[r * cols + k] & 1) << k;
    }
    int done = 0;
    for (int c = 0; c < cols && done < rows; ++c) {
        int pivot = done;
        while (pivot < rows && (row[pivot] >> c & 1) == 0) ++pivot;
        if (pivot == rows) continue;
        unsigned long long leader = row[pivot];
        row[pivot] = row[done];
        row[done] = leader;
        for (int r = 0; r < rows; ++r)
            if (r != done && (row[r] >> c & 1)) row[r] ^= leader;
        ++done;
    }
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < cols; ++k) own[r * cols + k] = (unsigned char)(row[r] >> k & 1);
    rank[b] = done;
}

extern "C" void gf2_echelon(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    if (batch > 0) eliminate<<<(batch + 127) / 128, 128>>>(batch, rows, cols, matrix, rank);
}
