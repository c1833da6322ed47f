#include <cfloat>
#include <cmath>

// One head of causal attention: a query attends to itself and to what came before. `weights` holds what it pays to each, zeros above the
// diagonal.
void attention_head(int tokens, int width, const float* q, const float* k, const float* v, float* weights, float* out) {
    const float scale = 1.0f / sqrtf((float)width);
    for (int i = 0; i < tokens; i++) {
        float top = -FLT_MAX, total = 0;
        for (int j = 0; j <= i; j++) {
            float dot = 0;
            for (int d = 0; d < width; d++) dot += q[i * width + d] * k[j * width + d];
            weights[i * tokens + j] = dot * scale;
            if (weights[i * tokens + j] > top) top = weights[i * tokens + j];
        }
        for (int j = 0; j < tokens; j++) {
            if (j > i) {
                weights[i * tokens + j] = 0;
                continue;
            }
            weights[i * tokens + j] = expf(weights[i * tokens + j] - top);
            total += weights[i * tokens + j];
        }
        for (int d = 0; d < width; d++) {
            float acc = 0;
            for (int j = 0; j <= i; j++) acc += weights[i * tokens + j] * v[j * width + d];
            out[i * width + d] = acc / total;
        }
    }
}
