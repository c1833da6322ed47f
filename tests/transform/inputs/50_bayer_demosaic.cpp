// Colour from a raw RGGB sensor, one RGB triple for each full 2 x 2 cell: red, the mean of the two greens, blue. Twelve-bit samples are
// brought to eight bits with a gain for each colour in 1/256.
void bayer_demosaic(int cells_y, int cells_x, const unsigned short* raw, const unsigned short* gain, unsigned char* rgb)
{
    const int pitch = 2 * cells_x;
    for (int cy = 0; cy < cells_y; cy++) {
        const unsigned short* even = raw + (2 * cy) * pitch;
        const unsigned short* odd = even + pitch;
        for (int cx = 0; cx < cells_x; cx++) {
            unsigned value[3];
            value[0] = even[2 * cx];
            value[1] = (even[2 * cx + 1] + odd[2 * cx] + 1u) / 2u;
            value[2] = odd[2 * cx + 1];
            for (int c = 0; c < 3; c++) {
                unsigned v = (value[c] * gain[c]) >> 12;
                rgb[(cy * cells_x + cx) * 3 + c] = (unsigned char)(v < 255u ? v : 255u);
            }
        }
    }
}
