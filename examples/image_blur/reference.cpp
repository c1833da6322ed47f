#include <algorithm>

// Weighted 5 x 5 blur of a grey image. Pixels beyond the border repeat the nearest one inside.
void image_blur(int width, int height, const float* image, const float* weight, float* blurred) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int dy = -2; dy <= 2; dy++) {
                for (int dx = -2; dx <= 2; dx++) {
                    int row = std::min(std::max(y + dy, 0), height - 1);
                    int column = std::min(std::max(x + dx, 0), width - 1);
                    sum += weight[(dy + 2) * 5 + dx + 2] * image[row * width + column];
                }
            }
            blurred[y * width + x] = sum;
        }
    }
}
