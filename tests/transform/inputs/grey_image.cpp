// shape: rgb = 3 * width * height
// shape: grey = width * height
// check: width=1,height=1; width=33,height=9; width=70,height=5
#define CHANNELS 3
#define AT(x, y) ((y) * width + (x))

void grey_image(int width, int height, const unsigned char* rgb, unsigned char* grey) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int r = rgb[AT(x, y) * CHANNELS];
            const int g = rgb[AT(x, y) * CHANNELS + 1];
            const int b = rgb[AT(x, y) * CHANNELS + 2];
            grey[AT(x, y)] = (unsigned char)((77 * r + 150 * g + 29 * b) >> 8);
        }
}
