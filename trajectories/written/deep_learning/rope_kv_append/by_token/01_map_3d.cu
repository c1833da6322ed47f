// Rotary embedding and cache append: three kernels, one thread per pair of elements.
#include <cuda_runtime.h>

constexpr int kPage = 16;

struct Shape {
    int tokens, query_heads, kv_heads, half;

    __device__ size_t head(int t, int h) const { return ((size_t)t * (query_heads + 2 * kv_heads) + h) * 2 * half; }
};

__device__ void rotate(const float* x, float c, float s, int d, int half, float factor, float* out) {
    float a = x[d], b = x[d + half];
    out[d] = (a * c - b * s) * factor;
    out[d + half] = (b * c + a * s) * factor;
}

__global__ void rotate_queries(Shape shape, float scale, const float* qkv, const int* position, const float* cosine,
                               const float* sine, float* queries) {
    int d = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y, t = blockIdx.z;
    if (d >= shape.half || h >= shape.query_heads) return;
    size_t angle = (size_t)position[t] * shape.half + d;
    rotate(qkv + shape.head(t, h), cosine[angle], sine[angle], d, shape.half, scale,
           queries + ((size_t)t * shape.query_heads + h) * 2 * shape.half);
}

__global__ void append_keys(Shape shape, const float* qkv, const int* position, const float* cosine, const float* sine,
                            const int* page_of, float* key_cache) {
    int d = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y, t = blockIdx.z;
    if (d >= shape.half || h >= shape.kv_heads) return;
    size_t angle = (size_t)position[t] * shape.half + d;
    size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
    rotate(qkv + shape.head(t, shape.query_heads + h), cosine[angle], sine[angle], d, shape.half, 1.0f,
           key_cache + (line * shape.kv_heads + h) * 2 * shape.half);
}

__global__ void append_values(Shape shape, const float* qkv, const int* page_of, float* value_cache) {
    int d = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y, t = blockIdx.z;
    if (d >= shape.half || h >= shape.kv_heads) return;
    const float* from = qkv + shape.head(t, shape.query_heads + shape.kv_heads + h);
    size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
    float* to = value_cache + (line * shape.kv_heads + h) * 2 * shape.half;
    to[d] = from[d];
    to[d + shape.half] = from[d + shape.half];
}

extern "C" void rope_kv_append(int tokens, int query_heads, int kv_heads, int half, int positions, float scale,
                               const float* qkv, const int* position, const float* cosine, const float* sine,
                               const int* page_of, float* queries, float* key_cache, float* value_cache) {
    (void)positions;
    Shape shape{tokens, query_heads, kv_heads, half};
    dim3 block(32, 4);
    dim3 query_grid((half - 1) / 32 + 1, (query_heads - 1) / 4 + 1, tokens);
    dim3 kv_grid((half - 1) / 32 + 1, (kv_heads - 1) / 4 + 1, tokens);
    rotate_queries<<<query_grid, block>>>(shape, scale, qkv, position, cosine, sine, queries);
    append_keys<<<kv_grid, block>>>(shape, qkv, position, cosine, sine, page_of, key_cache);
    append_values<<<kv_grid, block>>>(shape, qkv, page_of, value_cache);
}
