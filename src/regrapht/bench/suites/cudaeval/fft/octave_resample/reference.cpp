#include <cstdint>

// Changes the rate of each channel by up / down: for every new sample one branch of the filter meets `taps` old ones.
void octave_resample(int channels, int length, int up, int down, int taps, const int16_t* sound, const float* filter, float* out) {
    const int made = length * up / down;
    for (int c = 0; c < channels; c++) {
        for (int i = 0; i < made; i++) {
            const int branch = i * down % up, newest = i * down / up;
            float sum = 0.0f;
            for (int t = 0; t < taps; t++) {
                if (newest - t >= 0) sum += filter[t * up + branch] * (float)sound[c * length + newest - t];
            }
            out[c * made + i] = sum;
        }
    }
}
