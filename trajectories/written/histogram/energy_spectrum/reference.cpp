// Counts and summed charges of hits in bins of uneven width.

void energy_spectrum(int n, int bins, const float* edges, const float* energy, const int* charge, unsigned* count,
                     long long* total, unsigned* outside) {
    for (int b = 0; b < bins; ++b) {
        count[b] = 0;
        total[b] = 0;
    }
    *outside = 0;
    for (int hit = 0; hit < n; ++hit) {
        float e = energy[hit];
        if (!(e >= edges[0] && e < edges[bins])) {
            ++*outside;
            continue;
        }
        int low = 0, high = bins;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (edges[middle] <= e) low = middle;
            else high = middle;
        }
        ++count[low];
        total[low] += charge[hit];
    }
}
