// Mean and variance of each column in one pass over the rows, updated sample by sample.
void welford_moments(int samples, int features, const float* data, double* mean, double* variance) {
    for (int f = 0; f < features; f++) {
        double m = 0.0, s = 0.0;
        for (int i = 0; i < samples; i++) {
            const double before = data[i * features + f] - m;
            m += before / (i + 1);
            s += before * (data[i * features + f] - m);
        }
        mean[f] = m;
        variance[f] = s / samples;
    }
}
