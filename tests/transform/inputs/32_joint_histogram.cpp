// How often two measurements fall into each cell of a bins x bins grid over the unit square; what lies outside is not counted.
void joint_histogram(int n, int bins, const float* u, const float* v, int* cells) {
    for (int i = 0; i < n; i++) {
        if (u[i] < 0.0f || u[i] >= 1.0f) continue;
        if (v[i] < 0.0f || v[i] >= 1.0f) continue;
        int a = (int)(u[i] * bins), b = (int)(v[i] * bins);
        if (a >= bins) a = bins - 1;
        if (b >= bins) b = bins - 1;
        cells[a * bins + b] += 1;
    }
}
