// Rotary position embedding of queries and keys, and the append of keys and values to a paged cache.
#include <algorithm>
#include <cstddef>

static const int kPage = 16;

static void rotate(const float* x, const float* c, const float* s, int half, float factor, float* out) {
    for (int d = 0; d < half; ++d) {
        float a = x[d], b = x[d + half];
        out[d] = (a * c[d] - b * s[d]) * factor;
        out[d + half] = (b * c[d] + a * s[d]) * factor;
    }
}

void rope_kv_append(int tokens, int query_heads, int kv_heads, int half, int positions, float scale, const float* qkv,
                    const int* position, const float* cosine, const float* sine, const int* page_of, float* queries,
                    float* key_cache, float* value_cache) {
    (void)positions;
    const int size = 2 * half;
    const float* head = qkv;
    for (int t = 0; t < tokens; ++t) {
        const float *c = cosine + (size_t)position[t] * half, *s = sine + (size_t)position[t] * half;
        size_t line = (size_t)page_of[t / kPage] * kPage + t % kPage;
        for (int h = 0; h < query_heads; ++h, head += size)
            rotate(head, c, s, half, scale, queries + ((size_t)t * query_heads + h) * size);
        for (int h = 0; h < kv_heads; ++h, head += size)
            rotate(head, c, s, half, 1.0f, key_cache + (line * kv_heads + h) * size);
        for (int h = 0; h < kv_heads; ++h, head += size)
            std::copy(head, head + size, value_cache + (line * kv_heads + h) * size);
    }
}
