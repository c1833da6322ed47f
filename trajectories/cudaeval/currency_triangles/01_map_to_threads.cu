// Round trips: one moment a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void search(int moments, int n, int cost, const int* quote, int64_t* most, int* route, int* paying) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= moments) return;
    const int* q = quote + (size_t)s * n * n;
    long long best = 0;
    int where = -1, count = 0;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            for (int k = i + 1; k < n; ++k) {
                if (k == j) continue;
                const long long result = (long long)q[i * n + j] * q[j * n + k] / 65536 * q[k * n + i] / 65536;
                count += result > 65536 + cost;
                if (result > best) best = result, where = (i * n + j) * n + k;
            }
    most[s] = best;
    route[s] = where;
    paying[s] = count;
}

extern "C" void currency_triangles(int moments, int n, int32_t cost, const int32_t* quote, int64_t* most, int32_t* route, int32_t* paying) {
    search<<<(moments + 31) / 32, 32>>>(moments, n, cost, quote, most, route, paying);
}
