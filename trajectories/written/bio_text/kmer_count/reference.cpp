// Histogram of all windows of six bases, each base two bits.

void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    for (int code = 0; code < 4096; ++code) counts[code] = 0;
    for (int start = 0; start + 6 <= length; ++start) {
        int code = 0;
        for (int k = 0; k < 6; ++k) code = 4 * code + bases[start + k];
        counts[code]++;
    }
}
