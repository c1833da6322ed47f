// Echelon forms over the field of two elements: one thread a matrix.
#include <cuda_runtime.h>

__global__ void eliminate(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    unsigned char* own = matrix + (long long)b * rows * cols;
    int done = 0;
    for (int c = 0; c < cols && done < rows; ++c) {
        int pivot = done;
        while (pivot < rows && own[pivot * cols + c] == 0) ++pivot;
        if (pivot == rows) continue;
        unsigned char* leader = own + done * cols;
        for (int k = 0; k < cols && pivot != done; ++k) {
            unsigned char kept = leader[k];
            leader[k] = own[pivot * cols + k];
            own[pivot * cols + k] = kept;
        }
        for (int r = 0; r < rows; ++r) {
            if (r == done || own[r * cols + c] == 0) continue;
            for (int k = c; k < cols; ++k) own[r * cols + k] ^= leader[k];
        }
        ++done;
    }
    rank[b] = done;
}

extern "C" void gf2_echelon(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    if (batch > 0) eliminate<<<(batch + 127) / 128, 128>>>(batch, rows, cols, matrix, rank);
}
