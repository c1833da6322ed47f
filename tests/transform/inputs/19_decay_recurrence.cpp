// An exponential filter whose rate differs at each step: y[t] = (1 - rate[t]) y[t-1] + rate[t] x[t], for several tracks side by side.
void decay_recurrence(int steps, int tracks, const float* rate, const float* x, float* y) {
    for (int k = 0; k < tracks; k++)
        y[k] = x[k];
    for (int t = 1; t < steps; t++)
        for (int k = 0; k < tracks; k++) {
            const float r = rate[t];
            y[t * tracks + k] = (1.0f - r) * y[(t - 1) * tracks + k] + r * x[t * tracks + k];
        }
}
