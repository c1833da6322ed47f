// Rotary embedding and cache append: one block per token, a thread keeps its angles and walks through the heads.
#include <cuda_runtime.h>

constexpr int kPage = 16;
constexpr int kLanes = 32, kRows = 4;

struct Shape {
    int tokens, query_heads, kv_heads, half;
};

__global__ void embed(Shape shape, float scale, const float* qkv, const int* position, const float* cosine,
                      const float* sine, const int* page_of, float* queries, float* key_cache, float* value_cache) {
    const int half = shape.half, size = 2 * half, heads = shape.query_heads + 2 * shape.kv_heads;
    const int t = blockIdx.x, d = blockIdx.y * kLanes + threadIdx.x;
    if (d >= half) return;
    const float c = cosine[(size_t)position[t] * half + d], s = sine[(size_t)position[t] * half + d];
    const size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
    const float* from = qkv + (size_t)t * heads * size;
    float* to_queries = queries + (size_t)t * shape.query_heads * size;
    float* to_keys = key_cache + line * shape.kv_heads * size;
    float* to_values = value_cache + line * shape.kv_heads * size;
    for (int h = threadIdx.y; h < heads; h += kRows) {
        float a = from[h * size + d], b = from[h * size + d + half];
        if (h < shape.query_heads) {
            to_queries[h * size + d] = (a * c - b * s) * scale;
            to_queries[h * size + d + half] = (b * c + a * s) * scale;
        } else if (h < shape.query_heads + shape.kv_heads) {
            const int k = h - shape.query_heads;
            to_keys[k * size + d] = a * c - b * s;
            to_keys[k * size + d + half] = b * c + a * s;
        } else {
            const int k = h - shape.query_heads - shape.kv_heads;
            to_values[k * size + d] = a;
            to_values[k * size + d + half] = b;
        }
    }
}

extern "C" void rope_kv_append(int tokens, int query_heads, int kv_heads, int half, int positions, float scale,
                               const float* qkv, const int* position, const float* cosine, const float* sine,
                               const int* page_of, float* queries, float* key_cache, float* value_cache) {
    (void)positions;
    dim3 grid(tokens, (half - 1) / kLanes + 1);
    embed<<<grid, dim3(kLanes, kRows)>>>(Shape{tokens, query_heads, kv_heads, half}, scale, qkv, position, cosine,
                                         sine, page_of, queries, key_cache, value_cache);
}
