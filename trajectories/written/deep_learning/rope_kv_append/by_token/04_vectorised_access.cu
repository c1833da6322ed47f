// Rotary embedding and cache append: one block per token, four neighbouring pairs per thread where aligned.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPage = 16;
constexpr int kThreads = 128;

struct Shape {
    int tokens, query_heads, kv_heads, half;
};

__device__ float turned(float a, float b, float c, float s) { return a * c - b * s; }
__device__ float turned_back(float a, float b, float c, float s) { return b * c + a * s; }
__device__ float scaled(float a, float factor) { return a * factor; }

__device__ float4 turned(float4 a, float4 b, float4 c, float4 s) {
    return make_float4(a.x * c.x - b.x * s.x, a.y * c.y - b.y * s.y, a.z * c.z - b.z * s.z, a.w * c.w - b.w * s.w);
}
__device__ float4 turned_back(float4 a, float4 b, float4 c, float4 s) {
    return make_float4(b.x * c.x + a.x * s.x, b.y * c.y + a.y * s.y, b.z * c.z + a.z * s.z, b.w * c.w + a.w * s.w);
}
__device__ float4 scaled(float4 a, float factor) {
    return make_float4(a.x * factor, a.y * factor, a.z * factor, a.w * factor);
}

// All pointers and `half` count elements of type V, which hold one or four floats.
template <typename V>
__global__ void embed(Shape shape, int lanes, float scale, const V* qkv, const int* position, const V* cosine,
                      const V* sine, const int* page_of, V* queries, V* key_cache, V* value_cache) {
    const int half = shape.half, size = 2 * half, heads = shape.query_heads + 2 * shape.kv_heads;
    const int rows = kThreads / lanes, row = threadIdx.x / lanes;
    const int t = blockIdx.x, d = blockIdx.y * lanes + threadIdx.x % lanes;
    if (d >= half) return;
    const V c = cosine[(size_t)position[t] * half + d], s = sine[(size_t)position[t] * half + d];
    const size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
    const V* from = qkv + (size_t)t * heads * size;
    V* to_queries = queries + (size_t)t * shape.query_heads * size;
    V* to_keys = key_cache + line * shape.kv_heads * size;
    V* to_values = value_cache + line * shape.kv_heads * size;
    for (int h = row; h < heads; h += rows) {
        V a = from[h * size + d], b = from[h * size + d + half];
        if (h < shape.query_heads) {
            to_queries[h * size + d] = scaled(turned(a, b, c, s), scale);
            to_queries[h * size + d + half] = scaled(turned_back(a, b, c, s), scale);
        } else if (h < shape.query_heads + shape.kv_heads) {
            const int k = h - shape.query_heads;
            to_keys[k * size + d] = turned(a, b, c, s);
            to_keys[k * size + d + half] = turned_back(a, b, c, s);
        } else {
            const int k = h - shape.query_heads - shape.kv_heads;
            to_values[k * size + d] = a;
            to_values[k * size + d + half] = b;
        }
    }
}

template <typename V>
void launch(Shape shape, int lanes, float scale, const float* qkv, const int* position, const float* cosine,
            const float* sine, const int* page_of, float* queries, float* key_cache, float* value_cache) {
    dim3 grid(shape.tokens, (shape.half - 1) / lanes + 1);
    embed<V><<<grid, kThreads>>>(shape, lanes, scale, reinterpret_cast<const V*>(qkv), position,
                                 reinterpret_cast<const V*>(cosine), reinterpret_cast<const V*>(sine), page_of,
                                 reinterpret_cast<V*>(queries), reinterpret_cast<V*>(key_cache),
                                 reinterpret_cast<V*>(value_cache));
}

extern "C" void rope_kv_append(int tokens, int query_heads, int kv_heads, int half, int positions, float scale,
                               const float* qkv, const int* position, const float* cosine, const float* sine,
                               const int* page_of, float* queries, float* key_cache, float* value_cache) {
    (void)positions;
    const void* const all[] = {qkv, cosine, sine, queries, key_cache, value_cache};
    bool wide = half % 4 == 0;
    for (const void* array : all) wide = wide && reinterpret_cast<uintptr_t>(array) % 16 == 0;
    if (wide)
        launch<float4>(Shape{tokens, query_heads, kv_heads, half / 4}, 16, scale, qkv, position, cosine, sine, page_of,
                       queries, key_cache, value_cache);
    else
        launch<float>(Shape{tokens, query_heads, kv_heads, half}, 32, scale, qkv, position, cosine, sine, page_of,
                      queries, key_cache, value_cache);
}
