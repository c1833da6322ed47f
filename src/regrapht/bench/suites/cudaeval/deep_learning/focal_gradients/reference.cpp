#include <cmath>

namespace loss_detail {

// ln(1 / (1 + exp(-x))), for all x
inline float log_sigmoid(float x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }

template <typename T>
inline T squared(T v) { return v * v; }

}  // namespace loss_detail

void focal_gradients(int anchors, int classes, float alpha, const int* label, const float* score, float* gradient, double* loss)
{
    using namespace loss_detail;
    double sum = 0;
    for (int a = 0; a < anchors; ++a) {
        for (int c = 0; c < classes; ++c) {
            const float x = score[a * classes + c], p = 1 / (1 + std::exp(-x)), q = 1 / (1 + std::exp(x));
            float& out = gradient[a * classes + c];
            if (label[a] == -2) {
                out = 0;
            } else if (label[a] == c) {
                sum -= alpha * squared(q) * log_sigmoid(x);
                out = alpha * squared(q) * (2 * p * log_sigmoid(x) - q);
            } else {
                sum -= (1 - alpha) * squared(p) * log_sigmoid(-x);
                out = (1 - alpha) * squared(p) * (p - 2 * q * log_sigmoid(-x));
            }
        }
    }
    *loss = sum;
}
