// Decayed memory: the next sixteen steps are fetched while these are gone through, and two buffers leave one barrier for sixteen steps.
#include <cuda_runtime.h>

#include <type_traits>

constexpr int kTeam = 8, kCells = 8, kMost = 64, kChunk = 16;  // cells of a column and steps brought in together

// The c-th of a lane's cells: four in a row, and four in a row half a column further.
__device__ int row_of(int lane, int c) { return 4 * lane + c % 4 + c / 4 * 32; }

__global__ void remember(int steps, int heads, int width, const float* __restrict__ decay, const float* __restrict__ q, const float* __restrict__ k,
                         const float* __restrict__ v, float* __restrict__ memory, float* __restrict__ y) {
    __shared__ __align__(16) float key[2][kChunk][kMost], query[2][kChunk][kMost], value[2][kChunk][16];
    const int lane = threadIdx.x % kTeam, own = threadIdx.x / kTeam, left = blockIdx.y * 16, j = left + own, h = blockIdx.x;
    float* column = memory + (size_t)h * width * width + j;
    const float keep = decay[h], unit = keep >= 0.25f ? keep : 1.0f;  // a factor that cells are kept without, if it is not too small
    const float each = keep >= 0.25f ? 1.0f : keep;
    __shared__ float power[kChunk + 1], inverse[kChunk + 1];
    if (threadIdx.x <= kChunk) {
        float product = 1.0f;
        for (int t = 0; t < (int)threadIdx.x; ++t) product *= unit;
        power[threadIdx.x] = product;
        inverse[threadIdx.x] = 1.0f / product;
    }
    float cell[kCells];
#pragma unroll
    for (int c = 0; c < kCells; ++c) cell[c] = j < width && row_of(lane, c) < width ? column[row_of(lane, c) * width] : 0.0f;
    __syncthreads();
    float ready[2][8], fresh_in[2];  // of the steps to come: on their way while these steps are gone through
    const auto ask = [&](int from) {
#pragma unroll
        for (int s = 0; s < 8; ++s) {
            const int e = threadIdx.x + 128 * s, t = from + e / kMost, i = e % kMost;
            const size_t at = ((size_t)t * heads + h) * width + i;
            ready[0][s] = t < steps && i < width ? k[at] * inverse[e / kMost + 1] : 0.0f;
            ready[1][s] = t < steps && i < width ? q[at] * power[e / kMost + 1] : 0.0f;
        }
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const int e = threadIdx.x + 128 * s, t = from + e / 16, i = left + e % 16;
            fresh_in[s] = t < steps && i < width ? v[((size_t)t * heads + h) * width + i] : 0.0f;
        }
    };
    ask(0);
    for (int from = 0, now = 0; from < steps; from += kChunk, now ^= 1) {
        const int count = min(kChunk, steps - from);
#pragma unroll
        for (int s = 0; s < 8; ++s) {
            const int e = threadIdx.x + 128 * s;
            key[now][e / kMost][e % kMost] = ready[0][s];
            query[now][e / kMost][e % kMost] = ready[1][s];
        }
#pragma unroll
        for (int s = 0; s < 2; ++s) value[now][(threadIdx.x + 128 * s) / 16][threadIdx.x % 16] = fresh_in[s];
        __syncthreads();
        ask(from + kChunk);
        const auto go = [&](auto fades) {
#pragma unroll 4
            for (int t = 0; t < count; ++t) {
                const float4 *keys = reinterpret_cast<const float4*>(key[now][t]), *queries = reinterpret_cast<const float4*>(query[now][t]);
                const float4 a = keys[lane], b = keys[lane + kTeam], d = queries[lane], e = queries[lane + kTeam];
                const float some[kCells] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, asked[kCells] = {d.x, d.y, d.z, d.w, e.x, e.y, e.z, e.w};
                const float fresh = value[now][t][own];
                float sum = 0.0f;
#pragma unroll
                for (int c = 0; c < kCells; ++c) {
                    if constexpr (decltype(fades)::value) cell[c] *= each;
                    cell[c] += some[c] * fresh;
                    sum += asked[c] * cell[c];
                }
#pragma unroll
                for (int apart = 1; apart < kTeam; apart *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
                if (j < width && lane == 0) y[((size_t)(from + t) * heads + h) * width + j] = sum;
            }
        };
        if (each == 1.0f)
            go(std::false_type{});
        else
            go(std::true_type{});
#pragma unroll
        for (int c = 0; c < kCells; ++c) cell[c] *= power[count];
    }
#pragma unroll
    for (int c = 0; c < kCells; ++c)
        if (j < width && row_of(lane, c) < width) column[row_of(lane, c) * width] = cell[c];
}

extern "C" void decayed_memory(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory,
                               float* y) {
    remember<<<dim3(heads, (width + 15) / 16), 128>>>(steps, heads, width, decay, q, k, v, memory, y);
}
