#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// json_depth: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 7 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void json_depth_1_scalars(int* level, bool* inside, bool* escaped) {
    level[0] = 0;
    inside[0] = false;
    escaped[0] = false;
}

__global__ void json_depth_2_serial(int n, const unsigned char* text, int* depth, int* level, bool* inside,
                                    bool* escaped) {
    for (int i = 0; i < n; ++i) {
        const unsigned char c = text[i];
        if (escaped[0]) {
            escaped[0] = false;
        } else {
            if (inside[0]) {
                if (c == '\\') {
                    escaped[0] = true;
                }
                if (c == '"') {
                    inside[0] = false;
                }
            } else {
                if (c == '"') {
                    inside[0] = true;
                }
                if (c == '{' || c == '[') {
                    level[0] += 1;
                }
                if (c == '}' || c == ']') {
                    level[0] -= 1;
                }
            }
        }
        depth[i] = level[0];
    }
}

extern "C" void json_depth(int n, const unsigned char* text, int* depth) {
    int* level = nullptr;
    bool* inside = nullptr;
    bool* escaped = nullptr;
    if (cudaMalloc(&level, sizeof(int)) == cudaSuccess && cudaMalloc(&inside, sizeof(bool)) == cudaSuccess &&
        cudaMalloc(&escaped, sizeof(bool)) == cudaSuccess) {
        json_depth_1_scalars<<<1, 1>>>(level, inside, escaped);
        json_depth_2_serial<<<1, 1>>>(n, text, depth, level, inside, escaped);
    }
    cudaFree(level);
    cudaFree(inside);
    cudaFree(escaped);
}