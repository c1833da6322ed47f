// Population variance in two passes: the mean first, then the mean squared deviation from it.

float variance(int n, const float* x) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i];
    float mean = sum / n;
    float squares = 0.0f;
    for (int i = 0; i < n; ++i) {
        float deviation = x[i] - mean;
        squares += deviation * deviation;
    }
    return squares / n;
}
