// Explicit Richards-type flow of water in independent soil columns.
#include <cstddef>

static float conductivity(float scale, float s) { return scale * s * s * s; }

void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                  const float* conductance, float* moisture) {
    for (int column = 0; column < columns; ++column) {
        float* s = moisture + (size_t)column * layers;
        const float scale = conductance[column];
        for (int step = 0; step < steps; ++step) {
            float from_above = rain[column];
            for (int k = 0; k < layers; ++k) {
                float down;
                if (k + 1 < layers) {
                    float mean = 0.5f * (conductivity(scale, s[k]) + conductivity(scale, s[k + 1]));
                    down = mean * ((s[k] - s[k + 1]) / spacing + 1.0f);
                } else {
                    down = conductivity(scale, s[k]);
                }
                s[k] += dt / spacing * (from_above - down);
                from_above = down;
            }
        }
    }
}
