// Rotary embedding and cache append: one kernel over all heads, one thread per pair of elements.
#include <cuda_runtime.h>

constexpr int kPage = 16;

struct Shape {
    int tokens, query_heads, kv_heads, half;
};

__global__ void embed(Shape shape, float scale, const float* qkv, const int* position, const float* cosine,
                      const float* sine, const int* page_of, float* queries, float* key_cache, float* value_cache) {
    const int half = shape.half, size = 2 * half, heads = shape.query_heads + 2 * shape.kv_heads;
    int d = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y, t = blockIdx.z;
    if (d >= half || h >= heads) return;
    const float* from = qkv + ((size_t)t * heads + h) * size;
    const size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
    float c = 1.0f, s = 0.0f, factor = 1.0f;
    float* to;
    if (h < shape.query_heads) {
        to = queries + ((size_t)t * shape.query_heads + h) * size;
        factor = scale;
    } else if (h < shape.query_heads + shape.kv_heads) {
        to = key_cache + (line * shape.kv_heads + h - shape.query_heads) * size;
    } else {
        to = value_cache + (line * shape.kv_heads + h - shape.query_heads - shape.kv_heads) * size;
    }
    float a = from[d], b = from[d + half];
    if (h < shape.query_heads + shape.kv_heads) {
        c = cosine[(size_t)position[t] * half + d];
        s = sine[(size_t)position[t] * half + d];
        to[d] = (a * c - b * s) * factor;
        to[d + half] = (b * c + a * s) * factor;
    } else {
        to[d] = a;
        to[d + half] = b;
    }
}

extern "C" void rope_kv_append(int tokens, int query_heads, int kv_heads, int half, int positions, float scale,
                               const float* qkv, const int* position, const float* cosine, const float* sine,
                               const int* page_of, float* queries, float* key_cache, float* value_cache) {
    (void)positions;
    dim3 block(32, 4);
    dim3 grid((half - 1) / 32 + 1, (query_heads + 2 * kv_heads - 1) / 4 + 1, tokens);
    embed<<<grid, block>>>(Shape{tokens, query_heads, kv_heads, half}, scale, qkv, position, cosine, sine, page_of,
                           queries, key_cache, value_cache);
}
