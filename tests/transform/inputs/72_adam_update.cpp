#include <cmath>

// One step of Adam with decoupled weight decay over a flat parameter vector; the two corrections are computed by the caller.
void adam_update(int n, float rate, float decay, float correct1, float correct2, const float* grad, float* weight, float* moment1,
                 float* moment2)
{
    const float beta1 = 0.9f, beta2 = 0.999f;
    int i = 0;
    for (;;) {
        if (i == n) return;
        float g = grad[i];
        moment1[i] = beta1 * moment1[i] + (1.0f - beta1) * g;
        moment2[i] = beta2 * moment2[i] + (1.0f - beta2) * g * g;
        weight[i] -= rate * (moment1[i] / correct1 / (std::sqrt(moment2[i] / correct2) + 1e-8f) + decay * weight[i]);
        ++i;
    }
}
