// Unfolds every 3 x 3 patch of a picture into a column, so that a convolution becomes a matrix product; outside is zero.
void im2col(int channels, int h, int w, const float* image, float* columns)
{
    for (int row = 0; row < channels * 9; row++) {
        const int dx = row % 3 - 1;
        const int dy = (row / 3) % 3 - 1;
        const int c = row / 9;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                const bool out_of_frame = y + dy < 0 || y + dy >= h || x + dx < 0 || x + dx >= w;
                columns[row * (h * w) + y * w + x] = out_of_frame ? 0.0f : image[(c * h + y + dy) * w + x + dx];
            }
    }
}
