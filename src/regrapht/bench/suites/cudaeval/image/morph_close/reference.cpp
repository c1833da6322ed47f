#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

using Plane = std::vector<uint8_t>;

template <class Pick>
static Plane filtered(const Plane& in, int height, int width, int r, Pick pick) {
  Plane out(in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint8_t best = in[(size_t)y * width + x];
      for (int v = std::max(0, y - r); v <= std::min(height - 1, y + r); ++v)
        for (int u = std::max(0, x - r); u <= std::min(width - 1, x + r); ++u) best = pick(best, in[(size_t)v * width + u]);
      out[(size_t)y * width + x] = best;
    }
  }
  return out;
}

void morph_close(int height, int width, int r, const uint8_t* picture, uint8_t* filled, int64_t* gained) {
  const Plane in(picture, picture + (size_t)height * width);
  const Plane dilated = filtered(in, height, width, r, [](uint8_t a, uint8_t b) { return std::max(a, b); });
  const Plane closed = filtered(dilated, height, width, r, [](uint8_t a, uint8_t b) { return std::min(a, b); });
  *gained = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    filled[i] = closed[i];
    *gained += closed[i] - in[i];
  }
}
