// shape: image = width * height
// shape: bins = 256
// check: width=1,height=1; width=33,height=20; width=100,height=70
void histogram_bytes(int width, int height, const unsigned char* image, unsigned int* bins) {
    int i;
    for (i = 0; i < 256; i++) bins[i] = 0;
    for (i = 0; i < width * height; i++) bins[image[i]]++;
}
