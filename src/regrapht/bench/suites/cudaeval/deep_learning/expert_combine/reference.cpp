#include <cmath>
#include <cstdint>

struct Route {
    const int32_t* slot;
    const float* logit;

    bool has(int k) const { return slot[k] >= 0; }

    // The share of the k-th copy among those that exist.
    float share(int k) const
    {
        if (!has(k)) return 0.0f;
        if (!has(1 - k)) return 1.0f;
        return 1.0f / (1.0f + std::exp(logit[1 - k] - logit[k]));
    }
};

void expert_combine(int tokens, int rows, int width, float residual, const float* input, const float* expert, const int32_t* slot, const float* logit,
                    float* result, int32_t* dropped)
{
    (void)rows;
    *dropped = 0;
    for (int t = 0; t < tokens; ++t) {
        const Route route{slot + 2 * t, logit + 2 * t};
        if (!route.has(0) && !route.has(1)) ++*dropped;
        for (int c = 0; c < width; ++c) {
            float sum = residual * input[(long)t * width + c];
            for (int k = 0; k < 2; ++k)
                if (route.has(k)) sum += route.share(k) * expert[(long)route.slot[k] * width + c];
            result[(long)t * width + c] = sum;
        }
    }
}
