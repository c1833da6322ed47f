#include <cmath>

void sigmoid(int batch, int dim, const float* x, float* y) {
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < dim; i++) y[b * dim + i] = 1.0f / (1.0f + expf(-x[b * dim + i]));
}
