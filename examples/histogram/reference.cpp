// How often each of the 256 grey levels occurs in an image.
void histogram(int pixels, const unsigned char* level, int* count) {
    for (int bin = 0; bin < 256; bin++) {
        count[bin] = 0;
    }
    for (int i = 0; i < pixels; i++) {
        count[level[i]] += 1;
    }
}
