#include <cmath>
#include <vector>

void attention(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    const int width = d / h;
    const float scale = 1.0f / sqrtf((float)width);
    std::vector<float> weight(n);
    for (int head = 0; head < h; head++)
        for (int i = 0; i < n; i++) {
            const int first = head * width;
            float most = -INFINITY, total = 0.0f;
            for (int j = 0; j < n; j++) {
                float dot = 0.0f;
                for (int c = 0; c < width; c++) dot += q[i * d + first + c] * k[j * d + first + c];
                weight[j] = dot * scale;
                most = weight[j] > most ? weight[j] : most;
            }
            for (int j = 0; j < n; j++) total += weight[j] = expf(weight[j] - most);
            for (int c = 0; c < width; c++) {
                float sum = 0.0f;
                for (int j = 0; j < n; j++) sum += weight[j] * v[j * d + first + c];
                out[i * d + first + c] = sum / total;
            }
        }
}
