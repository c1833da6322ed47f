#include <cmath>

void cross_entropy(int n, const float* logits, const int* labels, float* loss) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        const float* row = logits + 10 * i;
        float most = row[0], total = 0.0f;
        for (int c = 1; c < 10; c++) most = row[c] > most ? row[c] : most;
        for (int c = 0; c < 10; c++) total += expf(row[c] - most);
        sum += logf(total) + most - row[labels[i]];
    }
    *loss = sum / n;
}
