// shape: a = n
// shape: out = n
// check: n=1; n=2; n=300
void unsigned_edges(unsigned n, const float* a, float* out) {
    for (unsigned i = 0; i < n; i++) {
        float s = a[i];
        if (i - 1 < n) s += a[i - 1];
        if (i + 1 < n) s += a[i + 1];
        out[i] = s + (i - 3) * 1e-9f;
    }
}
