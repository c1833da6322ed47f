void curve_lookup(int n, int knots, const float* x, const float* knot_x, const float* knot_y, float* y) {
    for (int i = 0; i < n; ++i) {
        int low = 0, high = knots;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (knot_x[middle] <= x[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == 0 || low == knots) {
            y[i] = knot_y[low == 0 ? 0 : knots - 1];
            continue;
        }
        const float share = (x[i] - knot_x[low - 1]) / (knot_x[low] - knot_x[low - 1]);
        y[i] = knot_y[low - 1] + share * (knot_y[low] - knot_y[low - 1]);
    }
}
