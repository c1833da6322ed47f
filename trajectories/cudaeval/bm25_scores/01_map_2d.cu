// BM25: one posting of one query's term a thread, in strides; the mean length is found by one block before.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void mean_length(int documents, const int32_t* length, float* average) {
    __shared__ unsigned long long total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned long long sum = 0;
    for (int d = threadIdx.x; d < documents; d += blockDim.x) sum += (unsigned long long)length[d];
    atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) *average = fmaxf(1.0f, (float)total / documents);
}

__global__ void rate(int documents, int terms, const int32_t* start, const int32_t* document, const uint8_t* times, const float* idf,
                     const int32_t* length, const int32_t* query, const float* average, float* score) {
    const int q = blockIdx.x, t = query[(size_t)q * terms + blockIdx.y];
    for (int p = start[t] + threadIdx.x; p < start[t + 1]; p += blockDim.x) {
        const int d = document[p];
        const float tf = times[p];
        atomicAdd(&score[(size_t)q * documents + d], idf[t] * tf * 2.2f / (tf + 1.2f * (0.25f + 0.75f * (float)length[d] / *average)));
    }
}

extern "C" void bm25_scores(int documents, int, int, int queries, int terms, const int32_t* start, const int32_t* document, const uint8_t* times,
                            const float* idf, const int32_t* length, const int32_t* query, float* score) {
    float* average = nullptr;
    cudaMallocAsync(&average, sizeof(float), 0);
    cudaMemsetAsync(score, 0, sizeof(float) * queries * documents);
    mean_length<<<1, 1024>>>(documents, length, average);
    rate<<<dim3(queries, terms), 128>>>(documents, terms, start, document, times, idf, length, query, average, score);
    cudaFreeAsync(average, 0);
}
