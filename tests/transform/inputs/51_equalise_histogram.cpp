// Spreads the grey levels of a picture evenly: count them, add the counts up, look every pixel up.
void equalise_histogram(int pixels, const unsigned char* in, unsigned char* out) {
    int count[256];
    for (int level = 0; level < 256; level++)
        count[level] = 0;
    for (int p = 0; p < pixels; p++)
        count[in[p]]++;
    for (int level = 1; level < 256; level++)
        count[level] += count[level - 1];
    for (int p = 0; p < pixels; p++)
        out[p] = (unsigned char)((255LL * count[in[p]]) / pixels);
}
