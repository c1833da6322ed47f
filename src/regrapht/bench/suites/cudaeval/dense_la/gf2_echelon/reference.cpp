#include <algorithm>
#include <cstdint>

// Gauss-Jordan elimination over the field of two elements, a matrix after the other.
void gf2_echelon(int batch, int rows, int cols, uint8_t* matrix, int32_t* rank) {
    for (int b = 0; b < batch; ++b, matrix += (int64_t)rows * cols) {
        int done = 0;
        for (int c = 0; c < cols && done < rows; ++c) {
            int pivot = done;
            while (pivot < rows && matrix[pivot * cols + c] == 0) ++pivot;
            if (pivot == rows) continue;
            uint8_t* leader = matrix + done * cols;
            if (pivot != done) std::swap_ranges(leader, leader + cols, matrix + pivot * cols);
            for (int r = 0; r < rows; ++r) {
                if (r == done || matrix[r * cols + c] == 0) continue;
                for (int k = c; k < cols; ++k) matrix[r * cols + k] ^= leader[k];
            }
            ++done;
        }
        rank[b] = done;
    }
}
