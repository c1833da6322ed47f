#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

void slope_attention(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q, const float* k,
                     const float* v, float* mixed) {
  const int row = heads * width;
  const float scale = 1.0f / std::sqrt((float)width);
  std::fill(mixed, mixed + (long)tokens * row, 0.0f);
  std::vector<float> score;
  for (int s = 0; s < sequences; ++s) {
    const int begin = start[s], end = s + 1 < sequences ? start[s + 1] : tokens;
    for (int h = 0; h < heads; ++h) {
      for (int t = begin; t < end; ++t) {
        const float* query = q + (long)t * row + h * width;
        score.assign(t - begin + 1, 0.0f);
        float top = -INFINITY;
        for (int j = begin; j <= t; ++j) {
          const float* key = k + (long)j * row + h * width;
          float dot = 0.0f;
          for (int c = 0; c < width; ++c) dot += query[c] * key[c];
          score[j - begin] = dot * scale - slope[h] * (float)(t - j);
          top = std::max(top, score[j - begin]);
        }
        float total = 0.0f;
        for (float& x : score) total += x = std::exp(x - top);
        float* out = mixed + (long)t * row + h * width;
        for (int j = begin; j <= t; ++j)
          for (int c = 0; c < width; ++c) out[c] += score[j - begin] / total * v[(long)j * row + h * width + c];
      }
    }
  }
}
