// The deepest fall from an earlier peak, as a share of that peak, for each of several price series stored day by day.
void worst_drawdown(int days, int assets, const double* price, double* worst) {
    for (int a = 0; a < assets; a++) {
        double peak = price[a], deepest = 0.0;
        for (int d = 1; d < days; d++) {
            const double today = price[d * assets + a];
            if (today >= peak) {
                peak = today;
                continue;
            }
            const double fall = (peak - today) / peak;
            if (fall > deepest) deepest = fall;
        }
        worst[a] = deepest;
    }
}
