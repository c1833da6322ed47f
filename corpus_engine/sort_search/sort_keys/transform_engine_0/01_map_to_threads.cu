#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// sort_keys: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// The nest at line 14 of the reference runs in one thread: its iterations depend on each other.
//
// The nest at line 15 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__host__ __device__ inline long long floor_divide(long long value, long long by) {
    return value >= 0 ? value / by : -((by - 1 - value) / by);
}

__global__ void sort_keys_1_serial(int n, int* keys) {
    for (int root_reversed = -n + floor_divide(n + 1, 2) + 1; root_reversed <= 0; ++root_reversed) {
        int root_2 = -root_reversed;
        for (int child = 2 * root_2 + 1; child < n; child = 2 * root_2 + 1) {
            if (child + 1 < n && keys[child + 1] > keys[child]) {
                child += 1;
            }
            if (keys[root_2] >= keys[child]) {
                break;
            }
            const int swapped = keys[root_2];
            keys[root_2] = keys[child];
            keys[child] = swapped;
            root_2 = child;
        }
    }
}

__global__ void sort_keys_2_serial(int n, int* keys) {
    for (int end_reversed = -n + 1; end_reversed < 0; ++end_reversed) {
        const int swapped_2 = keys[0];
        keys[0] = keys[-end_reversed];
        keys[-end_reversed] = swapped_2;
        int root_3 = 0;
        for (int child = 2 * root_3 + 1; child < (-end_reversed); child = 2 * root_3 + 1) {
            if (child + 1 < (-end_reversed) && keys[child + 1] > keys[child]) {
                child += 1;
            }
            if (keys[root_3] >= keys[child]) {
                break;
            }
            const int swapped_3 = keys[root_3];
            keys[root_3] = keys[child];
            keys[child] = swapped_3;
            root_3 = child;
        }
    }
}

extern "C" void sort_keys(int n, int* keys) {
    sort_keys_1_serial<<<1, 1>>>(n, keys);
    sort_keys_2_serial<<<1, 1>>>(n, keys);
}