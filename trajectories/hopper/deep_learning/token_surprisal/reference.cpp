// The surprisal of each token's target under a softmax over classes, from hidden states; one token's logits at a time.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

void token_surprisal(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target, float* surprisal) {
    std::vector<float> by_input((size_t)dim * classes), logit(classes);  // the weights with classes side by side
    for (size_t i = 0; i < by_input.size(); ++i) by_input[i] = (float)weight[i % classes * dim + i / classes];
    for (int t = 0; t < tokens; ++t) {
        std::fill(logit.begin(), logit.end(), 0.0f);
        for (int k = 0; k < dim; ++k) {
            float hidden = (float)x[(size_t)t * dim + k];
            const float* of_class = by_input.data() + (size_t)k * classes;
            for (int c = 0; c < classes; ++c) logit[c] += hidden * of_class[c];
        }
        float top = logit[0];
        for (int c = 1; c < classes; ++c) top = std::max(top, logit[c]);
        float sum = 0.0f;
        for (int c = 0; c < classes; ++c) sum += expf(logit[c] - top);
        surprisal[t] = top + logf(sum) - logit[target[t]];
    }
}
