// Merges two ascending lists into one; of equal elements those of the first list come first.
void merge_sorted(int na, int nb, const float* a, const float* b, float* out) {
    int i = 0, j = 0, k = 0;
    while (i < na && j < nb)
        out[k++] = b[j] < a[i] ? b[j++] : a[i++];
    while (i < na) out[k++] = a[i++];
    while (j < nb) out[k++] = b[j++];
}
