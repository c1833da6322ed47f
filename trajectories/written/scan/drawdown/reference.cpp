// Drawdown of equity curves: how far below its highest level so far each series stands, and the worst of it.
void drawdown(int series, int days, const float* price, float* below, float* worst) {
    for (int s = 0; s < series; ++s) {
        const float* p = price + (long long)s * days;
        float* out = below + (long long)s * days;
        float high = p[0], deepest = 0.0f;
        for (int d = 0; d < days; ++d) {
            if (p[d] > high) high = p[d];
            out[d] = (high - p[d]) / high;
            if (out[d] > deepest) deepest = out[d];
        }
        worst[s] = deepest;
    }
}
