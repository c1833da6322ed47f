#include <cmath>
#include <vector>

class GruCell {
public:
    GruCell(int width, const float* u) : width_(width), u_(u), next_(width) {}

    void step(const float* x, float* h) {
        for (int i = 0; i < width_; ++i) {
            const float r = logistic(x[i] + row(i, h));
            const float z = logistic(x[width_ + i] + row(width_ + i, h));
            const float c = std::tanh(x[2 * width_ + i] + r * row(2 * width_ + i, h));
            next_[i] = (1.0f - z) * h[i] + z * c;
        }
        for (int i = 0; i < width_; ++i) h[i] = next_[i];
    }

private:
    static float logistic(float v) { return 1.0f / (1.0f + std::exp(-v)); }

    float row(int r, const float* h) const {
        float sum = 0.0f;
        for (int j = 0; j < width_; ++j) sum += u_[(long)r * width_ + j] * h[j];
        return sum;
    }

    int width_;
    const float* u_;
    std::vector<float> next_;
};

void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    GruCell cell(width, u);
    for (int t = 0; t < steps; ++t) {
        for (int b = 0; b < batch; ++b) {
            const long at = (long)t * batch + b;
            cell.step(x + at * 3 * width, h + (long)b * width);
            for (int i = 0; i < width; ++i) trace[at * width + i] = h[(long)b * width + i];
        }
    }
}
