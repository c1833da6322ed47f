// A layer of 3 x 3 convolutions with zero padding, then bias and a leaky ReLU; images are channel by channel.
void conv2d_padded(int outs, int ins, int h, int w, const float* image, const float* weight, const float* bias, float* result) {
    for (int o = 0; o < outs; o++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                float acc = bias[o];
                for (int c = 0; c < ins; c++)
                    for (int ky = 0; ky < 3; ky++) {
                        const int yy = y + ky - 1;
                        if (yy < 0 || yy >= h) continue;
                        for (int kx = 0; kx < 3; kx++) {
                            const int xx = x + kx - 1;
                            if (xx < 0 || xx >= w) continue;
                            acc += weight[((o * ins + c) * 3 + ky) * 3 + kx] * image[(c * h + yy) * w + xx];
                        }
                    }
                result[(o * h + y) * w + x] = acc > 0 ? acc : 0.01f * acc;
            }
}
