// Histogram of class labels.

void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    for (int c = 0; c < classes; ++c) counts[c] = 0;
    for (int i = 0; i < n; ++i) counts[labels[i]]++;
}
