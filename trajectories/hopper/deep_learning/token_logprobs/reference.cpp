// Log-probabilities of every token of the vocabulary, at a temperature of the row's own.
#include <cmath>
#include <cstddef>

void token_logprobs(int rows, int vocab, const float* logits, const float* temperature, float* logprob) {
    for (int r = 0; r < rows; ++r) {
        const float* row = logits + (size_t)r * vocab;
        const float inverse = 1.0f / temperature[r];
        float top = row[0] * inverse;
        for (int t = 1; t < vocab; ++t) top = std::fmax(top, row[t] * inverse);
        double total = 0.0;
        for (int t = 0; t < vocab; ++t) total += std::exp(row[t] * inverse - top);
        const float normaliser = top + (float)std::log(total);
        for (int t = 0; t < vocab; ++t) logprob[(size_t)r * vocab + t] = row[t] * inverse - normaliser;
    }
}
