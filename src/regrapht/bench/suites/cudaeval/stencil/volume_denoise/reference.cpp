#include <vector>

// What flows between two voxels: less where they differ by more than is usual.
static float flow(float difference, float usual) { return difference / (1.0f + difference * difference / usual); }

void volume_denoise(int depth, int height, int width, int steps, float rate, float* voxel) {
    const int plane = height * width, count = depth * plane;
    std::vector<float> east(count), south(count), below(count);
    for (int step = 0; step < steps; ++step) {
        double squares = 0.0;
        for (int z = 0; z < depth; ++z) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const int i = z * plane + y * width + x;
                    east[i] = x + 1 < width ? voxel[i + 1] - voxel[i] : 0.0f;
                    south[i] = y + 1 < height ? voxel[i + width] - voxel[i] : 0.0f;
                    below[i] = z + 1 < depth ? voxel[i + plane] - voxel[i] : 0.0f;
                    squares += east[i] * east[i] + south[i] * south[i] + below[i] * below[i];
                }
            }
        }
        const float usual = (float)(squares / count) + 1e-6f;
        for (int i = 0; i < count; ++i) {
            east[i] = flow(east[i], usual);
            south[i] = flow(south[i], usual);
            below[i] = flow(below[i], usual);
        }
        for (int z = 0; z < depth; ++z) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const int i = z * plane + y * width + x;
                    float change = east[i] + south[i] + below[i];
                    if (x > 0) change -= east[i - 1];
                    if (y > 0) change -= south[i - width];
                    if (z > 0) change -= below[i - plane];
                    voxel[i] += rate * change;
                }
            }
        }
    }
}
