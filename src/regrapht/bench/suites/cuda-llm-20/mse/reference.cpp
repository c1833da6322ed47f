void mse(int n, const float* predictions, const float* targets, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += (predictions[i] - targets[i]) * (predictions[i] - targets[i]);
    *result = sum / n;
}
