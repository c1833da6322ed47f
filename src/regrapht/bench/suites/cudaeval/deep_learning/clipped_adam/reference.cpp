#include <math.h>

#define BETA1 0.9f
#define BETA2 0.999f

static float length_of(int n, const float *g)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += g[i] * g[i];
    return sqrtf(sum);
}

void clipped_adam(int rows, int width, float rate, float decay, float ceiling, const float *grad, float *m, float *v, float *w, float *norm)
{
    for (int r = 0; r < rows; r++) {
        const long at = (long)r * width;
        const float *g = grad + at;
        norm[r] = length_of(width, g);
        const float scale = norm[r] > ceiling ? ceiling / norm[r] : 1.0f;
        for (int i = 0; i < width; i++) {
            const float step = g[i] * scale;
            m[at + i] = BETA1 * m[at + i] + (1.0f - BETA1) * step;
            v[at + i] = BETA2 * v[at + i] + (1.0f - BETA2) * step * step;
            w[at + i] -= rate * (m[at + i] / (sqrtf(v[at + i]) + 1e-6f) + decay * w[at + i]);
        }
    }
}
